package io.tidemark.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.ErrorInfo;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.ManualScheduler;
import io.tidemark.record.LogRecord;
import io.tidemark.runtime.Cancellable;
import io.tidemark.runtime.EventLoop;
import io.tidemark.wire.v1.PublishRequest;
import io.tidemark.wire.v1.PublishResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;

/** Single publishes: what they are refused for, and what they hold. */
final class PlainServiceTest {
    private static final int BUDGET_BYTES = 1_000;

    private final FakeCall<PublishResponse> call = new FakeCall<>();
    private final InFlightBytes budget = new InFlightBytes(BUDGET_BYTES);
    private final List<Consumer<Plain.Outcome>> taken = new ArrayList<>();
    private final ManualClock clock = new ManualClock();
    private RuntimeException defect;

    private final PlainService service = new PlainService(
            this::take,
            new NoSubscriptions(),
            new StreamContext(new OpenStreams(), budget, new RequestMeters(new SimpleMeterRegistry(), clock)),
            new ManualScheduler(clock));

    private Cancellable take(Plain.Publication publication, Consumer<Plain.Outcome> answer) {
        if (defect != null) {
            throw defect;
        }
        taken.add(answer);
        return () -> {};
    }

    private static final class NoSubscriptions implements SubscribePort {
        @Override
        public EventLoop loop() {
            throw new UnsupportedOperationException("nobody subscribes here");
        }

        @Override
        public Reading open(Plain.Selection selection, ToLongFunction<LogRecord> weigher, Listener listener) {
            throw new UnsupportedOperationException("nobody subscribes here");
        }
    }

    private void publish() {
        service.publish(
                PublishRequest.newBuilder()
                        .setTopic("a")
                        .setValue(ByteString.copyFromUtf8("v"))
                        .build(),
                call);
    }

    private Status.Code code() {
        return Status.fromThrowable(call.error).getCode();
    }

    private String outcome() throws InvalidProtocolBufferException {
        return StatusProto.fromThrowable(call.error)
                .getDetails(0)
                .unpack(ErrorInfo.class)
                .getMetadataOrThrow("outcome");
    }

    // Fails if: a record is taken beyond the budget.
    @Test
    void shouldRefuseARecordThatTheBudgetHasNoRoomFor() throws Exception {
        // given
        budget.charge(BUDGET_BYTES);

        // when
        publish();

        // then: it was certainly not written, and may be tried again
        assertThat(code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(outcome()).isEqualTo("retry");
        assertThat(taken).isEmpty();
        assertThat(budget.bytes()).isEqualTo(BUDGET_BYTES);
    }

    // Fails if: a stopping broker takes records that it may not come to answer.
    @Test
    void shouldRefuseARecordWhileTheBrokerStops() throws Exception {
        // given
        service.stopPublishing(Duration.ZERO);

        // when
        publish();

        // then
        assertThat(code()).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(outcome()).isEqualTo("retry");
        assertThat(taken).isEmpty();
        assertThat(budget.bytes()).isZero();
    }

    @Test
    void shouldHoldARecordsBytesUntilItsAnswer() {
        // given
        publish();
        assertThat(budget.bytes()).isPositive();

        // when
        taken.get(0).accept(new Plain.Outcome.Published(0, 7));

        // then
        assertThat(budget.bytes()).isZero();
        assertThat(call.sent)
                .singleElement()
                .satisfies(answer -> assertThat(answer.getOffset()).isEqualTo(7));
    }

    // Fails if: what was charged for a record stays charged when the port throws.
    @Test
    void shouldHoldNothingWhenThePortFails() {
        // given
        defect = new IllegalStateException("planted");

        // when
        publish();

        // then
        assertThat(code()).isEqualTo(Status.Code.INTERNAL);
        assertThat(budget.bytes()).isZero();
        service.stopPublishing(Duration.ofDays(1));
    }
}
