package io.tidemark.server.rpc;

import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.LocalReplicas;
import io.tidemark.replication.partition.OffsetLookup;

/** Where partitions begin and end, as this broker knows. Thread-safe; never blocks. */
@FunctionalInterface
public interface OffsetsPort {
    /** @param clientLeaderEpoch that the client knows, or -1 */
    OffsetLookup lookup(TopicPartition partition, OffsetLookup.Which which, int clientLeaderEpoch);

    /** Asks this broker's replicas. */
    static OffsetsPort of(LocalReplicas replicas) {
        return (name, which, epoch) -> replicas.partition(name)
                .map(partition -> partition.lookup(which, epoch))
                .orElseGet(() -> new OffsetLookup.Refused(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, -1, -1));
    }
}
