package io.tidemark.core.log.offline;

import io.tidemark.core.io.FileHandle;
import io.tidemark.core.io.Files;
import io.tidemark.core.log.segment.OffsetIndex;
import io.tidemark.core.log.segment.SegmentFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Reads an {@code .index} file. */
public final class IndexFile {
    /** Far beyond what a broker writes; what is larger is none of its files. */
    static final long MAX_BYTES = 64 << 20;

    private IndexFile() {}

    /**
     * Its whole entries in order.
     *
     * @throws IOException also if the file's name is not that of an index, whose base the entries are relative to, or if the file
     *     is larger than any index
     */
    public static List<IndexEntry> read(Files io, Path indexFile) throws IOException {
        OptionalLong base = SegmentFiles.offsetIn(OfflineTarget.nameOf(indexFile), SegmentFiles.INDEX_SUFFIX);
        if (base.isEmpty()) {
            throw new IOException("not the name of an offset index, which its entries are relative to: " + indexFile);
        }
        List<IndexEntry> entries = new ArrayList<>();
        ByteBuffer bytes = content(io, indexFile);
        while (bytes.remaining() >= OffsetIndex.ENTRY_BYTES) {
            entries.add(new IndexEntry(base.getAsLong() + bytes.getInt(), bytes.getInt()));
        }
        return entries;
    }

    static ByteBuffer content(Files io, Path file) throws IOException {
        try (FileHandle handle = io.openForRead(file)) {
            long sizeBytes = handle.size();
            if (sizeBytes > MAX_BYTES) {
                throw new IOException(file + " has " + sizeBytes + " bytes, more than any index has (" + MAX_BYTES
                        + "); it is not read");
            }
            ByteBuffer bytes = ByteBuffer.allocate((int) sizeBytes);
            handle.read(bytes, 0);
            return bytes.flip();
        }
    }
}
