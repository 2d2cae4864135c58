package io.tidemark.coordination.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.model.PartitionState;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/** What ZooKeeper holds, as a test sees it: a write whose version does not fit is a failure of the machine. */
final class StoreModel {
    private final SortedMap<Integer, Incarnation> incarnations = new TreeMap<>();
    private final SortedMap<String, Topic> topics = new TreeMap<>();
    private final SortedMap<String, Topic> deleting = new TreeMap<>();
    private NextProducerIds producerIds = NextProducerIds.NONE;

    ClusterState load(int controllerEpoch) {
        return ClusterState.loaded(
                controllerEpoch, incarnations.values(), topics.values(), deleting.values(), producerIds);
    }

    SortedMap<String, Topic> topics() {
        return topics;
    }

    SortedMap<String, Topic> deleting() {
        return deleting;
    }

    void apply(StateWrite write) {
        if (write instanceof StateWrite.PutPartitionState put) {
            putPartition(put);
        } else if (write instanceof StateWrite.PutIncarnation put) {
            int id = put.incarnation().registration().id();
            Incarnation old = incarnations.put(id, put.incarnation());
            assertThat(put.expectedVersion()).isEqualTo(old == null ? StateWrite.NO_NODE : old.version());
            assertThat(put.incarnation().version()).isEqualTo(put.expectedVersion() + 1);
        } else if (write instanceof StateWrite.CreateTopic create) {
            assertThat(deleting).doesNotContainKey(create.topic().name());
            assertThat(topics.put(create.topic().name(), create.topic())).isNull();
        } else if (write instanceof StateWrite.MarkTopicDeleting mark) {
            Topic old = Objects.requireNonNull(topics.remove(mark.topic().name()));
            assertThat(mark.expectedVersion()).isEqualTo(old.topicVersion());
            assertThat(mark.topic()).isEqualTo(old.withTopicVersion(old.topicVersion() + 1));
            deleting.put(old.name(), mark.topic());
        } else if (write instanceof StateWrite.RemoveTopic remove) {
            assertThat(deleting.remove(remove.topic().name())).isEqualTo(remove.topic());
        } else if (write instanceof StateWrite.PutTopicConfigs put) {
            Topic old = Objects.requireNonNull(topics.get(put.topic()));
            assertThat(put.expectedVersion()).isEqualTo(old.configVersion());
            topics.put(put.topic(), old.withConfigs(put.configs()));
        } else if (write instanceof StateWrite.PutProducerIds put) {
            assertThat(put.expectedVersion()).isEqualTo(producerIds.version());
            assertThat(put.firstId()).isEqualTo(producerIds.nextId());
            producerIds = new NextProducerIds(put.nextId(), put.expectedVersion() + 1);
        }
    }

    private void putPartition(StateWrite.PutPartitionState put) {
        PartitionState next = put.state();
        Topic topic = Objects.requireNonNull(topics.get(next.partition().topic()));
        VersionedState old =
                Objects.requireNonNull(topic.partitions().get(next.partition().partition()));
        assertThat(put.expectedVersion()).isEqualTo(old.version());
        SortedMap<Integer, VersionedState> states = new TreeMap<>(topic.partitions());
        states.put(next.partition().partition(), new VersionedState(next, old.version() + 1));
        topics.put(topic.name(), topic.withPartitions(states));
    }
}
