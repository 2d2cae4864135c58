package io.tidemark.bench.pauses;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** How long appends took. For one thread. */
final class Latencies {
    private static final long LONGEST_NS = TimeUnit.MINUTES.toNanos(2);
    private static final int DIGITS = 3;
    private static final double NS_PER_MS = 1e6;

    private final Histogram fromDue = new Histogram(LONGEST_NS, DIGITS);
    private final Histogram inCall = new Histogram(LONGEST_NS, DIGITS);

    /**
     * An append.
     *
     * @param fromDueNs from when it was due: what waited behind a slow one counts as slow
     * @param inCallNs of the call alone
     */
    void record(long fromDueNs, long inCallNs) {
        fromDue.recordValue(Math.min(LONGEST_NS, Math.max(0, fromDueNs)));
        inCall.recordValue(Math.min(LONGEST_NS, Math.max(0, inCallNs)));
    }

    /** Adds what others took. */
    void add(Latencies other) {
        fromDue.add(other.fromDue);
        inCall.add(other.inCall);
    }

    long count() {
        return fromDue.getTotalCount();
    }

    /** From when it was due, what so many percent did not exceed. */
    double fromDueMs(double percent) {
        return fromDue.getValueAtPercentile(percent) / NS_PER_MS;
    }

    /** Of the call alone. */
    double inCallMs(double percent) {
        return inCall.getValueAtPercentile(percent) / NS_PER_MS;
    }
}
