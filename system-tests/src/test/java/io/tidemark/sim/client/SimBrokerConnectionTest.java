package io.tidemark.sim.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.client.net.BrokerConnection;
import io.tidemark.client.net.FetchLane;
import io.tidemark.client.net.Metadata;
import io.tidemark.client.net.Reply;
import io.tidemark.client.net.Wire;
import io.tidemark.client.net.Wire.LogPosition;
import io.tidemark.model.Acks;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.record.Codec;
import io.tidemark.record.ProducerStamp;
import io.tidemark.record.RecordBatch;
import io.tidemark.record.RecordBatchBuilder;
import io.tidemark.record.RecordBatches;
import io.tidemark.sim.LinkFaults;
import io.tidemark.sim.MessageGate;
import io.tidemark.sim.MessageKind;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Each call to a simulated broker, and what becomes of it when the broker or the connection is gone. */
final class SimBrokerConnectionTest {
    private static final int CLIENT = 7;
    private static final TopicPartition FIRST = new TopicPartition(ClientRun.TOPIC, 0);
    private static final Wire.MetadataCall NAMED =
            new Wire.MetadataCall(List.of(ClientRun.TOPIC, "no-such-topic"), Wire.MetadataCall.Scope.NAMED);

    private final ClientRun run = new ClientRun(3).started();
    private final ClientLife client = new ClientLife(run.site, CLIENT, 1);
    private final int leader = run.leader(0).orElseThrow();
    private final BrokerConnection toLeader = client.transport()
            .connect(Objects.requireNonNull(run.site.hosts().get(leader)).endpoint());

    private static ByteBuffer batch(long value) {
        RecordBatchBuilder builder = new RecordBatchBuilder(Codec.NONE, 256, 256);
        builder.tryAppend(1_704_067_200_000L, null, RecordValues.value(value), List.of());
        return builder.build(ProducerStamp.NONE);
    }

    private List<Reply<List<Wire.ProduceResult>>> produce(long value) {
        List<Reply<List<Wire.ProduceResult>>> answers = new ArrayList<>();
        toLeader.produce(
                new Wire.ProduceCall(Acks.ALL, 1_000, List.of(new Wire.ProducePart(FIRST, -1, batch(value)))),
                answers::add);
        return answers;
    }

    private void await(List<?> answers) {
        run.cluster.await("an answer", () -> !answers.isEmpty(), ClientRun.PATIENCE);
        assertThat(answers).hasSize(1);
    }

    private static <T> ErrorCode errorOf(List<Reply<T>> answers) {
        return answers.get(0) instanceof Reply.Failure<T> failure ? failure.error() : ErrorCode.NONE;
    }

    @Test
    void shouldTellTopicsAndLeadersAndWhatIsNoTopic() {
        Metadata told = Objects.requireNonNull(run.<Metadata>ask((broker, answer) -> broker.metadata(NAMED, answer))
                .orNull());

        assertThat(told.brokers().keySet()).containsExactly(1, 2, 3);
        assertThat(told.controllerId()).isPositive();
        assertThat(Objects.requireNonNull(told.partition(FIRST)).leader()).isEqualTo(leader);
        assertThat(Objects.requireNonNull(told.partition(FIRST)).isr()).containsExactlyInAnyOrder(1, 2, 3);
        assertThat(Objects.requireNonNull(told.topics().get("no-such-topic")).error())
                .isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
    }

    @Test
    void shouldWriteAndReadBackAndTellTheEnds() {
        // given
        await(produce(41));
        await(produce(42));
        List<Reply<List<Wire.FetchResult>>> fetched = new ArrayList<>();
        List<Reply<List<Wire.OffsetResult>>> ends = new ArrayList<>();

        // when
        FetchLane lane = toLeader.openFetches();
        Wire.FetchPart part = new Wire.FetchPart(FIRST, -1, 0, -1, 10_000);
        lane.fetch(new Wire.FetchCall(100, 1, 10_000, List.of(part)), fetched::add);
        var unused = toLeader.listOffsets(
                List.of(
                        new Wire.OffsetQuery(FIRST, -1, LogPosition.EARLIEST),
                        new Wire.OffsetQuery(FIRST, -1, LogPosition.LATEST),
                        new Wire.OffsetQuery(FIRST, -1, LogPosition.atTime(0))),
                ends::add);
        await(fetched);
        await(ends);

        // then
        assertThat(valuesIn(
                        Objects.requireNonNull(fetched.get(0).orNull()).get(0).batches()))
                .containsExactly(41L, 42L);
        assertThat(Objects.requireNonNull(ends.get(0).orNull()))
                .extracting(Wire.OffsetResult::offset)
                .containsExactly(0L, 2L, 0L);
    }

