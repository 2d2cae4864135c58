package io.tidemark.cli.records;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Lines as bytes: split at line feeds and nowhere else, whatever else they hold. A last line without a line feed counts.
 */
final class LineReader implements Closeable {
    private static final int BUFFER_BYTES = 64 << 10;

    private final InputStream in;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int at;
    private int limit;
    private byte[] partial = new byte[0];

    LineReader(InputStream in) {
        this.in = in;
    }

    /** The next line without its line feed, or null at the end. */
    byte @Nullable [] next() throws IOException {
        partial = new byte[0];
        boolean any = false;
        while (true) {
            if (at == limit) {
                limit = in.read(buffer);
                at = 0;
                if (limit < 0) {
                    limit = 0;
                    return any ? partial : null;
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
                return partial;
            }
        }
    }

    private void append(int end) {
        int before = partial.length;
        partial = Arrays.copyOf(partial, before + end - at);
        System.arraycopy(buffer, at, partial, before, end - at);
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
