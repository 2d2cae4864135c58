package io.tidemark.client.producer;

import java.nio.ByteBuffer;

/** The 32-bit murmur2 hash with the seed and the sign rule of Kafka's default partitioner, so that keys go where they went. */
public final class Murmur2 {
    private static final int SEED = 0x9747b28c;
    private static final int MULTIPLIER = 0x5bd1e995;
    private static final int SHIFT = 24;

    private Murmur2() {}

    /** The partition of a key among {@code partitions}. */
    public static int partition(ByteBuffer key, int partitions) {
        return (hash(key) & Integer.MAX_VALUE) % partitions;
    }

    static int hash(ByteBuffer key) {
        int length = key.remaining();
        int start = key.position();
        int h = SEED ^ length;
        int words = length / Integer.BYTES;
        for (int i = 0; i < words; i++) {
            int at = start + i * Integer.BYTES;
            int k = byteAt(key, at) | byteAt(key, at + 1) << 8 | byteAt(key, at + 2) << 16 | byteAt(key, at + 3) << 24;
            k *= MULTIPLIER;
            k ^= k >>> SHIFT;
            k *= MULTIPLIER;
            h *= MULTIPLIER;
            h ^= k;
        }
        return finish(tail(key, start + words * Integer.BYTES, length % Integer.BYTES, h));
    }

    private static int tail(ByteBuffer key, int at, int left, int hash) {
        if (left == 0) {
            return hash;
        }
        int h = hash;
        for (int i = left - 1; i >= 0; i--) {
            h ^= byteAt(key, at + i) << (i * Byte.SIZE);
        }
        return h * MULTIPLIER;
    }

    private static int finish(int hash) {
        int h = hash;
        h ^= h >>> 13;
        h *= MULTIPLIER;
        h ^= h >>> 15;
        return h;
    }

    private static int byteAt(ByteBuffer key, int at) {
        return key.get(at) & 0xff;
    }
}
