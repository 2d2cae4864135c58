package io.tidemark.replication.throttle;

import org.jspecify.annotations.Nullable;

/**
 * One direction of a broker's throttle: all that it sends to throttled followers, or all that its own throttled replicas
 * receive. Thread-safe; time is an argument.
 */
public final class ThrottleLane {
    /** Null while there is no throttle. */
    private @Nullable TokenBucket bucket;

    private long passedBytes;
    private long shutBeforeNs;

    ThrottleLane() {}

    /** A rate from now on, the debt of an earlier one included. */
    synchronized void limit(long bytesPerSecond, long nowNs) {
        if (bucket == null) {
            bucket = new TokenBucket(bytesPerSecond, nowNs);
        } else {
            bucket.rate(bytesPerSecond, nowNs);
        }
    }

    /** No limit from now on; debts are forgotten. */
    synchronized void lift() {
        if (bucket != null) {
            shutBeforeNs += bucket.shutNs();
            bucket = null;
        }
    }

    /**
     * Whether a throttled replica may be copied now.
     *
     * @param underWayBytes that are about to pass and are not counted yet
     */
    public synchronized boolean isOpen(long nowNs, long underWayBytes) {
        return bucket == null || bucket.isOpen(nowNs, underWayBytes);
    }

    /** Bytes of throttled replicas went this way. */
    public synchronized void passed(long bytes, long nowNs) {
        passedBytes += bytes;
        if (bucket != null && bytes > 0) {
            bucket.take(bytes, nowNs);
        }
    }

    /**
     * When it is open next, by the monotonic clock; {@code nowNs} if it is open now.
     */
    public synchronized long opensAtNs(long nowNs) {
        return bucket == null || bucket.isOpen(nowNs, 0) ? nowNs : bucket.opensAtNs();
    }

    /** What is to be read at once for one replica, unless a single batch is larger. */
    public synchronized int chunkBytes() {
        return bucket == null ? Integer.MAX_VALUE : bucket.chunkBytes();
    }

    /** All that ever passed, for metrics. */
    public synchronized long passedBytes() {
        return passedBytes;
    }

    /** For how long nothing could pass, for metrics; what is known to come is included. */
    public synchronized long shutNs() {
        return shutBeforeNs + (bucket == null ? 0 : bucket.shutNs());
    }
}
