package io.tidemark.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.ManualScheduler;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.deletion.DeleteRecords;
import io.tidemark.wire.v1.AlterTopicRequest;
import io.tidemark.wire.v1.AlterTopicResponse;
import io.tidemark.wire.v1.CreateTopicRequest;
import io.tidemark.wire.v1.CreateTopicResponse;
import io.tidemark.wire.v1.DeleteRecordsRequest;
import io.tidemark.wire.v1.DeleteRecordsResponse;
import io.tidemark.wire.v1.DeleteTopicRequest;
import io.tidemark.wire.v1.DeleteTopicResponse;
import io.tidemark.wire.v1.TransferLeaderRequest;
import io.tidemark.wire.v1.TransferLeaderResponse;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A deletion of records on its way to the partition's leader and back. */
final class DeleteRecordsCallTest {
    private static final Forwarded<DeleteRecordsResponse> DONE = new Forwarded.Answered<>(
            DeleteRecordsMapper.toWire(new DeleteRecords.Result(ErrorCode.NONE, "", 5, 9, -1, -1)));
    private static final Forwarded<DeleteRecordsResponse> ELSEWHERE = new Forwarded.Answered<>(
            DeleteRecordsMapper.toWire(new DeleteRecords.Result(ErrorCode.NOT_LEADER_OR_FOLLOWER, "", -1, -1, 2, 7)));
    private static final Forwarded<DeleteRecordsResponse> REFUSED = new Forwarded.Answered<>(DeleteRecordsMapper.toWire(
            new DeleteRecords.Result(ErrorCode.OFFSET_OUT_OF_RANGE, "0 to 9", 0, 9, -1, -1)));
    private static final Forwarded<DeleteRecordsResponse> NOBODY = new Forwarded.NotSent<>("no leader");
    private static final Forwarded<DeleteRecordsResponse> LOST = new Forwarded.Unknown<>("connection broke");

    private final ManualScheduler scheduler = new ManualScheduler(new ManualClock());
    private final FakeCall<DeleteRecordsResponse> call = new FakeCall<>();
    private final Deque<Forwarded<DeleteRecordsResponse>> script = new ArrayDeque<>();

    @Test
    void shouldFollowTheLeader() {
        run(ELSEWHERE, NOBODY, LOST, DONE);
        assertThat(answer().getError()).isEqualTo(io.tidemark.wire.v1.ErrorCode.ERROR_CODE_NONE);
        assertThat(answer().getLogStartOffset()).isEqualTo(5);
    }

    @Test
    void shouldPassARefusalOn() {
        run(REFUSED);
        assertThat(ErrorCodes.fromWire(answer().getError())).isEqualTo(ErrorCode.OFFSET_OUT_OF_RANGE);
        assertThat(answer().getHighWatermark()).isEqualTo(9);
    }

    @Test
    void shouldSayThatNobodyLeads() {
        // Fails if: a call that reached nobody is answered with the controller's error
        run(NOBODY);
        assertThat(ErrorCodes.fromWire(answer().getError())).isEqualTo(ErrorCode.LEADER_NOT_AVAILABLE);
    }

    @Test
    void shouldNotClaimThatNothingWasDoneIfItMayHaveBeen() {
        run(LOST, NOBODY);
        assertThat(call.sent).isEmpty();
        assertThat(Status.fromThrowable(call.error).getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    }

    /** A caller that has vanished is waited for by nobody: neither here nor at the leader. */
    @Test
    void shouldCallOffWhatNobodyWaitsFor() {
        // given
        // Fails if: AdminCall does not hand the attempt's cancellation to the caller's end
        List<String> calledOff = new ArrayList<>();
        call((request, timeout, answer) -> () -> {
            calledOff.add("leader");
            answer.accept(LOST);
        });

        // when
        call.cancel();
        scheduler.advance(Duration.ofMinutes(2));

        // then
        assertThat(calledOff).containsExactly("leader");
        assertThat(call.sent).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"'', 0, 5", "t, -1, 5", "t, 0, -2"})
    void shouldObjectToWhatCannotBe(String topic, int partition, long before) {
        assertThat(DeleteRecordsMapper.objection(request(topic, partition, before)))
                .isNotEmpty();
    }

    @Test
    void shouldReadWhatCanBe() {
        DeleteRecordsRequest request = request("t", 3, -1);
        assertThat(DeleteRecordsMapper.objection(request)).isEmpty();
        assertThat(DeleteRecordsMapper.fromWire(request, Duration.ofSeconds(2)))
                .isEqualTo(new DeleteRecords.Request(new TopicPartition("t", 3), -1, 2_000));
        assertThat(DeleteRecordsMapper.fromWire(request, Duration.ofSeconds(-2)).timeoutMs())
                .isZero();
    }

    /** What is left of the caller's time once the answer has been carried to it. */
    @Test
    void shouldWaitForReplicasForLessThanTheCallerDoes() {
        List<DeleteRecords.Request> asked = new ArrayList<>();
        LocalLeader leader = new LocalLeader((request, answer) -> {
            asked.add(request);
            return () -> {};
        });
        leader.deleteRecords(request("t", 0, 5), Duration.ofSeconds(1), answer -> {});
        assertThat(asked).extracting(DeleteRecords.Request::timeoutMs).containsExactly(900);
    }

    /** Nobody asks it. */
    private static final class NoController implements AdminRoute {
        @Override
        public void createTopic(
                CreateTopicRequest request, Duration timeout, Consumer<Forwarded<CreateTopicResponse>> answer) {
            throw new UnsupportedOperationException("not in these tests");
        }

        @Override
        public void deleteTopic(
                DeleteTopicRequest request, Duration timeout, Consumer<Forwarded<DeleteTopicResponse>> answer) {
            throw new UnsupportedOperationException("not in these tests");
        }

        @Override
        public void alterTopic(
                AlterTopicRequest request, Duration timeout, Consumer<Forwarded<AlterTopicResponse>> answer) {
            throw new UnsupportedOperationException("not in these tests");
        }

        @Override
        public void transferLeader(
                TransferLeaderRequest request, Duration timeout, Consumer<Forwarded<TransferLeaderResponse>> answer) {
            throw new UnsupportedOperationException("not in these tests");
        }
    }

    private static DeleteRecordsRequest request(String topic, int partition, long before) {
        return DeleteRecordsRequest.newBuilder()
                .setPartition(io.tidemark.wire.v1.TopicPartition.newBuilder()
                        .setTopic(topic)
                        .setPartition(partition))
                .setBeforeOffset(before)
                .build();
    }

    @SafeVarargs
    private void run(Forwarded<DeleteRecordsResponse>... answers) {
        script.addAll(List.of(answers));
        call((request, timeout, answer) -> {
            answer.accept(script.size() > 1 ? script.remove() : script.element());
            return () -> {};
        });
        scheduler.advance(Duration.ofMinutes(2));
    }

    private void call(LeaderRoute route) {
        RequestMeters meters = new RequestMeters(new SimpleMeterRegistry(), scheduler.clock());
        UnaryAnswer<DeleteRecordsResponse> caller = new UnaryAnswer<>(call, meters.of("DeleteRecords"));
        AdminOperation<DeleteRecordsRequest, DeleteRecordsResponse> operation = AdminOperation.deleteRecords(route);
        new AdminCall<>(operation, request("t", 0, 5), caller, new NoController(), scheduler).attempt();
    }

    private DeleteRecordsResponse answer() {
        assertThat(call.sent).hasSize(1);
        assertThat(call.completed).isTrue();
        return call.sent.get(0);
    }
}
