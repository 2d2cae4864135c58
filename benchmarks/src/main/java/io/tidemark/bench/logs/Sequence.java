package io.tidemark.bench.logs;

/** Numbers without order, the same in each run: the upper bits of Knuth's 64-bit linear congruential generator. */
final class Sequence {
    private static final long MULTIPLIER = 6364136223846793005L;
    private static final long INCREMENT = 1442695040888963407L;
    private static final int DROPPED_BITS = 33;

    private long state;

    Sequence(long seed) {
        this.state = seed;
    }

    /** From 0 to below {@code bound}. */
    int next(int bound) {
        state = state * MULTIPLIER + INCREMENT;
        return (int) ((state >>> DROPPED_BITS) % bound);
    }
}
