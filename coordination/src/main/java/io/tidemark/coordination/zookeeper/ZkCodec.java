package io.tidemark.coordination.zookeeper;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.tidemark.coordination.zookeeper.ZkContent.Controller;
import io.tidemark.coordination.zookeeper.ZkContent.Incarnation;
import io.tidemark.coordination.zookeeper.ZkContent.ProducerIdBlock;
import io.tidemark.coordination.zookeeper.ZkContent.Topic;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import io.tidemark.wire.store.v1.BrokerNode;
import io.tidemark.wire.store.v1.ClusterIdNode;
import io.tidemark.wire.store.v1.ControllerEpochNode;
import io.tidemark.wire.store.v1.ControllerNode;
import io.tidemark.wire.store.v1.IncarnationNode;
import io.tidemark.wire.store.v1.PartitionStateNode;
import io.tidemark.wire.store.v1.ProducerIdBlockNode;
import io.tidemark.wire.store.v1.TopicConfigNode;
import io.tidemark.wire.store.v1.TopicNode;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Between records and the text of nodes: one line of JSON as {@code store.proto} describes it, with defaults printed, so
 * that a person with a ZooKeeper shell can read it (DESIGN section 6). Pure.
 *
 * <p>A decoder answers a {@link Decoded}, never throws. Whoever rewrites a node hands {@link Decoded#carry} of what was
 * read to the encoder, so that fields of a newer version survive; for a new node that is {@link #NOTHING_CARRIED}.
 */
public final class ZkCodec {
    /** The {@code carry} of a node that did not exist. */
    public static final String NOTHING_CARRIED = "";

    private ZkCodec() {}

    public static String encodeClusterId(String clusterId) {
        return ZkJson.print(
                ClusterIdNode.newBuilder()
                        .setVersion(ZkMessages.VERSION)
                        .setClusterId(clusterId)
                        .build(),
                NOTHING_CARRIED);
    }

    /** Content of {@link ZkPaths#CLUSTER_ID}. */
    public static Decoded<String> decodeClusterId(String text) {
        return decode(
                ZkPaths.CLUSTER_ID,
                text,
                ClusterIdNode.newBuilder(),
                node -> ZkMessages.required(node.build().getClusterId(), "clusterId"));
    }

    /** Everything but id and broker epoch, which are the node's name and its czxid. */
    public static String encodeBroker(BrokerRegistration registration) {
        return ZkJson.print(ZkMessages.broker(registration), NOTHING_CARRIED);
    }

    /** A broker's registration; its epoch is the node's czxid. */
    public static Decoded<BrokerRegistration> decodeBroker(int brokerId, ZkNode node) {
        return decode(
                ZkPaths.broker(brokerId),
                node.data(),
                BrokerNode.newBuilder(),
                read -> ZkMessages.broker(brokerId, node.stat().czxid(), read.build()));
    }

    public static String encodeIncarnation(Incarnation incarnation, String carry) {
        return ZkJson.print(
                IncarnationNode.newBuilder()
                        .setVersion(ZkMessages.VERSION)
                        .setIncarnation(incarnation.incarnation())
                        .setBrokerEpoch(incarnation.registration().brokerEpoch())
                        .addAllDirectoryIds(incarnation.registration().directoryIds())
                        .setRegistration(ZkMessages.broker(incarnation.registration()))
                        .build(),
                carry);
    }

    public static Decoded<Incarnation> decodeIncarnation(int brokerId, String text) {
        return decode(
                ZkPaths.incarnation(brokerId),
                text,
                IncarnationNode.newBuilder(),
                read -> new Incarnation(
                        read.getIncarnation(),
                        ZkMessages.broker(brokerId, read.getBrokerEpoch(), read.getRegistration())));
    }

    public static String encodeController(Controller controller) {
        return ZkJson.print(
                ControllerNode.newBuilder()
                        .setVersion(ZkMessages.VERSION)
                        .setBrokerId(controller.brokerId())
                        .setPeer(ZkMessages.endpoint(controller.peer()))
                        .setControllerEpoch(controller.controllerEpoch())
                        .build(),
                NOTHING_CARRIED);
    }

    /** Content of {@link ZkPaths#CONTROLLER}. */
    public static Decoded<Controller> decodeController(String text) {
        return decode(
                ZkPaths.CONTROLLER,
                text,
                ControllerNode.newBuilder(),
                read -> new Controller(
                        read.getBrokerId(), ZkMessages.endpoint(read.getPeer()), read.getControllerEpoch()));
    }

    public static String encodeControllerEpoch(int controllerEpoch, String carry) {
        return ZkJson.print(
                ControllerEpochNode.newBuilder()
                        .setVersion(ZkMessages.VERSION)
                        .setControllerEpoch(controllerEpoch)
                        .build(),
                carry);
    }

    /** Content of {@link ZkPaths#CONTROLLER_EPOCH}. */
    public static Decoded<Integer> decodeControllerEpoch(String text) {
        return decode(
                ZkPaths.CONTROLLER_EPOCH,
                text,
                ControllerEpochNode.newBuilder(),
                ControllerEpochNode.Builder::getControllerEpoch);
    }

    public static String encodeTopic(Topic topic, String carry) {
        return ZkJson.print(ZkMessages.topic(topic), carry);
    }

    public static Decoded<Topic> decodeTopic(String topic, String text) {
        return decode(ZkPaths.topic(topic), text, TopicNode.newBuilder(), read -> ZkMessages.topic(read.build()));
    }

    /** Everything but topic id and replicas, which are the topic node's. */
    public static String encodePartition(PartitionState state, String carry) {
        return ZkJson.print(ZkMessages.partition(state), carry);
    }

    /** A partition's state; id and replicas are those of its topic. */
    public static Decoded<PartitionState> decodePartition(
            TopicPartition partition, TopicId topicId, List<Integer> replicas, String text) {
        return decode(
                ZkPaths.partitionState(partition),
                text,
                PartitionStateNode.newBuilder(),
                read -> ZkMessages.partition(partition, topicId, replicas, read.build()));
    }

    public static String encodeTopicConfig(SortedMap<String, String> configs, String carry) {
        return ZkJson.print(
                TopicConfigNode.newBuilder()
                        .setVersion(ZkMessages.VERSION)
                        .putAllConfigs(configs)
                        .build(),
                carry);
    }

    public static Decoded<SortedMap<String, String>> decodeTopicConfig(String topic, String text) {
        return decode(
                ZkPaths.topicConfig(topic),
                text,
                TopicConfigNode.newBuilder(),
                read -> Collections.unmodifiableSortedMap(new TreeMap<>(read.getConfigsMap())));
    }

    public static String encodeProducerIdBlock(ProducerIdBlock block, String carry) {
        return ZkJson.print(
                ProducerIdBlockNode.newBuilder()
                        .setVersion(ZkMessages.VERSION)
                        .setBrokerId(block.brokerId())
                        .setFirstId(block.firstId())
                        .setNextId(block.nextId())
                        .build(),
                carry);
    }

    /** Content of {@link ZkPaths#PRODUCER_ID_BLOCK}. */
    public static Decoded<ProducerIdBlock> decodeProducerIdBlock(String text) {
        return decode(
                ZkPaths.PRODUCER_ID_BLOCK,
                text,
                ProducerIdBlockNode.newBuilder(),
                read -> ZkMessages.producerIdBlock(read.build()));
    }

    private static <B extends Message.Builder, T> Decoded<T> decode(
            String path, String text, B builder, Function<B, T> toRecord) {
        try {
            boolean unknownFields = ZkJson.read(text, builder);
            ZkMessages.requireVersion(builder);
            return Decoded.of(path, toRecord.apply(builder), unknownFields ? text : NOTHING_CARRIED);
        } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
            return Decoded.bad(path, String.valueOf(e.getMessage()));
        }
    }
}