    private static List<Long> valuesIn(ByteBuffer batches) {
        List<Long> values = new ArrayList<>();
        for (RecordBatch batch : RecordBatches.of(batches)) {
            assertThat(batch.isCrcValid()).isTrue();
            batch.records().forEach(record -> values.add(RecordValues.read(Objects.requireNonNull(record.value()))));
        }
        return values;
    }

    @Test
    void shouldGiveProducerIdsThatNobodyElseGets() {
        List<Long> ids = new ArrayList<>();
        for (int broker : run.cluster.brokerIds()) {
            Reply<Wire.ProducerIdentity> given = run.ask(broker, BrokerConnection::initProducerId);
            ids.add(Objects.requireNonNull(given.orNull()).producerId());
        }

        assertThat(ids).doesNotHaveDuplicates().hasSize(3);
    }

    // Fails if: SimBrokerConnection takes no answer for a success, or answers twice
    @Test
    void shouldFailWhatADeadBrokerDoesNotAnswer() {
        run.cluster.crash(leader);

        List<Reply<List<Wire.ProduceResult>>> produced = produce(1);
        List<Reply<Metadata>> told = new ArrayList<>();
        toLeader.metadata(NAMED, told::add);
        await(produced);
        await(told);
        run.cluster.run(Duration.ofSeconds(5));

        assertThat(produced).hasSize(1);
        assertThat(errorOf(produced).outcome()).isEqualTo(ErrorCode.Outcome.UNKNOWN);
        assertThat(errorOf(told)).isEqualTo(ErrorCode.REQUEST_TIMED_OUT);
    }

    @Test
    void shouldAnswerWhatIsOpenWhenItIsClosedAndTakeNothingAfterwards() {
        // given
        MessageGate gate = run.cluster.network().hold(MessageKind.PRODUCE, CLIENT, leader);
        List<Reply<List<Wire.ProduceResult>>> open = produce(1);

        // when
        toLeader.close();
        List<Reply<List<Wire.ProduceResult>>> late = produce(2);
        List<Reply<Metadata>> told = new ArrayList<>();
        toLeader.metadata(NAMED, told::add);
        gate.release();
        run.cluster.run(Duration.ofSeconds(3));

        // then
        assertThat(open).hasSize(1);
        assertThat(errorOf(open).outcome()).isEqualTo(ErrorCode.Outcome.UNKNOWN);
        assertThat(late).hasSize(1);
        assertThat(errorOf(late)).isEqualTo(ErrorCode.BROKER_NOT_AVAILABLE);
        assertThat(errorOf(told)).isEqualTo(ErrorCode.BROKER_NOT_AVAILABLE);
    }

    // Fails if: ClientDoor hands out the client's own bytes, into which the leader writes offsets
    @Test
    void shouldServeALateCopyFromTheBytesThatWereSent() {
        // given
        MessageGate gate = run.cluster.network().hold(MessageKind.PRODUCE_ANSWER, leader, CLIENT);
        run.cluster.network().faults(CLIENT, leader, LinkFaults.NONE.withDuplicates(1_000, 50));
        List<Reply<List<Wire.ProduceResult>>> produced = produce(9);
        run.cluster.await("an answer on its way", () -> gate.held() > 0, ClientRun.PATIENCE);

        // when
        gate.drop();
        run.cluster.run(Duration.ofSeconds(1));

        // then
        assertThat(errorOf(produced).outcome()).isEqualTo(ErrorCode.Outcome.UNKNOWN);
        assertThat(run.endOf(0)).isEqualTo(2);
        List<Reply<List<Wire.FetchResult>>> fetched = new ArrayList<>();
        Wire.FetchPart part = new Wire.FetchPart(FIRST, -1, 0, -1, 10_000);
        toLeader.openFetches().fetch(new Wire.FetchCall(100, 1, 10_000, List.of(part)), fetched::add);
        await(fetched);
        assertThat(valuesIn(
                        Objects.requireNonNull(fetched.get(0).orNull()).get(0).batches()))
                .containsExactly(9L, 9L);
    }

    @Test
    void shouldDeleteATopicAndMoveALeaderAsAnOperatorDoes() {
        int other = run.others(leader).get(0);

        Reply<Integer> moved = run.ask((broker, answer) -> broker.transferLeader(FIRST, other, answer));
        run.cluster.await(
                "another leads", () -> run.leader(0).filter(id -> id == other).isPresent(), ClientRun.PATIENCE);
        Reply<String> deleted = run.ask((broker, answer) -> broker.deleteTopic("no-such-topic", answer));

        assertThat(moved.orNull()).isPositive();
        assertThat(errorOf(List.of(deleted))).isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
    }
}
