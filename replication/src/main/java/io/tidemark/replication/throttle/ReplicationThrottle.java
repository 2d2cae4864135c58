package io.tidemark.replication.throttle;

import io.tidemark.model.TopicPartition;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * One broker's limit for copying given replicas (REQUIREMENTS scenario 52, OPERATIONS 1.3): a rate for all that it sends to
 * throttled followers together, and the same rate for all that its own throttled replicas receive. It belongs to a
 * reassignment and ends with it; there are no configuration keys for it.
 *
 * <p>Who is throttled is the caller's to refine: a leader never leaves out a follower that its high watermark waits for, and a
 * follower asks without limit once it is a member or has all that is committed.
 *
 * <p>Thread-safe; never blocks. Time is an argument, by the monotonic clock. Not durable: whoever sets it sets it again after
 * a start.
 */
public final class ReplicationThrottle {
    private final int localBrokerId;
    private final ThrottleLane outgoing = new ThrottleLane();
    private final ThrottleLane incoming = new ThrottleLane();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile Setting setting = Setting.NONE;

    /** What was set, with what concerns this broker's own replicas taken out of it. */
    private record Setting(long bytesPerSecond, ThrottledReplicas replicas, SortedSet<TopicPartition> received) {
        private static final Setting NONE = new Setting(0, ThrottledReplicas.NONE, new TreeSet<>());
    }

    /** Throttles nothing until it is told to. */
    public ReplicationThrottle(int localBrokerId) {
        this.localBrokerId = localBrokerId;
    }

    /** Told of every change, after it, on the thread that made it; returns at once. */
    public void listen(Runnable onChange) {
        listeners.add(onChange);
    }

    /**
     * Sets the throttle, changes it, or, with no replicas, removes it. Takes effect at once: what waits is looked at
     * again, and a debt of bytes stays one under another rate.
     *
     * @param bytesPerSecond for each direction, at least 1
     */
    public void limit(long bytesPerSecond, ThrottledReplicas replicas, long nowNs) {
        if (replicas.followers().isEmpty()) {
            lift();
            return;
        }
        synchronized (this) {
            outgoing.limit(bytesPerSecond, nowNs);
            incoming.limit(bytesPerSecond, nowNs);
            setting = new Setting(bytesPerSecond, replicas, replicas.of(localBrokerId));
        }
        listeners.forEach(Runnable::run);
    }

    /** Removes the throttle. */
    public void lift() {
        synchronized (this) {
            setting = Setting.NONE;
            outgoing.lift();
            incoming.lift();
        }
        listeners.forEach(Runnable::run);
    }

    /** Whether that follower's replica is throttled, whatever its part in the in-sync set. One volatile read. */
    public boolean covers(TopicPartition partition, int followerId) {
        return setting.replicas.contains(partition, followerId);
    }

    /** This broker's own replicas that are throttled. One volatile read. */
    public SortedSet<TopicPartition> received() {
        return setting.received;
    }

    /** To throttled followers. */
    public ThrottleLane outgoing() {
        return outgoing;
    }

    /** To this broker's own throttled replicas. */
    public ThrottleLane incoming() {
        return incoming;
    }

    /** The rate in force, or 0. */
    public long bytesPerSecond() {
        return setting.bytesPerSecond;
    }
}
