package io.tidemark.server.rpc;

import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.ClusterUpdate;
import io.tidemark.model.Endpoint;
import io.tidemark.model.Member;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import io.tidemark.model.TopicState;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The cluster's agreement between values and messages. Malformed messages raise {@link IllegalArgumentException}. */
final class StateMapper {
    private StateMapper() {}

    static io.tidemark.wire.internal.v1.ClusterUpdate toWire(ClusterUpdate update) {
        var wire = io.tidemark.wire.internal.v1.ClusterUpdate.newBuilder()
                .setFull(update.full())
                .setControllerId(update.controllerId());
        update.brokers().values().forEach(broker -> wire.addBrokers(toWire(broker)));
        update.topics().forEach(topic -> wire.addTopics(toWire(topic)));
        update.deletedTopics()
                .forEach(topic -> wire.addDeletedTopicsBuilder()
                        .setName(topic.name())
                        .setTopicId(topic.id().toString()));
        return wire.build();
    }

    static ClusterUpdate fromWire(io.tidemark.wire.internal.v1.ClusterUpdate wire) {
        SortedMap<Integer, BrokerRegistration> brokers = new TreeMap<>();
        wire.getBrokersList().forEach(broker -> brokers.put(broker.getId(), fromWire(broker)));
        List<TopicState> topics = new ArrayList<>(wire.getTopicsCount());
        wire.getTopicsList().forEach(topic -> topics.add(fromWire(topic)));
        List<ClusterUpdate.DeletedTopic> deleted = new ArrayList<>(wire.getDeletedTopicsCount());
        wire.getDeletedTopicsList()
                .forEach(topic -> deleted.add(
                        new ClusterUpdate.DeletedTopic(topic.getName(), TopicId.parse(topic.getTopicId()))));
        return new ClusterUpdate(wire.getFull(), brokers, wire.getControllerId(), topics, deleted);
    }

    static io.tidemark.wire.internal.v1.PartitionState toWire(PartitionState state) {
        var wire = io.tidemark.wire.internal.v1.PartitionState.newBuilder()
                .setPartition(state.partition().partition())
                .setLeader(state.leader())
                .setLeaderEpoch(state.leaderEpoch())
                .setPartitionEpoch(state.partitionEpoch())
                .addAllReplicas(state.replicas())
                .setEffectiveMinIsr(state.effectiveMinIsr())
                .setControllerEpoch(state.controllerEpoch());
        state.isr().forEach(member -> wire.addIsr(toWire(member)));
        state.eligible().forEach(member -> wire.addEligible(toWire(member)));
        return wire.build();
    }

    static PartitionState fromWire(String topic, TopicId id, io.tidemark.wire.internal.v1.PartitionState wire) {
        return new PartitionState(
                id,
                new TopicPartition(topic, wire.getPartition()),
                wire.getLeader(),
                wire.getLeaderEpoch(),
                wire.getPartitionEpoch(),
                wire.getReplicasList(),
                members(wire.getIsrList()),
                members(wire.getEligibleList()),
                wire.getEffectiveMinIsr(),
                wire.getControllerEpoch());
    }

    static io.tidemark.wire.v1.Endpoint toWire(Endpoint endpoint) {
        return io.tidemark.wire.v1.Endpoint.newBuilder()
                .setHost(endpoint.host())
                .setPort(endpoint.port())
                .build();
    }

    private static Endpoint fromWire(io.tidemark.wire.v1.Endpoint wire) {
        return new Endpoint(wire.getHost(), wire.getPort());
    }

    private static io.tidemark.wire.internal.v1.TopicState toWire(TopicState topic) {
        var wire = io.tidemark.wire.internal.v1.TopicState.newBuilder()
                .setName(topic.name())
                .setTopicId(topic.id().toString())
                .putAllConfigs(topic.configs());
        topic.partitions().values().forEach(state -> wire.addPartitions(toWire(state)));
        return wire.build();
    }

    private static TopicState fromWire(io.tidemark.wire.internal.v1.TopicState wire) {
        TopicId id = TopicId.parse(wire.getTopicId());
        SortedMap<Integer, PartitionState> partitions = new TreeMap<>();
        wire.getPartitionsList()
                .forEach(state -> partitions.put(state.getPartition(), fromWire(wire.getName(), id, state)));
        return new TopicState(wire.getName(), id, new TreeMap<>(wire.getConfigsMap()), partitions);
    }

    private static io.tidemark.wire.internal.v1.Member toWire(Member member) {
        return io.tidemark.wire.internal.v1.Member.newBuilder()
                .setBrokerId(member.brokerId())
                .setIncarnation(member.incarnation())
                .build();
    }

    private static List<Member> members(List<io.tidemark.wire.internal.v1.Member> wire) {
        return wire.stream()
                .map(member -> new Member(member.getBrokerId(), member.getIncarnation()))
                .toList();
    }

    private static io.tidemark.wire.internal.v1.BrokerRegistration toWire(BrokerRegistration broker) {
        return io.tidemark.wire.internal.v1.BrokerRegistration.newBuilder()
                .setId(broker.id())
                .setBrokerEpoch(broker.brokerEpoch())
                .setProcessNonce(broker.processNonce())
                .setClient(toWire(broker.client()))
                .setPeer(toWire(broker.peer()))
                .setHttp(toWire(broker.http()))
                .setRack(broker.rack())
                .addAllDirectoryIds(broker.directoryIds())
                .setContinuesEpoch(broker.continuesEpoch())
                .build();
    }

    private static BrokerRegistration fromWire(io.tidemark.wire.internal.v1.BrokerRegistration wire) {
        return new BrokerRegistration(
                wire.getId(),
                wire.getBrokerEpoch(),
                wire.getProcessNonce(),
                fromWire(wire.getClient()),
                fromWire(wire.getPeer()),
                fromWire(wire.getHttp()),
                wire.getRack(),
                wire.getDirectoryIdsList(),
                wire.getContinuesEpoch());
    }
}
