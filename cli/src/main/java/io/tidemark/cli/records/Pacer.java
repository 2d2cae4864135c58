package io.tidemark.cli.records;

import io.tidemark.runtime.Clock;
import java.util.concurrent.locks.LockSupport;

/** Holds a sender to a rate: record number n is due n / rate after the start. */
public final class Pacer {
    private static final double NANOS = 1e9;

    private final Clock clock;
    private final double perSecond;
    private final long startNs;
    private long count;

    /** @param perSecond at most so many; 0 or less for no limit */
    public Pacer(Clock clock, double perSecond) {
        this.clock = clock;
        this.perSecond = perSecond;
        this.startNs = clock.monotonicNs();
    }

    /** Waits until the next record is due; returns when it was due, by the monotonic clock. */
    public long awaitNext() {
        if (perSecond <= 0) {
            return clock.monotonicNs();
        }
        long dueNs = startNs + (long) (count / perSecond * NANOS);
        count++;
        long leftNs = dueNs - clock.monotonicNs();
        while (leftNs > 0 && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(leftNs);
            leftNs = dueNs - clock.monotonicNs();
        }
        return dueNs;
    }
}
