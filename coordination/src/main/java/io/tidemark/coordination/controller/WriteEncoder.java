package io.tidemark.coordination.controller;

import io.tidemark.coordination.cluster.Incarnation;
import io.tidemark.coordination.cluster.StateWrite;
import io.tidemark.coordination.cluster.Topic;
import io.tidemark.coordination.cluster.VersionedState;
import io.tidemark.coordination.zookeeper.ZkCodec;
import io.tidemark.coordination.zookeeper.ZkContent;
import io.tidemark.coordination.zookeeper.ZkOp;
import io.tidemark.coordination.zookeeper.ZkPaths;
import io.tidemark.coordination.zookeeper.ZkSession.CreateMode;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Turns the machine's writes into ZooKeeper operations, each guarded by its node's version. Pure but for {@code carry},
 * which answers what fields of a newer version a node holds.
 */
final class WriteEncoder {
    private final Function<String, String> carry;

    WriteEncoder(Function<String, String> carry) {
        this.carry = carry;
    }

    /** The operations of one write, which belong into one multi. */
    List<ZkOp> encode(StateWrite write) {
        if (write instanceof StateWrite.PutPartitionState put) {
            String path = ZkPaths.partitionState(put.state().partition());
            return List.of(put(path, ZkCodec.encodePartition(put.state(), carry.apply(path)), put.expectedVersion()));
        }
        if (write instanceof StateWrite.PutIncarnation put) {
            Incarnation incarnation = put.incarnation();
            String path = ZkPaths.incarnation(incarnation.registration().id());
            ZkContent.Incarnation content = new ZkContent.Incarnation(incarnation.number(), incarnation.registration());
            return List.of(put(path, ZkCodec.encodeIncarnation(content, carry.apply(path)), put.expectedVersion()));
        }
        if (write instanceof StateWrite.CreateTopic create) {
            return createTopic(create.topic());
        }
        if (write instanceof StateWrite.MarkTopicDeleting mark) {
            String path = ZkPaths.topic(mark.topic().name());
            String text = ZkCodec.encodeTopic(content(mark.topic(), Standing.DELETING), carry.apply(path));
            return List.of(new ZkOp.SetData(path, text, mark.expectedVersion()));
        }
        if (write instanceof StateWrite.RemoveTopic remove) {
            return removeTopic(remove.topic());
        }
        if (write instanceof StateWrite.PutTopicConfigs put) {
            String path = ZkPaths.topicConfig(put.topic());
            return List.of(
                    put(path, ZkCodec.encodeTopicConfig(put.configs(), carry.apply(path)), put.expectedVersion()));
        }
        if (write instanceof StateWrite.PutProducerIds put) {
            String path = ZkPaths.PRODUCER_ID_BLOCK;
            ZkContent.ProducerIdBlock block =
                    new ZkContent.ProducerIdBlock(put.brokerId(), put.firstId(), put.nextId());
            return List.of(put(path, ZkCodec.encodeProducerIdBlock(block, carry.apply(path)), put.expectedVersion()));
        }
        throw new IllegalStateException("no encoding for " + write);
    }

    private enum Standing {
        LIVE,
        DELETING
    }

    private static ZkOp put(String path, String text, int expectedVersion) {
        return expectedVersion == StateWrite.NO_NODE
                ? new ZkOp.Create(path, text, CreateMode.PERSISTENT)
                : new ZkOp.SetData(path, text, expectedVersion);
    }

    private static ZkOp create(String path, String text) {
        return new ZkOp.Create(path, text, CreateMode.PERSISTENT);
    }

    private static List<ZkOp> createTopic(Topic topic) {
        String nothing = ZkCodec.NOTHING_CARRIED;
        List<ZkOp> operations = new ArrayList<>();
        operations.add(
                create(ZkPaths.topic(topic.name()), ZkCodec.encodeTopic(content(topic, Standing.LIVE), nothing)));
        operations.add(create(ZkPaths.topicConfig(topic.name()), ZkCodec.encodeTopicConfig(topic.configs(), nothing)));
        operations.add(create(ZkPaths.partitions(topic.name()), ""));
        for (VersionedState partition : topic.partitions().values()) {
            PartitionState state = partition.state();
            operations.add(create(ZkPaths.partition(state.partition()), ""));
            operations.add(create(ZkPaths.partitionState(state.partition()), ZkCodec.encodePartition(state, nothing)));
        }
        return operations;
    }

    private static List<ZkOp> removeTopic(Topic topic) {
        List<ZkOp> operations = new ArrayList<>();
        for (VersionedState partition : topic.partitions().values()) {
            TopicPartition name = partition.state().partition();
            operations.add(new ZkOp.Delete(ZkPaths.partitionState(name), partition.version()));
            operations.add(new ZkOp.Delete(ZkPaths.partition(name), 0));
        }
        operations.add(new ZkOp.Delete(ZkPaths.partitions(topic.name()), 0));
        operations.add(new ZkOp.Delete(ZkPaths.topicConfig(topic.name()), topic.configVersion()));
        operations.add(new ZkOp.Delete(ZkPaths.topic(topic.name()), topic.topicVersion()));
        return operations;
    }

    private static ZkContent.Topic content(Topic topic, Standing standing) {
        SortedMap<Integer, List<Integer>> replicas = new TreeMap<>();
        topic.partitions()
                .forEach((number, partition) ->
                        replicas.put(number, partition.state().replicas()));
        return new ZkContent.Topic(
                topic.id(), replicas, new TreeMap<>(), new TreeMap<>(), standing == Standing.DELETING);
    }
}
