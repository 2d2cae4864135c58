package io.tidemark.coordination.zookeeper;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.tidemark.coordination.zookeeper.ZkContent.ProducerIdBlock;
import io.tidemark.coordination.zookeeper.ZkContent.Topic;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.Endpoint;
import io.tidemark.model.Member;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import io.tidemark.wire.store.v1.BrokerNode;
import io.tidemark.wire.store.v1.MemberEntry;
import io.tidemark.wire.store.v1.PartitionStateNode;
import io.tidemark.wire.store.v1.ProducerIdBlockNode;
import io.tidemark.wire.store.v1.ReplicaList;
import io.tidemark.wire.store.v1.StoredEndpoint;
import io.tidemark.wire.store.v1.TopicNode;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** The mapper between messages of {@code store.proto} and records. Throws {@link IllegalArgumentException} on senseless values. */
final class ZkMessages {
    /** Written into new nodes. Higher ones are read too: a version only ever adds fields. */
    static final int VERSION = 1;

    private ZkMessages() {}

    static void requireVersion(Message.Builder node) {
        FieldDescriptor version = node.getDescriptorForType().findFieldByName("version");
        boolean present = version != null && node.getField(version) instanceof Integer number && number >= VERSION;
        require(present, "no version");
    }

    static String required(String value, String field) {
        require(!value.isEmpty(), "no " + field);
        return value;
    }

    static StoredEndpoint endpoint(Endpoint endpoint) {
        return StoredEndpoint.newBuilder()
                .setHost(endpoint.host())
                .setPort(endpoint.port())
                .build();
    }

    static Endpoint endpoint(StoredEndpoint stored) {
        return new Endpoint(stored.getHost(), stored.getPort());
    }

    static BrokerNode broker(BrokerRegistration registration) {
        return BrokerNode.newBuilder()
                .setVersion(VERSION)
                .setProcessNonce(registration.processNonce())
                .setClient(endpoint(registration.client()))
                .setPeer(endpoint(registration.peer()))
                .setHttp(endpoint(registration.http()))
                .setRack(registration.rack())
                .addAllDirectoryIds(registration.directoryIds())
                .setContinuesEpoch(registration.continuesEpoch())
                .build();
    }

    static BrokerRegistration broker(int brokerId, long brokerEpoch, BrokerNode node) {
        require(node.getDirectoryIdsCount() > 0, "no directoryIds");
        return new BrokerRegistration(
                brokerId,
                brokerEpoch,
                node.getProcessNonce(),
                endpoint(node.getClient()),
                endpoint(node.getPeer()),
                endpoint(node.getHttp()),
                node.getRack(),
                node.getDirectoryIdsList(),
                node.getContinuesEpoch());
    }

    static TopicNode topic(Topic topic) {
        TopicNode.Builder node = TopicNode.newBuilder()
                .setVersion(VERSION)
                .setTopicId(topic.id().toString())
                .setDeleting(topic.deleting());
        putLists(topic.replicas(), node::putReplicas);
        putLists(topic.adding(), node::putAdding);
        putLists(topic.removing(), node::putRemoving);
        return node.build();
    }

    static Topic topic(TopicNode node) {
        SortedMap<Integer, List<Integer>> replicas = lists(node.getReplicasMap());
        require(!replicas.isEmpty(), "no partitions");
        require(replicas.firstKey() == 0 && replicas.lastKey() == replicas.size() - 1, "gaps in partition numbers");
        require(replicas.values().stream().noneMatch(List::isEmpty), "a partition without replicas");
        return new Topic(
                TopicId.parse(node.getTopicId()),
                replicas,
                lists(node.getAddingMap()),
                lists(node.getRemovingMap()),
                node.getDeleting());
    }

    static PartitionStateNode partition(PartitionState state) {
        return PartitionStateNode.newBuilder()
                .setVersion(VERSION)
                .setLeader(state.leader())
                .setLeaderEpoch(state.leaderEpoch())
                .addAllIsr(entries(state.isr()))
                .addAllEligible(entries(state.eligible()))
                .setEffectiveMinIsr(state.effectiveMinIsr())
                .setPartitionEpoch(state.partitionEpoch())
                .setControllerEpoch(state.controllerEpoch())
                .build();
    }

    static PartitionState partition(
            TopicPartition partition, TopicId topicId, List<Integer> replicas, PartitionStateNode node) {
        require(node.getIsrCount() > 0, "an empty ISR");
        require(node.getEffectiveMinIsr() > 0, "effectiveMinIsr below 1");
        require(node.getLeader() >= PartitionState.NO_LEADER, "leader below -1");
        require(node.getLeaderEpoch() >= 0 && node.getPartitionEpoch() >= 0, "a negative epoch");
        return new PartitionState(
                topicId,
                partition,
                node.getLeader(),
                node.getLeaderEpoch(),
                node.getPartitionEpoch(),
                replicas,
                members(node.getIsrList()),
                members(node.getEligibleList()),
                node.getEffectiveMinIsr(),
                node.getControllerEpoch());
    }

    static ProducerIdBlock producerIdBlock(ProducerIdBlockNode node) {
        require(0 <= node.getFirstId() && node.getFirstId() <= node.getNextId(), "not a range of ids");
        return new ProducerIdBlock(node.getBrokerId(), node.getFirstId(), node.getNextId());
    }

    private static void putLists(SortedMap<Integer, List<Integer>> lists, BiConsumer<Integer, ReplicaList> target) {
        lists.forEach((partition, brokers) -> target.accept(
                partition, ReplicaList.newBuilder().addAllReplicas(brokers).build()));
    }

    private static SortedMap<Integer, List<Integer>> lists(Map<Integer, ReplicaList> stored) {
        SortedMap<Integer, List<Integer>> lists = new TreeMap<>();
        stored.forEach((partition, list) -> lists.put(partition, list.getReplicasList()));
        return lists;
    }

    private static List<MemberEntry> entries(List<Member> members) {
        return members.stream()
                .map(member -> MemberEntry.newBuilder()
                        .setBrokerId(member.brokerId())
                        .setIncarnation(member.incarnation())
                        .build())
                .toList();
    }

    private static List<Member> members(List<MemberEntry> entries) {
        return entries.stream()
                .map(entry -> new Member(entry.getBrokerId(), entry.getIncarnation()))
                .toList();
    }

    private static void require(boolean condition, String problem) {
        if (!condition) {
            throw new IllegalArgumentException(problem);
        }
    }
}
