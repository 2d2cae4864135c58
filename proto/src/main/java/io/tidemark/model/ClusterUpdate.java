package io.tidemark.model;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a controller pushes to a broker: the whole state, or what changed since the last push (DESIGN section 6).
 *
 * @param full whether this replaces everything the broker knew. Absence never deletes data: a replica that is not
 *     named stops and is reported as stray
 * @param brokers live brokers by id; complete in every update
 * @param controllerId the sender
 * @param topics topics of which at least one partition is named here, with only those partitions
 * @param deletedTopics topics to delete, by id: the only command that removes data
 */
public record ClusterUpdate(
        boolean full,
        SortedMap<Integer, BrokerRegistration> brokers,
        int controllerId,
        List<TopicState> topics,
        List<DeletedTopic> deletedTopics) {
    public ClusterUpdate {
        brokers = Collections.unmodifiableSortedMap(new TreeMap<>(brokers));
        topics = List.copyOf(topics);
        deletedTopics = List.copyOf(deletedTopics);
    }

    /** A topic that is no more. */
    public record DeletedTopic(String name, TopicId id) {}
}
