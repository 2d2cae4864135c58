package io.tidemark.core.log.cleaner;

import io.tidemark.runtime.Clock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Keeps what is read and written below a rate, all threads together: whoever has moved bytes is told how long to rest. Thread-safe.
 */
final class IoThrottle {
    private static final double NS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final Clock clock;
    private final long maxBytesPerSecond;
    private long paidUntilNs;

    /**
     * @param maxBytesPerSecond {@link Long#MAX_VALUE} for no limit
     */
    IoThrottle(Clock clock, long maxBytesPerSecond) {
        this.clock = clock;
        this.maxBytesPerSecond = maxBytesPerSecond;
        this.paidUntilNs = clock.monotonicNs();
    }

    /** Counts bytes that were moved; answers how long to move none. */
    synchronized Duration charge(long bytes) {
        if (maxBytesPerSecond == Long.MAX_VALUE || bytes == 0) {
            return Duration.ZERO;
        }
        long nowNs = clock.monotonicNs();
        long startNs = paidUntilNs - nowNs > 0 ? paidUntilNs : nowNs;
        paidUntilNs = startNs + (long) (bytes * NS_PER_SECOND / maxBytesPerSecond);
        return Duration.ofNanos(paidUntilNs - nowNs);
    }
}
