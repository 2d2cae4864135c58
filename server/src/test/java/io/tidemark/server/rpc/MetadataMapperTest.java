package io.tidemark.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.ClusterUpdate;
import io.tidemark.model.Endpoint;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.Member;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import io.tidemark.model.TopicState;
import io.tidemark.server.metadata.ClusterView;
import io.tidemark.server.metadata.MetadataCache;
import io.tidemark.wire.v1.MetadataRequest;
import io.tidemark.wire.v1.MetadataResponse;
import io.tidemark.wire.v1.PartitionMetadata;
import io.tidemark.wire.v1.TopicMetadata;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class MetadataMapperTest {
    private static final TopicId ID = new TopicId(1, 2);

    private static ClusterView view() {
        TreeMap<Integer, PartitionState> partitions = new TreeMap<>();
        partitions.put(
                0,
                new PartitionState(
                        ID,
                        new TopicPartition("a", 0),
                        -1,
                        5,
                        6,
                        List.of(1, 2),
                        List.of(new Member(1, 9)),
                        List.of(new Member(2, 3)),
                        2,
                        1));
        TreeMap<String, String> configs = new TreeMap<>();
        configs.put("min.insync.replicas", "2");
        TreeMap<Integer, BrokerRegistration> brokers = new TreeMap<>();
        brokers.put(1, broker(1, 8080));
        brokers.put(2, broker(2, 0));
        MetadataCache cache = new MetadataCache();
        cache.apply(
                new ClusterUpdate(true, brokers, 2, List.of(new TopicState("a", ID, configs, partitions)), List.of()),
                4);
        return cache.view();
    }

    private static BrokerRegistration broker(int id, int httpPort) {
        return new BrokerRegistration(
                id,
                10,
                11,
                new Endpoint("h" + id, 1000 + id),
                new Endpoint("h" + id, 2000 + id),
                new Endpoint("h" + id, httpPort),
                "r" + id,
                List.of(),
                -1);
    }

    private static MetadataResponse answer(ClusterView view, MetadataRequest request) {
        return MetadataMapper.toWire(view, request).build();
    }

    @Test
    void shouldDescribeTopicsAndBrokers() {
        // when
        MetadataResponse response =
                answer(view(), MetadataRequest.newBuilder().setAllTopics(true).build());

        // then
        assertThat(response.getControllerId()).isEqualTo(2);
        assertThat(response.getControllerEpoch()).isEqualTo(4);
        assertThat(response.getBrokers(0).getClient().getPort()).isEqualTo(1001);
        assertThat(response.getBrokers(0).getHttp().getPort()).isEqualTo(8080);
        assertThat(response.getBrokers(1).hasHttp()).as("switched off").isFalse();
        TopicMetadata topic = response.getTopics(0);
        assertThat(topic.getTopicId()).isEqualTo(ID.toString());
        assertThat(topic.getConfigsMap()).containsEntry("min.insync.replicas", "2");
        PartitionMetadata partition = topic.getPartitions(0);
        assertThat(partition.getLeader()).isEqualTo(-1);
        assertThat(partition.getLeaderEpoch()).isEqualTo(5);
        assertThat(partition.getPartitionEpoch()).isEqualTo(6);
        assertThat(partition.getReplicasList()).containsExactly(1, 2);
        assertThat(partition.getIsrList()).containsExactly(1);
        assertThat(partition.getEligibleList()).containsExactly(2);
        assertThat(partition.getMinIsr()).isEqualTo(2);
    }

    @Test
    void shouldSayOfEachNamedTopicWhetherItExists() {
        // when
        MetadataResponse response = answer(
                view(),
                MetadataRequest.newBuilder().addTopics("a").addTopics("b").build());

        // then
        assertThat(response.getTopicsList().stream().map(TopicMetadata::getName))
                .containsExactly("a", "b");
        assertThat(ErrorCodes.fromWire(response.getTopics(0).getError())).isEqualTo(ErrorCode.NONE);
        assertThat(ErrorCodes.fromWire(response.getTopics(1).getError()))
                .isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
    }

    @Test
    void shouldCallNoTopicUnknownBeforeTheControllerHasSpoken() {
        // when
        MetadataResponse response = answer(
                ClusterView.EMPTY, MetadataRequest.newBuilder().addTopics("a").build());

        // then
        assertThat(response.getControllerId()).isEqualTo(-1);
        assertThat(ErrorCodes.fromWire(response.getTopics(0).getError())).isEqualTo(ErrorCode.LEADER_NOT_AVAILABLE);
    }
}
