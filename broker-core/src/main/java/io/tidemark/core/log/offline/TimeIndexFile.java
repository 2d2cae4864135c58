package io.tidemark.core.log.offline;

import io.tidemark.core.io.Files;
import io.tidemark.core.log.segment.SegmentFiles;
import io.tidemark.core.log.segment.TimeIndex;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Reads a {@code .timeindex} file. */
public final class TimeIndexFile {
    private TimeIndexFile() {}

    /**
     * Its whole entries in order.
     *
     * @throws IOException also if the file's name is not that of a time index, whose base the entries are relative to, or if the
     *     file is larger than any index
     */
    public static List<TimeIndexEntry> read(Files io, Path timeIndexFile) throws IOException {
        OptionalLong base = SegmentFiles.offsetIn(OfflineTarget.nameOf(timeIndexFile), SegmentFiles.TIME_INDEX_SUFFIX);
        if (base.isEmpty()) {
            throw new IOException("not the name of a time index, which its entries are relative to: " + timeIndexFile);
        }
        List<TimeIndexEntry> entries = new ArrayList<>();
        ByteBuffer bytes = IndexFile.content(io, timeIndexFile);
        while (bytes.remaining() >= TimeIndex.ENTRY_BYTES) {
            entries.add(new TimeIndexEntry(bytes.getLong(), base.getAsLong() + bytes.getInt()));
        }
        return entries;
    }
}
