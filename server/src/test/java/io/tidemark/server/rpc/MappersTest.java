package io.tidemark.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.coordination.broker.PeerIdentifier;
import io.tidemark.coordination.broker.Push;
import io.tidemark.coordination.controller.BrokerCommands.LogEndAnswer;
import io.tidemark.coordination.controller.BrokerCommands.LogEnds;
import io.tidemark.coordination.controller.BrokerCommands.LogQuery;
import io.tidemark.core.log.LeaderEpochs.EpochEnd;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.ClusterUpdate;
import io.tidemark.model.Endpoint;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.Member;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import io.tidemark.model.TopicState;
import io.tidemark.replication.fetch.FetchEntry;
import io.tidemark.replication.fetch.ReplicaFetch;
import io.tidemark.replication.partition.Follower;
import io.tidemark.wire.internal.v1.DescribeLogEndsRequest;
import io.tidemark.wire.internal.v1.LogEndQuery;
import io.tidemark.wire.internal.v1.PushResponse;
import io.tidemark.wire.internal.v1.ReplicaFetchPartition;
import io.tidemark.wire.internal.v1.ReplicaFetchRequest;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What brokers say to each other comes out as it went in. */
final class MappersTest {
    private static final TopicId TOPIC_ID = new TopicId(-5, 7);
    private static final TopicPartition PARTITION = new TopicPartition("orders", 3);

    private static ClusterUpdate update() {
        PartitionState state = new PartitionState(
                TOPIC_ID,
                PARTITION,
                2,
                11,
                12,
                List.of(2, 1, 3),
                List.of(new Member(2, 0), new Member(1, 4)),
                List.of(new Member(3, 1)),
                2,
                9);
        TreeMap<String, String> configs = new TreeMap<>();
        configs.put("min.insync.replicas", "2");
        TreeMap<Integer, PartitionState> partitions = new TreeMap<>();
        partitions.put(3, state);
        TreeMap<Integer, BrokerRegistration> brokers = new TreeMap<>();
        brokers.put(2, registration());
        return new ClusterUpdate(
                true,
                brokers,
                2,
                List.of(new TopicState("orders", TOPIC_ID, configs, partitions)),
                List.of(new ClusterUpdate.DeletedTopic("old", new TopicId(1, 2))));
    }

    private static BrokerRegistration registration() {
        return new BrokerRegistration(
                2,
                77,
                -8,
                new Endpoint("127.0.0.1", 9092),
                new Endpoint("::1", 9093),
                new Endpoint("localhost", 0),
                "rack-a",
                List.of("d1", "d2"),
                76);
    }

    @ParameterizedTest
    @EnumSource(ErrorCode.class)
    void shouldKeepEveryErrorCodeWithItsNumber(ErrorCode code) {
        assertThat(ErrorCodes.toWire(code).getNumber())
                .isEqualTo(List.of(ErrorCode.values()).indexOf(code));
        assertThat(ErrorCodes.fromWire(ErrorCodes.toWire(code))).isEqualTo(code);
    }

    @Test
    void shouldTakeAnUnknownErrorForAServerError() {
        assertThat(ErrorCodes.fromWire(io.tidemark.wire.v1.ErrorCode.UNRECOGNIZED))
                .isEqualTo(ErrorCode.UNKNOWN_SERVER_ERROR);
    }

    @Test
    void shouldCarryAPush() {
        // given
        Push.Request push = new Push.Request(2, 9, 77, 5, update());

        // then
        assertThat(CommandMapper.fromWire(CommandMapper.toWire(push))).isEqualTo(push);
    }

    @ParameterizedTest
    @EnumSource(Push.Result.class)
    void shouldCarryEveryAnswerToAPush(Push.Result result) {
        Push.Answer answer = new Push.Answer(5, result);
        assertThat(CommandMapper.fromWire(CommandMapper.toWire(answer))).contains(answer);
    }

    @Test
    void shouldTakeAnUnknownAnswerToAPushForNone() {
        assertThat(CommandMapper.fromWire(
                        PushResponse.newBuilder().setResultValue(99).build()))
                .isEmpty();
        assertThat(CommandMapper.fromWire(PushResponse.getDefaultInstance())).isEmpty();
    }

    @Test
    void shouldCarryAnIdentity() {
        assertThat(CommandMapper.fromWire(CommandMapper.toWire(new PeerIdentifier.Identity("c", 3, -1))))
                .isEqualTo(new PeerIdentifier.Identity("c", 3, -1));
    }

    @Test
    void shouldCarryLogEnds() {
        // given
        LogEnds ends = new LogEnds(
                77,
                List.of(
                        new LogEndAnswer(PARTITION, true, 11, 1L << 40),
                        new LogEndAnswer(new TopicPartition("orders", 4), false, -1, 0)));
        List<LogQuery> queries = List.of(new LogQuery(TOPIC_ID, PARTITION));

        // then
        assertThat(CommandMapper.fromWire(CommandMapper.toWire(ends))).isEqualTo(ends);
        assertThat(CommandMapper.fromWire(CommandMapper.toWire(77, queries))).isEqualTo(queries);
    }

    @Test
    void shouldRefuseMalformedCommands() {
        DescribeLogEndsRequest negative = DescribeLogEndsRequest.newBuilder()
                .addPartitions(
                        LogEndQuery.newBuilder().setTopic("t").setPartition(-1).setTopicId(TOPIC_ID.toString()))
                .build();
        assertThatThrownBy(() -> CommandMapper.fromWire(negative)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ReplicaFetchMapper.fromWire(ReplicaFetchRequest.newBuilder()
                        .addPartitions(
                                ReplicaFetchPartition.newBuilder().setTopic("t").setTopicId("short"))
                        .build()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldCarryAReplicaFetch() {
        // given
        ReplicaFetch.Request request = new ReplicaFetch.Request(
                new Follower(3, 88),
                5,
                6,
                500,
                1,
                1 << 20,
                List.of(new FetchEntry(TOPIC_ID, PARTITION, 11, 1L << 35, 10, 4, 1 << 19)),
                List.of(new TopicPartition("orders", 9)));

        // then
        assertThat(ReplicaFetchMapper.fromWire(ReplicaFetchMapper.toWire(1, request)))
                .isEqualTo(request);
    }

    @Test
    void shouldCarryTheAnswerToAReplicaFetch() {
        // given
        ReplicaFetch.Answer answer = new ReplicaFetch.Answer(
                ErrorCode.NONE,
                5,
                List.of(
                        new ReplicaFetch.Result(
                                PARTITION, ErrorCode.NONE, 7, 1, ByteBuffer.wrap(new byte[] {1, 2}), null),
                        new ReplicaFetch.Result(
                                new TopicPartition("orders", 4),
                                ErrorCode.NONE,
                                7,
                                1,
                                ByteBuffer.allocate(0),
                                new EpochEnd(3, 90))));

        // then
        assertThat(ReplicaFetchMapper.fromWire(ReplicaFetchMapper.toWire(1, answer)))
                .isEqualTo(answer);
    }
}
