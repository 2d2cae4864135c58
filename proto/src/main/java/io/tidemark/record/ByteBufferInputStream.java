package io.tidemark.record;

import java.io.InputStream;
import java.nio.ByteBuffer;

/** The remaining bytes of a buffer as a stream; moves the buffer's position. Not thread-safe. */
final class ByteBufferInputStream extends InputStream {
    private final ByteBuffer buffer;

    ByteBufferInputStream(ByteBuffer buffer) {
        this.buffer = buffer;
    }

    @Override
    public int read() {
        return buffer.hasRemaining() ? buffer.get() & 0xff : -1;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
        if (length == 0) {
            return 0;
        }
        if (!buffer.hasRemaining()) {
            return -1;
        }
        int size = Math.min(length, buffer.remaining());
        buffer.get(target, offset, size);
        return size;
    }

    @Override
    public int available() {
        return buffer.remaining();
    }
}
