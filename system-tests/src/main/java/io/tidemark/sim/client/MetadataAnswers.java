package io.tidemark.sim.client;

import io.tidemark.client.net.Metadata;
import io.tidemark.client.net.Wire.MetadataCall;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.Member;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicState;
import io.tidemark.server.metadata.ClusterView;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** What a broker tells clients of the cluster, as it would arrive over a real wire. Pure. */
final class MetadataAnswers {
    private MetadataAnswers() {}

    /** Before the controller has spoken no topic is unknown: the caller is to ask again. */
    static Metadata of(ClusterView view, MetadataCall call, String clusterId, int answeredBy) {
        SortedMap<Integer, Metadata.Broker> brokers = new TreeMap<>();
        view.brokers().forEach((id, broker) -> brokers.put(id, broker(broker)));
        SortedMap<String, Metadata.Topic> topics = new TreeMap<>();
        if (call.scope() == MetadataCall.Scope.ALL) {
            view.topics().forEach((name, topic) -> topics.put(name, topic(topic)));
        } else {
            for (String name : call.topics()) {
                TopicState topic = view.topics().get(name);
                topics.put(name, topic == null ? missing(name, view) : topic(topic));
            }
        }
        return new Metadata(clusterId, view.controllerId(), view.controllerEpoch(), answeredBy, brokers, topics);
    }

    private static Metadata.Broker broker(BrokerRegistration broker) {
        return new Metadata.Broker(
                broker.id(), broker.client(), broker.http().port() == 0 ? null : broker.http(), broker.rack());
    }

    private static Metadata.Topic missing(String name, ClusterView view) {
        ErrorCode error =
                view.controllerId() >= 0 ? ErrorCode.UNKNOWN_TOPIC_OR_PARTITION : ErrorCode.LEADER_NOT_AVAILABLE;
        return new Metadata.Topic(name, error, "", new TreeMap<>(), new TreeMap<>());
    }

    private static Metadata.Topic topic(TopicState topic) {
        SortedMap<Integer, Metadata.Partition> partitions = new TreeMap<>();
        topic.partitions().forEach((number, state) -> partitions.put(number, partition(state)));
        return new Metadata.Topic(topic.name(), ErrorCode.NONE, topic.id().toString(), topic.configs(), partitions);
    }

    private static Metadata.Partition partition(PartitionState state) {
        return new Metadata.Partition(
                state.partition().partition(),
                state.leader(),
                state.leaderEpoch(),
                state.partitionEpoch(),
                state.replicas(),
                ids(state.isr()),
                ids(state.eligible()),
                state.effectiveMinIsr());
    }

    private static List<Integer> ids(List<Member> members) {
        return members.stream().map(Member::brokerId).toList();
    }
}
