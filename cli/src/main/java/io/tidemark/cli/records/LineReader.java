package io.tidemark.cli.records;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Lines as bytes: split at line feeds and nowhere else, whatever else they hold. A last line without a line feed counts. One
 * that is longer than any record may be ends the reading, before it fills the memory.
 */
final class LineReader implements Closeable {
    /** No topic takes larger records. */
    static final int MAX_LINE_BYTES = 64 << 20;

    private static final int BUFFER_BYTES = 64 << 10;

    private final InputStream in;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int at;
    private int limit;
    private final ByteArrayOutputStream partial = new ByteArrayOutputStream();
    private final int maxLineBytes;
    private long number;

    LineReader(InputStream in) {
        this(in, MAX_LINE_BYTES);
    }

    LineReader(InputStream in, int maxLineBytes) {
        this.in = in;
        this.maxLineBytes = maxLineBytes;
    }

    /**
     * The next line without its line feed, or null at the end.
     *
     * @throws IOException if it cannot be read, or is too long
     */
    byte @Nullable [] next() throws IOException {
        partial.reset();
        number++;
        boolean any = false;
        while (true) {
            if (at == limit) {
                limit = in.read(buffer);
                at = 0;
                if (limit < 0) {
                    limit = 0;
                    return any ? partial.toByteArray() : null;
                }
            }
            any = true;
            int end = at;
            while (end < limit && buffer[end] != '\n') {
                end++;
            }
            append(end);
            boolean complete = end < limit;
            at = complete ? end + 1 : end;
            if (complete) {
                return partial.toByteArray();
            }
        }
    }

    private void append(int end) throws IOException {
        if (partial.size() + (end - at) > maxLineBytes) {
            throw new IOException("line " + number + " is longer than " + maxLineBytes + " bytes");
        }
        partial.write(buffer, at, end - at);
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
