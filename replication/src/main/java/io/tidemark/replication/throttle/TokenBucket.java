package io.tidemark.replication.throttle;

import java.util.concurrent.TimeUnit;

/**
 * A rate of bytes, kept over time. Pure: time is an argument, by any monotonic clock that never runs backwards. Not
 * thread-safe.
 *
 * <p>Whole batches pass or do not, so what passes may take more than is there: the bucket is open as soon as it holds
 * anything, and what was taken too much is a debt that keeps it shut until it is paid. All that is remembered is the moment up to
 * which everything that passed is paid for:
 *
 * <pre>
 * open at t           | paid until is not after t
 * n bytes pass at t   | paid until = max(paid until, t - burst) + n / rate
 * rate a becomes b    | a debt of bytes stays what it is: (paid until - t) * a / b
 * </pre>
 *
 * <p>A new bucket is empty and without debt. One that was not used saves up no more than {@link #BURST_NS} of its rate.
 */
final class TokenBucket {
    /** Long enough to make up for a late timer and the way to a peer, and no burst that anyone would notice. */
    static final long BURST_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final double NS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    /** Longer debts are cut: over two years, in which nobody waits for a rate. */
    private static final double LONGEST_DEBT_NS = TimeUnit.DAYS.toNanos(1_000);

    private long bytesPerSecond;
    private long paidUntilNs;
    private long shutNs;

    TokenBucket(long bytesPerSecond, long nowNs) {
        this.bytesPerSecond = checked(bytesPerSecond);
        this.paidUntilNs = nowNs;
    }

    private static long checked(long bytesPerSecond) {
        if (bytesPerSecond < 1) {
            throw new IllegalArgumentException("a rate must be positive: " + bytesPerSecond + " bytes per second");
        }
        return bytesPerSecond;
    }

    long bytesPerSecond() {
        return bytesPerSecond;
    }

    /** Whether anything may pass once {@code underWayBytes} have passed that were not taken yet. */
    boolean isOpen(long nowNs, long underWayBytes) {
        return after(nowNs, underWayBytes) - nowNs <= 0;
    }

    /** The bytes pass, whether there was room for them or not. */
    void take(long bytes, long nowNs) {
        moveTo(after(nowNs, bytes), nowNs);
    }

    /** When it is open next if nothing passes meanwhile; a moment that has passed if it is open. */
    long opensAtNs() {
        return paidUntilNs;
    }

    /** Another rate from now on. */
    void rate(long newBytesPerSecond, long nowNs) {
        checked(newBytesPerSecond);
        long debtNs = paidUntilNs - nowNs;
        if (debtNs > 0) {
            double scaledNs = debtNs * ((double) bytesPerSecond / newBytesPerSecond);
            moveTo(nowNs + (long) Math.min(LONGEST_DEBT_NS, Math.ceil(scaledNs)), nowNs);
        }
        bytesPerSecond = newBytesPerSecond;
    }

    /** What may pass at once without more than a burst's debt; at least 1. */
    int chunkBytes() {
        return (int) Math.max(1, Math.min(Integer.MAX_VALUE, bytesPerSecond / NS_PER_SECOND * BURST_NS));
    }

    /** For how long it has been shut so far, what it is known to be yet included. */
    long shutNs() {
        return shutNs;
    }

    private long after(long nowNs, long bytes) {
        long debtNs = Math.max(-BURST_NS, paidUntilNs - nowNs);
        double costNs = Math.ceil(bytes * NS_PER_SECOND / bytesPerSecond);
        return nowNs + (long) Math.min(LONGEST_DEBT_NS, debtNs + costNs);
    }

    private void moveTo(long newPaidUntilNs, long nowNs) {
        shutNs += Math.max(0, newPaidUntilNs - nowNs) - Math.max(0, paidUntilNs - nowNs);
        paidUntilNs = newPaidUntilNs;
    }
}
