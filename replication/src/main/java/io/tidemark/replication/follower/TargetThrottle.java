package io.tidemark.replication.follower;

import io.tidemark.model.TopicPartition;
import io.tidemark.replication.throttle.ReplicationThrottle;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The follower's side of the throttle (scenario 52): which partitions a fetcher does not ask for now. Time is an argument.
 */
final class TargetThrottle {
    private final ReplicationThrottle throttle;
    private final Predicate<TopicPartition> isMember;

    /** @param isMember whether this broker is in the in-sync set, as far as it knows: a member asks without limit */
    TargetThrottle(ReplicationThrottle throttle, Predicate<TopicPartition> isMember) {
        this.throttle = throttle;
        this.isMember = isMember;
    }

    /** Whether the partition is asked for only while there are tokens. */
    boolean limits(TopicPartition partition) {
        return throttle.received().contains(partition) && !isMember.test(partition);
    }

    /** Partitions that may be limited; whoever cares asks {@link #limits}. None while there are tokens. */
    SortedSet<TopicPartition> shut(long nowNs) {
        SortedSet<TopicPartition> received = throttle.received();
        return received.isEmpty() || throttle.incoming().isOpen(nowNs, 0) ? new TreeSet<>() : received;
    }

    /** When there are tokens again; {@code nowNs} if there are some. */
    long opensAtNs(long nowNs) {
        return throttle.incoming().opensAtNs(nowNs);
    }

    /** Bytes of limited partitions arrived. */
    void received(long bytes, long nowNs) {
        throttle.incoming().passed(bytes, nowNs);
    }
}
