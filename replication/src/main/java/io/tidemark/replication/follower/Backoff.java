package io.tidemark.replication.follower;

import io.tidemark.runtime.Randomness;
import java.time.Duration;

/**
 * Pauses that double with each failure up to a limit, half of each random, so that the fetchers of a cluster do not come
 * back in step (grpc-java#6473).
 */
final class Backoff {
    private static final int MAX_DOUBLINGS = 30;

    private final long minNs;
    private final long maxNs;
    private final Randomness randomness;

    Backoff(Duration min, Duration max, Randomness randomness) {
        this.minNs = min.toNanos();
        this.maxNs = max.toNanos();
        this.randomness = randomness;
    }

    /** The pause after {@code failures} in a row, of which there is at least one. */
    long pauseNs(int failures) {
        int doublings = Math.min(failures - 1, MAX_DOUBLINGS);
        long doubled = minNs > maxNs >> doublings ? maxNs : minNs << doublings;
        return jittered(doubled);
    }

    /** The longest pause: for what only news from elsewhere can change. */
    long longestNs() {
        return jittered(maxNs);
    }

    private long jittered(long pauseNs) {
        long half = pauseNs / 2;
        long randomPart = Math.floorMod(randomness.nextLong(), pauseNs - half + 1);
        return half + randomPart;
    }
}
