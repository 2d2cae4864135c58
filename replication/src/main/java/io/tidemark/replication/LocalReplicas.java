package io.tidemark.replication;

import io.tidemark.core.runtime.StorageLatch;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.partition.Partition;
import java.util.Optional;
import java.util.function.Function;

/**
 * What request handlers have of this broker's replicas.
 *
 * @param find the replica of a partition; thread-safe, does not block
 * @param signals to be given what a step moved, after the step
 * @param storageFailures told of a disk failure before anything is answered; says whether there was one, on any thread
 */
public record LocalReplicas(
        Function<TopicPartition, Optional<Partition>> find, Signals signals, StorageLatch storageFailures) {
    /** The replica of the partition, if this broker has one. */
    public Optional<Partition> partition(TopicPartition partition) {
        return find.apply(partition);
    }
}
