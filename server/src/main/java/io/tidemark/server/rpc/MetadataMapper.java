package io.tidemark.server.rpc;

import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.Member;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicState;
import io.tidemark.server.metadata.ClusterView;
import io.tidemark.wire.v1.BrokerNode;
import io.tidemark.wire.v1.MetadataRequest;
import io.tidemark.wire.v1.MetadataResponse;
import io.tidemark.wire.v1.PartitionMetadata;
import io.tidemark.wire.v1.TopicMetadata;
import java.util.List;

/** What clients are told of the cluster. */
final class MetadataMapper {
    private MetadataMapper() {}

    /** Before the controller has spoken no topic is unknown: the caller is to ask again. */
    static MetadataResponse.Builder toWire(ClusterView view, MetadataRequest request) {
        MetadataResponse.Builder response = MetadataResponse.newBuilder()
                .setControllerId(view.controllerId())
                .setControllerEpoch(view.controllerEpoch());
        view.brokers().values().forEach(broker -> response.addBrokers(toWire(broker)));
        if (request.getAllTopics()) {
            view.topics().values().forEach(topic -> response.addTopics(toWire(topic)));
            return response;
        }
        for (String name : request.getTopicsList()) {
            TopicState topic = view.topics().get(name);
            response.addTopics(topic == null ? missing(name, view) : toWire(topic));
        }
        return response;
    }

    private static TopicMetadata missing(String name, ClusterView view) {
        boolean heard = view.controllerId() >= 0;
        ErrorCode error = heard ? ErrorCode.UNKNOWN_TOPIC_OR_PARTITION : ErrorCode.LEADER_NOT_AVAILABLE;
        return TopicMetadata.newBuilder()
                .setName(name)
                .setError(ErrorCodes.toWire(error))
                .build();
    }

    private static TopicMetadata toWire(TopicState topic) {
        TopicMetadata.Builder wire = TopicMetadata.newBuilder()
                .setName(topic.name())
                .setTopicId(topic.id().toString())
                .putAllConfigs(topic.configs());
        topic.partitions().values().forEach(partition -> wire.addPartitions(toWire(partition)));
        return wire.build();
    }

    private static PartitionMetadata toWire(PartitionState state) {
        return PartitionMetadata.newBuilder()
                .setPartition(state.partition().partition())
                .setLeader(state.leader())
                .setLeaderEpoch(state.leaderEpoch())
                .setPartitionEpoch(state.partitionEpoch())
                .addAllReplicas(state.replicas())
                .addAllIsr(ids(state.isr()))
                .addAllEligible(ids(state.eligible()))
                .setMinIsr(state.effectiveMinIsr())
                .build();
    }

    private static List<Integer> ids(List<Member> members) {
        return members.stream().map(Member::brokerId).toList();
    }

    private static BrokerNode toWire(BrokerRegistration broker) {
        BrokerNode.Builder wire = BrokerNode.newBuilder()
                .setId(broker.id())
                .setClient(StateMapper.toWire(broker.client()))
                .setRack(broker.rack());
        if (broker.http().port() != 0) {
            wire.setHttp(StateMapper.toWire(broker.http()));
        }
        return wire.build();
    }
}
