package io.tidemark.runtime;

import java.security.SecureRandom;

/**
 * Random numbers that nobody can guess, from the operating system. For ids, nonces and jitter: a call costs about a
 * microsecond, so nothing draws per record.
 */
public final class SystemRandomness implements Randomness {
    private final SecureRandom random = new SecureRandom();

    @Override
    public int nextInt(int boundExclusive) {
        return random.nextInt(boundExclusive);
    }

    @Override
    public long nextLong() {
        return random.nextLong();
    }
}
