package io.tidemark.server.metrics;

import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicState;
import io.tidemark.replication.partition.Partition;
import io.tidemark.server.metadata.ClusterView;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What is counted over partitions, in one pass over this broker's replicas and one over the cluster's state: the cost of a
 * scrape. Pure.
 */
final class Census {
    /** Over this broker's replicas. */
    int replicas;

    int leaders;
    int underReplicated;
    int underMinIsr;
    int atMinIsr;
    int corrupt;
    final Map<Path, Long> bytesByDirectory = new TreeMap<>();

    /** Over all partitions of the cluster. */
    int offlinePartitions;

    int offlineReplicas;
    int notPreferred;

    private Census() {}

    static Census of(List<Partition> replicas, ClusterView cluster) {
        Census census = new Census();
        replicas.forEach(census::count);
        for (TopicState topic : cluster.topics().values()) {
            for (PartitionState state : topic.partitions().values()) {
                census.count(state, cluster);
            }
        }
        return census;
    }

    private void count(Partition replica) {
        replicas++;
        corrupt += replica.log().damage().isPresent() ? 1 : 0;
        bytesByDirectory.merge(replica.log().logDirectory(), replica.log().sizeBytes(), Long::sum);
        Optional<PartitionState> known = replica.state();
        if (known.isEmpty() || !replica.view().leadsIn(known.get().leaderEpoch())) {
            return;
        }
        PartitionState state = known.get();
        leaders++;
        int inSync = state.isr().size();
        underReplicated += inSync < state.replicas().size() ? 1 : 0;
        underMinIsr += inSync < state.effectiveMinIsr() ? 1 : 0;
        atMinIsr += inSync == state.effectiveMinIsr() ? 1 : 0;
    }

    private void count(PartitionState state, ClusterView cluster) {
        if (!state.hasLeader()) {
            offlinePartitions++;
        } else if (!state.replicas().isEmpty() && state.replicas().get(0) != state.leader()) {
            notPreferred++;
        }
        for (int replica : state.replicas()) {
            offlineReplicas += cluster.brokers().containsKey(replica) ? 0 : 1;
        }
    }
}
