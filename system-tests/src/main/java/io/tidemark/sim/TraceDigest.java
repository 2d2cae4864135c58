package io.tidemark.sim;

/** A number that stands for everything that it was told, in its order: two runs that differ anywhere differ here. */
final class TraceDigest {
    private static final long FACTOR = 0x9E3779B97F4A7C15L;

    private long state = FACTOR;

    void add(long value) {
        long mixed = (state ^ value) * FACTOR;
        state = mixed ^ (mixed >>> 29);
    }

    long value() {
        return state;
    }
}
