package io.tidemark.core.testkit;

import io.tidemark.runtime.Clock;
import java.time.Duration;

/**
 * A clock that stands still until it is told otherwise. Its two hands move separately, so that a test can set the wall
 * clock back while timeouts go on (KAFKA-4051). Thread-safe.
 */
public final class ManualClock implements Clock {
    private long wallMs;
    private long monotonicNs;

    /** A clock at 2024-01-01T00:00Z whose monotonic hand shows 0. */
    public ManualClock() {
        this(1_704_067_200_000L, 0);
    }

    public ManualClock(long wallMs, long monotonicNs) {
        this.wallMs = wallMs;
        this.monotonicNs = monotonicNs;
    }

    @Override
    public synchronized long wallMs() {
        return wallMs;
    }

    @Override
    public synchronized long monotonicNs() {
        return monotonicNs;
    }

    /** Lets time pass: both hands move by {@code duration}, which is not negative. */
    public synchronized void advance(Duration duration) {
        advanceMonotonicTo(Math.addExact(monotonicNs, duration.toNanos()));
    }

    /**
     * Lets time pass until the monotonic hand shows {@code targetNs}; the wall hand moves by as much, in whole
     * milliseconds of monotonic time. Nothing happens if it is there already.
     */
    public synchronized void advanceMonotonicTo(long targetNs) {
        if (targetNs > monotonicNs) {
            wallMs += Math.floorDiv(targetNs, 1_000_000L) - Math.floorDiv(monotonicNs, 1_000_000L);
            monotonicNs = targetNs;
        }
    }

    /** Moves the wall hand alone, forwards or backwards. */
    public synchronized void shiftWall(Duration duration) {
        wallMs = Math.addExact(wallMs, duration.toMillis());
    }

    @Override
    public synchronized String toString() {
        return "ManualClock{wallMs=" + wallMs + ", monotonicNs=" + monotonicNs + "}";
    }
}
