package io.tidemark.record;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.xerial.snappy.Snappy;
import org.xerial.snappy.SnappyCodec;

/**
 * Decompresses snappy as producers write it: snappy-java's stream, or one block without any framing (librdkafka).
 *
 * <p>The library's own stream believes the lengths that it reads, so that ten bytes can make it allocate two gigabytes;
 * this one checks them against what is there first. Not thread-safe; holds no native memory.
 *
 * <pre>
 * magic 8 bytes (0x82 "SNAPPY" 0) | version int32 | compatible version int32 | { length int32 | block } ...
 * </pre>
 */
final class SnappyBlocks extends InputStream {
    /** A block's densest element is a copy of 64 bytes coded in 3, so no honest block grows more than this. */
    private static final int MAX_RATIO = 22;

    private final ByteBuffer source;
    private final boolean framed;
    private byte[] compressed = new byte[0];
    private byte[] block = new byte[0];
    private int next;
    private int end;

    SnappyBlocks(ByteBuffer source) throws IOException {
        this.source = source;
        this.framed = startsWithMagic(source);
        if (framed) {
            if (source.remaining() < SnappyCodec.headerSize()) {
                throw new IOException("the snappy stream's header is cut off");
            }
            source.position(source.position() + SnappyCodec.headerSize());
        }
    }

    private static boolean startsWithMagic(ByteBuffer source) {
        byte[] magic = SnappyCodec.getMagicHeader();
        return source.remaining() >= magic.length
                && source.slice(source.position(), magic.length).equals(ByteBuffer.wrap(magic));
    }

    @Override
    public int read() throws IOException {
        return next < end || nextBlock() ? block[next++] & 0xff : -1;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (next == end && !nextBlock()) {
            return -1;
        }
        int size = Math.min(length, end - next);
        System.arraycopy(block, next, target, offset, size);
        next += size;
        return size;
    }

    /** Decompresses the next block that is not empty; false at the end. */
    private boolean nextBlock() throws IOException {
        next = 0;
        end = 0;
        while (end == 0 && source.hasRemaining()) {
            end = decompress(framed ? blockLength() : source.remaining());
        }
        return end > 0;
    }

    private int blockLength() throws IOException {
        if (source.remaining() < Integer.BYTES) {
            throw new IOException("the length of a snappy block is cut off");
        }
        int length = source.getInt();
        if (length <= 0 || length > source.remaining()) {
            throw new IOException("a snappy block of " + length + " bytes, of which " + source.remaining() + " follow");
        }
        return length;
    }

    private int decompress(int length) throws IOException {
        compressed = withCapacity(compressed, length);
        source.get(compressed, 0, length);
        int size = Snappy.uncompressedLength(compressed, 0, length);
        if (size < 0 || size > (long) MAX_RATIO * length) {
            throw new IOException("a snappy block of " + length + " bytes claims to hold " + size);
        }
        block = withCapacity(block, size);
        return Snappy.uncompress(compressed, 0, length, block, 0);
    }

    private static byte[] withCapacity(byte[] array, int capacity) {
        return array.length >= capacity ? array : new byte[capacity];
    }
}
