package io.tidemark.client.net;

import io.tidemark.runtime.Randomness;

/** Draws the middle of every range: pauses are as long as they are on average. */
public final class NoJitter implements Randomness {
    @Override
    public int nextInt(int boundExclusive) {
        return boundExclusive / 2;
    }

    @Override
    public long nextLong() {
        return 1;
    }
}
