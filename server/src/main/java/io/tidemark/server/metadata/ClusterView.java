package io.tidemark.server.metadata;

import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.ClusterUpdate;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicPartition;
import io.tidemark.model.TopicState;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The cluster as one immutable snapshot.
 *
 * @param controllerId broker id of the controller that spoke last, or -1
 * @param controllerEpoch of that controller
 * @param brokers live brokers
 * @param topics all topics by name
 */
public record ClusterView(
        int controllerId,
        int controllerEpoch,
        SortedMap<Integer, BrokerRegistration> brokers,
        SortedMap<String, TopicState> topics) {
    /** Before the controller has spoken. */
    public static final ClusterView EMPTY = new ClusterView(-1, -1, new TreeMap<>(), new TreeMap<>());

    public ClusterView {
        brokers = Collections.unmodifiableSortedMap(brokers);
        topics = Collections.unmodifiableSortedMap(topics);
    }

    /** The view after {@code update}: replaced when it is full, else merged partition by partition. */
    ClusterView after(ClusterUpdate update, int fromControllerEpoch) {
        SortedMap<String, TopicState> next = update.full() ? new TreeMap<>() : new TreeMap<>(topics);
        for (ClusterUpdate.DeletedTopic deleted : update.deletedTopics()) {
            TopicState known = next.get(deleted.name());
            if (known != null && known.id().equals(deleted.id())) {
                next.remove(deleted.name());
            }
        }
        update.topics().forEach(topic -> next.merge(topic.name(), topic, ClusterView::merge));
        return new ClusterView(update.controllerId(), fromControllerEpoch, update.brokers(), next);
    }

    public Optional<PartitionState> partition(TopicPartition partition) {
        return Optional.ofNullable(topics.get(partition.topic()))
                .map(topic -> topic.partitions().get(partition.partition()));
    }

    private static TopicState merge(TopicState known, TopicState told) {
        if (!known.id().equals(told.id())) {
            return told;
        }
        SortedMap<Integer, PartitionState> partitions = new TreeMap<>(known.partitions());
        partitions.putAll(told.partitions());
        return new TopicState(told.name(), told.id(), told.configs(), partitions);
    }
}
