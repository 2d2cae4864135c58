package io.tidemark.runtime;

/** A source of random numbers that a test can seed. Thread-safe. */
public interface Randomness {
    /** A uniform number in {@code [0, boundExclusive)}; {@code boundExclusive} is positive. */
    int nextInt(int boundExclusive);

    /** A uniform 64-bit number. */
    long nextLong();
}
