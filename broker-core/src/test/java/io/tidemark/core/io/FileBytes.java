package io.tidemark.core.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** Looks into files, and changes them, behind the back of whoever works on them. */
public final class FileBytes {
    private FileBytes() {}

    /** All of it. */
    public static byte[] content(Files io, Path file) throws IOException {
        try (FileHandle handle = io.openForRead(file)) {
            ByteBuffer content = ByteBuffer.allocate((int) handle.size());
            handle.readFully(content, 0);
            return content.array();
        }
    }

    /** Makes the file, or what is in it, this. */
    public static void write(Files io, Path file, byte[] content) throws IOException {
        try (FileHandle handle = io.openForAppend(file)) {
            handle.truncate(0);
            handle.append(ByteBuffer.wrap(content));
        }
    }

    /** Puts bytes behind what is in it. */
    public static void append(Files io, Path file, byte[] bytes) throws IOException {
        try (FileHandle handle = io.openForAppend(file)) {
            handle.append(ByteBuffer.wrap(bytes));
        }
    }

    /** Leaves the first bytes alone. */
    public static void cut(Files io, Path file, long sizeBytes) throws IOException {
        try (FileHandle handle = io.openForAppend(file)) {
            handle.truncate(sizeBytes);
        }
    }

    /** Turns the bits of {@code mask} over in one byte. */
    public static void flip(Files io, Path file, int position, int mask) throws IOException {
        byte[] content = content(io, file);
        content[position] = (byte) (content[position] ^ mask);
        write(io, file, content);
    }
}
