package io.tidemark.server.boot;

import io.tidemark.model.ClusterUpdate;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicPartition;
import io.tidemark.model.TopicState;
import java.util.SortedSet;
import java.util.TreeSet;

/** Which partitions this broker holds without being in their in-sync sets, by what controllers told it. Pure. */
final class InSyncCensus {
    private final int brokerId;
    private final SortedSet<TopicPartition> outside = new TreeSet<>();

    InSyncCensus(int brokerId) {
        this.brokerId = brokerId;
    }

    /** Takes over an update; answers how many partitions the broker is assigned to and not in sync with. */
    int observe(ClusterUpdate update) {
        if (update.full()) {
            outside.clear();
        }
        update.deletedTopics()
                .forEach(deleted ->
                        outside.removeIf(partition -> partition.topic().equals(deleted.name())));
        for (TopicState topic : update.topics()) {
            topic.partitions().values().forEach(this::observe);
        }
        return outside.size();
    }

    private void observe(PartitionState state) {
        if (state.isReplica(brokerId) && !state.inIsr(brokerId)) {
            outside.add(state.partition());
        } else {
            outside.remove(state.partition());
        }
    }
}
