package io.tidemark.core.log.segment;

import io.tidemark.core.io.FileHandle;
import java.nio.ByteBuffer;
import java.util.function.IntFunction;

/** A file in memory that can only be read, and counts what is read of it. */
final class CountedFile implements FileHandle {
    private final IntFunction<ByteBuffer> content;
    private int reads;
    private long readBytes;

    CountedFile(ByteBuffer content) {
        this(read -> content);
    }

    /** @param content at each read, of which the first is 1 */
    CountedFile(IntFunction<ByteBuffer> content) {
        this.content = content;
    }

    long readBytes() {
        return readBytes;
    }

    int sizeBytes() {
        return content.apply(reads).limit();
    }

    void flip(int position, int bits) {
        ByteBuffer now = content.apply(reads);
        now.put(position, (byte) (now.get(position) ^ bits));
    }

    @Override
    public int read(ByteBuffer target, long position) {
        reads++;
        ByteBuffer now = content.apply(reads);
        int count = (int) Math.min(target.remaining(), now.limit() - position);
        target.put(now.slice((int) position, count));
        readBytes += count;
        return count;
    }

    @Override
    public long size() {
        return sizeBytes();
    }

    @Override
    public void append(ByteBuffer... buffers) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void truncate(long sizeBytes) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void force() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
}
