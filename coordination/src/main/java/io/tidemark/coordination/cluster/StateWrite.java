package io.tidemark.coordination.cluster;

import io.tidemark.model.PartitionState;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One write to ZooKeeper. Each is atomic, and goes in a multi that also checks the controller epoch's node; several may
 * share a multi. The writes of a decision are sent in the order of its list: a partition's state before the incarnation
 * that made it necessary, so that whatever a dying controller left undone is found and done again by the next.
 *
 * <p>A write leaves its node at the expected version + 1, a created node at version 0; the decision's state says so too.
 */
public sealed interface StateWrite {
    /** The expected version of a node that does not exist yet: the write creates it. */
    int NO_NODE = -1;

    /** Replaces a partition's state. */
    record PutPartitionState(PartitionState state, int expectedVersion) implements StateWrite {}

    /** Records an incarnation; {@code incarnation.version()} is what the write leaves. */
    record PutIncarnation(Incarnation incarnation, int expectedVersion) implements StateWrite {}

    /** Creates the nodes of a topic, its configuration and all its partitions. */
    record CreateTopic(Topic topic) implements StateWrite {}

    /** Marks the topic node for deletion; {@code topic.topicVersion()} is what the write leaves. */
    record MarkTopicDeleting(Topic topic, int expectedVersion) implements StateWrite {}

    /** Removes the nodes of a topic, its configuration and all its partitions, each at the version that it has here. */
    record RemoveTopic(Topic topic) implements StateWrite {}

    /** Replaces a topic's overrides. */
    record PutTopicConfigs(String topic, SortedMap<String, String> configs, int expectedVersion) implements StateWrite {
        public PutTopicConfigs {
            configs = Collections.unmodifiableSortedMap(new TreeMap<>(configs));
        }
    }

    /** Gives a broker the ids from {@code firstId} to {@code nextId - 1}. */
    record PutProducerIds(int brokerId, long firstId, long nextId, int expectedVersion) implements StateWrite {}
}
