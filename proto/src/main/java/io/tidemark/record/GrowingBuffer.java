package io.tidemark.record;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/** A heap buffer that doubles when it is full; also a stream, for compressors to write to. Not thread-safe. */
final class GrowingBuffer extends OutputStream {
    /** The longest array that every JVM can make. */
    static final int MAX_BYTES = Integer.MAX_VALUE - 8;

    private ByteBuffer buffer;

    GrowingBuffer(int initialBytes) {
        this.buffer = ByteBuffer.allocate(initialBytes);
    }

    /** The buffer, with room for {@code extraBytes} at its position; valid until the next call. */
    ByteBuffer withRoom(int extraBytes) {
        if (extraBytes > buffer.remaining()) {
            grow(extraBytes);
        }
        return buffer;
    }

    private void grow(int extraBytes) {
        long needed = (long) buffer.position() + extraBytes;
        if (needed > MAX_BYTES) {
            throw new IllegalStateException("a buffer of " + needed + " bytes is too long for an array");
        }
        int capacity = (int) Math.min(MAX_BYTES, Math.max(needed, 2L * buffer.capacity()));
        buffer = ByteBuffer.allocate(capacity).put(buffer.flip());
    }

    /** Bytes written so far. */
    int sizeBytes() {
        return buffer.position();
    }

    /** The buffer as it is now; shares the bytes and the position. */
    ByteBuffer buffer() {
        return buffer;
    }

    /** Copies the bytes from {@code from} to the position into {@code target}. */
    void copyTo(OutputStream target, int from) throws IOException {
        target.write(buffer.array(), buffer.arrayOffset() + from, buffer.position() - from);
    }

    @Override
    public void write(int value) {
        withRoom(1).put((byte) value);
    }

    @Override
    public void write(byte[] source, int offset, int length) {
        withRoom(length).put(source, offset, length);
    }
}
