package io.tidemark.sim.run;

import io.tidemark.replication.partition.Partition;
import io.tidemark.replication.partition.PartitionView;
import io.tidemark.sim.SimCluster;
import java.util.List;

/** Counts the leaders that a partition has had; looks after each event. */
final class LeaderWatch {
    private final SimCluster cluster;
    private final List<Integer> brokers;
    private int highestEpoch = -1;
    private int leaders;

    LeaderWatch(SimCluster cluster) {
        this.cluster = cluster;
        this.brokers = cluster.brokerIds();
    }

    void look() {
        for (int id : brokers) {
            Partition partition = cluster.partitionOf(id).orElse(null);
            if (partition != null) {
                look(partition.view());
            }
        }
    }

    private void look(PartitionView view) {
        if (view.leaderEpoch() > highestEpoch && view.role() == PartitionView.Role.LEADER) {
            highestEpoch = view.leaderEpoch();
            leaders++;
        }
    }

    /** Leaders after the first one. */
    int changes() {
        return Math.max(0, leaders - 1);
    }
}
