package io.tidemark.replication;

import io.tidemark.model.TopicPartition;
import io.tidemark.replication.partition.Partition;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The replicas of this broker by partition: written by {@link ReplicaManager}, read by everyone. Thread-safe; looking one up
 * takes no lock.
 */
public final class PartitionTable {
    private final ConcurrentMap<TopicPartition, Partition> byName = new ConcurrentHashMap<>();
    private @Nullable List<Partition> ordered;

    /** The replica of the partition, with or without a role. */
    public Optional<Partition> find(TopicPartition partition) {
        return Optional.ofNullable(byName.get(partition));
    }

    /** All replicas as of now, ordered by partition. */
    public synchronized List<Partition> all() {
        List<Partition> all = ordered;
        if (all == null) {
            all = byName.values().stream()
                    .sorted(Comparator.comparing(Partition::partition))
                    .toList();
            ordered = all;
        }
        return all;
    }

    synchronized void put(Partition partition) {
        byName.put(partition.partition(), partition);
        ordered = null;
    }

    synchronized void remove(TopicPartition partition) {
        byName.remove(partition);
        ordered = null;
    }
}
