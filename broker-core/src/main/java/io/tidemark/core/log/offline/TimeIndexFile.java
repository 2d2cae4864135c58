package io.tidemark.core.log.offline;

import io.tidemark.core.io.FileHandle;
import io.tidemark.core.io.Files;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads a {@code .timeindex} file: entries of int64 timestamp and int32 last offset minus base, big-endian. */
public final class TimeIndexFile {
    private static final int ENTRY_BYTES = Long.BYTES + Integer.BYTES;

    private TimeIndexFile() {}

    /** Its whole entries in order. */
    public static List<TimeIndexEntry> read(Files io, Path timeIndexFile) throws IOException {
        List<TimeIndexEntry> entries = new ArrayList<>();
        ByteBuffer bytes = content(io, timeIndexFile);
        while (bytes.remaining() >= ENTRY_BYTES) {
            entries.add(new TimeIndexEntry(bytes.getLong(), bytes.getInt()));
        }
        return entries;
    }

    private static ByteBuffer content(Files io, Path file) throws IOException {
        try (FileHandle handle = io.openForRead(file)) {
            ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(handle.size()));
            handle.read(bytes, 0);
            return bytes.flip();
        }
    }
}
