package io.tidemark.replication.throttle;

import io.tidemark.model.TopicPartition;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The replicas that are copied at a limited rate: those that a reassignment adds, never a member of an in-sync set
 * (OPERATIONS 1.3).
 *
 * @param followers by partition, the brokers that copy it under the throttle
 */
public record ThrottledReplicas(SortedMap<TopicPartition, SortedSet<Integer>> followers) {
    /** No replica is throttled. */
    public static final ThrottledReplicas NONE = new ThrottledReplicas(new TreeMap<>());

    public ThrottledReplicas {
        SortedMap<TopicPartition, SortedSet<Integer>> copy = new TreeMap<>();
        for (Map.Entry<TopicPartition, SortedSet<Integer>> each : followers.entrySet()) {
            copy.put(each.getKey(), Collections.unmodifiableSortedSet(new TreeSet<>(each.getValue())));
        }
        followers = Collections.unmodifiableSortedMap(copy);
    }

    /** Whether the replica of that broker is copied under the throttle. */
    public boolean contains(TopicPartition partition, int brokerId) {
        SortedSet<Integer> brokers = followers.get(partition);
        return brokers != null && brokers.contains(brokerId);
    }

    /** The partitions whose replica on that broker is copied under the throttle. */
    public SortedSet<TopicPartition> of(int brokerId) {
        SortedSet<TopicPartition> partitions = new TreeSet<>();
        for (TopicPartition partition : followers.keySet()) {
            if (contains(partition, brokerId)) {
                partitions.add(partition);
            }
        }
        return Collections.unmodifiableSortedSet(partitions);
    }
}
