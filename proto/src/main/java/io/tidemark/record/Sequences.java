package io.tidemark.record;

/** Arithmetic on sequence numbers, which run from 0 to 2^31-1 and wrap to 0 (KAFKA-7692). */
public final class Sequences {
    private Sequences() {}

    /** {@code sequence + increment} with wrap-around; both are at least 0. */
    public static int plus(int sequence, int increment) {
        return sequence > Integer.MAX_VALUE - increment
                ? increment - (Integer.MAX_VALUE - sequence) - 1
                : sequence + increment;
    }

    /** The sequence that follows {@code sequence}. */
    public static int next(int sequence) {
        return plus(sequence, 1);
    }
}
