package io.tidemark.coordination.cluster;

import io.tidemark.model.ClusterUpdate;
import io.tidemark.model.ClusterUpdate.DeletedTopic;
import io.tidemark.model.TopicState;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;

/** What pushes say of a state (DESIGN section 6, push contract). */
public final class ClusterUpdates {
    private ClusterUpdates() {}

    /** Everything, with the deletions that are under way. */
    public static ClusterUpdate full(ClusterState state, int controllerId) {
        List<TopicState> topics = state.topics().values().stream()
                .map(topic -> topic.model(topic.partitions().keySet()))
                .toList();
        return new ClusterUpdate(
                true,
                state.reachable(),
                controllerId,
                topics,
                state.deletions().values().stream().map(Deletion::command).toList());
    }

    /**
     * The partitions named, as they are in {@code state}; those that are gone meanwhile are left out.
     *
     * @param partitions numbers by topic
     */
    public static ClusterUpdate changes(
            ClusterState state,
            int controllerId,
            SortedMap<String, SortedSet<Integer>> partitions,
            List<DeletedTopic> deletions) {
        List<TopicState> topics = new ArrayList<>();
        partitions.forEach((name, wanted) -> {
            Topic topic = state.topics().get(name);
            if (topic != null) {
                topics.add(topic.model(wanted));
            }
        });
        return new ClusterUpdate(false, state.reachable(), controllerId, topics, deletions);
    }
}
