package io.tidemark.core.testkit;

import io.tidemark.runtime.Randomness;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Random numbers that a seed decides: the SplitMix64 generator (Steele, Lea, Flood 2014), whose state is a counter and
 * whose output is a mix of it. {@link #toString()} prints the seed; a test prints it when it fails. Thread-safe, but
 * only one thread at a time gives the same sequence again.
 */
public final class SeededRandomness implements Randomness {
    private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;
    private static final long FNV_OFFSET = 0xCBF29CE484222325L;
    private static final long FNV_PRIME = 0x100000001B3L;

    private final long seed;
    private final AtomicLong state;

    public SeededRandomness(long seed) {
        this.seed = seed;
        this.state = new AtomicLong(seed);
    }

    /** The seed that gives this sequence again. */
    public long seed() {
        return seed;
    }

    @Override
    public long nextLong() {
        return mix(state.addAndGet(GOLDEN_GAMMA));
    }

    @Override
    public int nextInt(int boundExclusive) {
        if (boundExclusive <= 0) {
            throw new IllegalArgumentException("a bound is positive: " + boundExclusive);
        }
        // Numbers from the incomplete last interval are drawn again, or small results would be favoured.
        long bits = nextLong() >>> 1;
        long value = bits % boundExclusive;
        while (bits - value + (boundExclusive - 1) < 0) {
            bits = nextLong() >>> 1;
            value = bits % boundExclusive;
        }
        return (int) value;
    }

    /** True once in {@code n} on average. */
    public boolean oneIn(int n) {
        return nextInt(n) == 0;
    }

    /** {@code sizeBytes} random bytes. */
    public byte[] nextBytes(int sizeBytes) {
        byte[] bytes = new byte[sizeBytes];
        for (int i = 0; i < sizeBytes; i++) {
            bytes[i] = (byte) nextLong();
        }
        return bytes;
    }

    /** One element of a list that is not empty. */
    public <T> T pick(List<T> list) {
        return list.get(nextInt(list.size()));
    }

    /**
     * A generator of its own for one part of a run. It depends on this one's seed and the label alone, not on how many
     * numbers were drawn: a change in one part leaves the random choices of the others as they were.
     */
    public SeededRandomness fork(String label) {
        long hash = FNV_OFFSET;
        for (int i = 0; i < label.length(); i++) {
            hash = (hash ^ label.charAt(i)) * FNV_PRIME;
        }
        return new SeededRandomness(mix(mix(seed + GOLDEN_GAMMA) ^ hash));
    }

    private static long mix(long counter) {
        long z = (counter ^ (counter >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    @Override
    public String toString() {
        return "seed " + seed + "L";
    }
}
