package io.tidemark.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.ManualScheduler;
import io.tidemark.model.Acks;
import io.tidemark.model.ErrorCode;
import io.tidemark.runtime.Cancellable;
import io.tidemark.wire.v1.PublishProgress;
import io.tidemark.wire.v1.PublishRequest;
import io.tidemark.wire.v1.PublishStreamResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class PublishStreamTest {
    private final FakeCall<PublishStreamResponse> call = new FakeCall<>();
    private final FakePort port = new FakePort();
    private final InFlightBytes budget = new InFlightBytes(1 << 20);
    private final OpenStreams streams = new OpenStreams();
    private final ManualClock clock = new ManualClock();
    private final ManualScheduler scheduler = new ManualScheduler(clock);
    private final PlainService service = new PlainService(
            port,
            new NoSubscriptions(),
            new StreamContext(streams, budget, new RequestMeters(new SimpleMeterRegistry(), clock)),
            scheduler);
    private final StreamObserver<PublishRequest> records = service.publishStream(call);

    /** A record that the port has. */
    private record Taken(Plain.Publication publication, Consumer<Plain.Outcome> answer) {
        void succeed(long offset) {
            answer.accept(new Plain.Outcome.Published(0, offset));
        }

        void fail(ErrorCode error) {
            answer.accept(new Plain.Outcome.Refused(Plain.Failure.write(error, "why", "a")));
        }
    }

    private static final class FakePort implements PublishPort {
        private final List<Taken> taken = new ArrayList<>();
        private int cancelled;
        private boolean full;

        @Override
        public Cancellable publish(Plain.Publication publication, Consumer<Plain.Outcome> answer) {
            Taken record = new Taken(publication, answer);
            if (full) {
                record.fail(ErrorCode.THROTTLED);
                return () -> {};
            }
            taken.add(record);
            return () -> cancelled++;
        }
    }

    private static final class NoSubscriptions implements SubscribePort {
        @Override
        public io.tidemark.runtime.EventLoop loop() {
            throw new UnsupportedOperationException("nobody subscribes here");
        }

        @Override
        public Reading open(
                Plain.Selection selection,
                java.util.function.ToLongFunction<io.tidemark.record.LogRecord> weigher,
                Listener listener) {
            throw new UnsupportedOperationException("nobody subscribes here");
        }
    }

    private void send(int valueBytes) {
        records.onNext(PublishRequest.newBuilder()
                .setTopic("a")
                .setValue(ByteString.copyFrom(new byte[valueBytes]))
                .build());
    }

    private Status.Code code() {
        assertThat(call.error).isInstanceOf(StatusRuntimeException.class);
        return ((StatusRuntimeException) call.error).getStatus().getCode();
    }

    private PublishProgress progress() throws Exception {
        com.google.rpc.Status status = StatusProto.fromThrowable(call.error);
        assertThat(status).isNotNull();
        for (Any detail : status.getDetailsList()) {
            if (detail.is(PublishProgress.class)) {
                return detail.unpack(PublishProgress.class);
            }
        }
        throw new AssertionError("no progress in " + status);
    }

    @Test
    void shouldAnswerWhenEverythingIsAcknowledged() {
        // given
        send(1);
        send(1);
        records.onCompleted();
        assertThat(call.completed).isFalse();

        // when
        port.taken.get(0).succeed(10);
        port.taken.get(1).succeed(11);

        // then
        assertThat(call.completed).isTrue();
        assertThat(call.sent).singleElement().satisfies(answer -> {
            assertThat(answer.getAcknowledged()).isEqualTo(2);
            assertThat(answer.getRanges(0).getFirstOffset()).isEqualTo(10);
            assertThat(answer.getRanges(0).getLastOffset()).isEqualTo(11);
        });
        assertThat(budget.bytes()).isZero();
        assertThat(streams.count()).isZero();
    }

    @Test
    void shouldAnswerAnEmptyStream() {
        records.onCompleted();
        assertThat(call.sent)
                .singleElement()
                .satisfies(answer -> assertThat(answer.getAcknowledged()).isZero());
    }

    @Test
    void shouldReadNoFurtherWhileTooMuchIsNotAcknowledged() {
        // given
        send(600_000);
        assertThat(call.requested).isEqualTo(2);
        send(600_000);
        assertThat(call.requested).isEqualTo(2);

        // when
        port.taken.get(0).succeed(1);

        // then
        assertThat(call.requested).isEqualTo(3);
    }

    @Test
    void shouldReadNoFurtherWhileOthersUseUpTheBudget() {
        // given
        budget.charge(1 << 20);
        send(1);
        assertThat(call.requested).isEqualTo(1);

        // when
        budget.release(1 << 20);

        // then
        assertThat(call.requested).isEqualTo(2);
    }

    @Test
    void shouldTryARecordAgainBeforeItReadsTheNext() {
        // given
        port.full = true;
        send(1);
        assertThat(call.requested).isEqualTo(1);

        // when
        port.full = false;
        scheduler.advance(Duration.ofMillis(20));

        // then
        assertThat(port.taken).hasSize(1);
        assertThat(call.requested).isEqualTo(2);
        assertThat(call.error).isNull();
    }

    @Test
    void shouldTellHowFarItCameWhenARecordFails() throws Exception {
        // given
        for (int i = 0; i < 4; i++) {
            send(1);
        }
        port.taken.get(0).succeed(5);
        port.taken.get(3).succeed(9);

        // when
        port.taken.get(2).fail(ErrorCode.MESSAGE_TOO_LARGE);

        // then
        assertThat(code()).isEqualTo(Status.Code.FAILED_PRECONDITION);
        assertThat(progress().getFirstUnacknowledged()).isEqualTo(1);
        assertThat(progress().getAcknowledged()).isEqualTo(2);
        assertThat(port.cancelled).isEqualTo(2);
        assertThat(budget.bytes()).isZero();
        port.taken.get(1).succeed(6);
        assertThat(call.sent).isEmpty();
    }

    @Test
    void shouldReleaseEverythingWhenTheCallerIsGone() {
        // given
        send(100);
        send(100);
        assertThat(budget.bytes()).isGreaterThan(200);

        // when
        call.cancel();

        // then
        assertThat(port.cancelled).isEqualTo(2);
        assertThat(budget.bytes()).isZero();
        assertThat(streams.count()).isZero();
    }

    // Fails if: the budget keeps what waits for room when its stream has ended.
    @Test
    void shouldWaitForNoRoomWhenTheCallerIsGone() {
        // given
        budget.charge(1 << 20);
        send(1);
        assertThat(budget.waiting()).isEqualTo(1);

        // when
        call.cancel();

        // then
        assertThat(budget.waiting()).isZero();
    }

    @Test
    void shouldAnswerWhatItTookWhenTheBrokerStops() throws Exception {
        // given
        send(1);

        // when
        service.stopPublishing(Duration.ZERO);
        assertThat(call.error).isNull();
        port.taken.get(0).succeed(5);

        // then
        assertThat(code()).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(progress().getFirstUnacknowledged()).isEqualTo(1);
    }

    @Test
    void shouldRefuseAMalformedRecord() throws Exception {
        send(1);
        port.taken.get(0).succeed(5);
        records.onNext(PublishRequest.getDefaultInstance());
        assertThat(code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(progress().getAcknowledged()).isEqualTo(1);
    }

    @Test
    void shouldTakeTheFirstMessagesAcksForAll() {
        records.onNext(PublishRequest.newBuilder()
                .setTopic("a")
                .setAcks(io.tidemark.wire.v1.Acks.ACKS_LEADER)
                .build());
        send(1);
        assertThat(port.taken).extracting(each -> each.publication().acks()).containsExactly(Acks.LEADER, Acks.LEADER);
    }
}
