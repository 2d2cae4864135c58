package io.tidemark.core.io;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * An open file. Reads may come from any thread at any time; writes and truncation from one thread at a time, and through
 * one handle of the file at a time; force, from one thread at a time, also beside a write: then it makes durable what was
 * written before it began. A closed handle, and a write through one that was opened for reading,
 * answers with an {@link IOException} that names the file.
 */
public interface FileHandle extends Closeable {
    /**
     * Writes all remaining bytes of the buffers, in order, at the end of the file. Loops over short writes
     * (KAFKA-10778); on an error some of the bytes may have been written. The buffers are consumed.
     */
    void append(ByteBuffer... buffers) throws IOException;

    /**
     * Reads at {@code position} until {@code target} is full or the file ends.
     *
     * @return bytes read; 0 at or beyond the end
     */
    int read(ByteBuffer target, long position) throws IOException;

    /**
     * Reads at {@code position} until {@code target} is full.
     *
     * @throws EOFException if the file ends before: it is not what its size said
     */
    default void readFully(ByteBuffer target, long position) throws IOException {
        int count = read(target, position);
        if (target.hasRemaining()) {
            throw new EOFException("the file ends at " + (position + count) + ", " + target.remaining()
                    + " bytes before the end of what was to be read");
        }
    }

    /**
     * The content, of a large file the first {@code maxBytes}.
     *
     * @throws EOFException as {@link #readFully}
     */
    default byte[] content(int maxBytes) throws IOException {
        ByteBuffer content = ByteBuffer.allocate((int) Math.min(size(), maxBytes));
        readFully(content, 0);
        return content.array();
    }

    /** Current size in bytes. */
    long size() throws IOException;

    /** Cuts the file to {@code sizeBytes}; nothing happens if it is not longer. */
    void truncate(long sizeBytes) throws IOException;

    /** Makes content and size durable. */
    void force() throws IOException;

    /** Idempotent. */
    @Override
    void close() throws IOException;
}
