package io.tidemark.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemark.core.testkit.ManualClock;
import io.tidemark.model.ErrorCode;
import io.tidemark.record.LogRecord;
import io.tidemark.runtime.Cancellable;
import io.tidemark.runtime.EventLoop;
import io.tidemark.wire.v1.SubscribeRequest;
import io.tidemark.wire.v1.SubscribeResponse;
import io.tidemark.wire.v1.Subscription;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class SubscriberTest {
    private final FakeCall<SubscribeResponse> call = new FakeCall<>();
    private final FakePort port = new FakePort();
    private final OpenStreams streams = new OpenStreams();
    private final AtomicInteger reading = new AtomicInteger();
    private final StreamObserver<SubscribeRequest> requests = begin();

    private StreamObserver<SubscribeRequest> begin() {
        Subscriber subscriber = new Subscriber(
                call,
                port,
                streams,
                new RequestMeters(new SimpleMeterRegistry(), new ManualClock()).of("Subscribe"),
                reading);
        subscriber.begin();
        return subscriber.requests();
    }

    /** Runs each task at once, and timers when the test says so: everything happens on the test's thread. */
    private static final class InlineLoop implements EventLoop {
        private final List<Runnable> timers = new ArrayList<>();
        private final List<Duration> delays = new ArrayList<>();

        @Override
        public void execute(Runnable task) {
            task.run();
        }

        @Override
        public boolean inLoop() {
            return true;
        }

        @Override
        public Cancellable schedule(Duration delay, Runnable task) {
            timers.add(task);
            delays.add(delay);
            return () -> timers.remove(task);
        }

        @Override
        public Cancellable scheduleEvery(Duration period, Runnable task) {
            throw new UnsupportedOperationException("a subscriber has no such timers");
        }
    }

    private static final class FakePort implements SubscribePort, SubscribePort.Reading {
        private final InlineLoop loop = new InlineLoop();
        private @Nullable Listener listener;
        private long demandBytes;
        private boolean closed;

        @Override
        public EventLoop loop() {
            return loop;
        }

        @Override
        public Reading open(Plain.Selection selection, ToLongFunction<LogRecord> weigher, Listener to) {
            listener = to;
            return this;
        }

        @Override
        public void start() {}

        @Override
        public void demand(long bytes) {
            demandBytes = bytes;
        }

        @Override
        public void close() {
            closed = true;
        }

        Listener listener() {
            Listener opened = listener;
            if (opened == null) {
                throw new AssertionError("nothing is open");
            }
            return opened;
        }
    }

    private void start(long creditBytes) {
        requests.onNext(SubscribeRequest.newBuilder()
                .setStart(Subscription.newBuilder().setTopic("a").setCreditBytes(creditBytes))
                .build());
    }

    private void credit(long bytes) {
        SubscribeRequest.Builder request = SubscribeRequest.newBuilder();
        request.getCreditBuilder().setBytes(bytes);
        requests.onNext(request.build());
    }

    /** A record of exactly that weight. */
    private static LogRecord record(int weightBytes) {
        int valueBytes = weightBytes;
        LogRecord record = new LogRecord(1, 1, null, ByteBuffer.allocate(valueBytes), List.of());
        while (PlainMapper.weightBytes(record) > weightBytes) {
            valueBytes--;
            record = new LogRecord(1, 1, null, ByteBuffer.allocate(valueBytes), List.of());
        }
        return record;
    }

    private void push(int weightBytes) {
        port.demandBytes = 0;
        port.listener().onRecords(new Plain.Slice(0, List.of(record(weightBytes)), 2, 2));
    }

    private Status.Code code() {
        assertThat(call.error).isInstanceOf(StatusRuntimeException.class);
        return ((StatusRuntimeException) call.error).getStatus().getCode();
    }

    @Test
    void shouldDemandNoMoreThanTheCredit() {
        start(1_000);
        assertThat(port.demandBytes).isEqualTo(1_000);
        push(600);
        assertThat(port.demandBytes).isEqualTo(400);
        push(400);
        assertThat(port.demandBytes).isZero();
        credit(50);
        assertThat(port.demandBytes).isEqualTo(50);
        assertThat(call.sent).hasSize(2);
    }

    @Test
    void shouldDemandASliceAtATime() {
        start(1L << 40);
        assertThat(port.demandBytes).isEqualTo(Subscriber.SLICE_BYTES);
    }

    @Test
    void shouldDemandNothingWhileTheTransportIsNotReady() {
        // KNOWN_BUGS 40 (grpc/grpc-java#7584)
        call.ready = false;
        start(0);
        assertThat(port.demandBytes).isZero();
        call.becomeReady();
        assertThat(port.demandBytes).isEqualTo(Subscriber.SLICE_BYTES);
    }

    @Test
    void shouldLetALargeRecordWaitForCredit() {
        // given
        start(1_000);
        push(500);

        // when
        port.listener().onTooHeavy(900);
        assertThat(port.demandBytes).isEqualTo(500);
        credit(399);
        assertThat(port.demandBytes).isEqualTo(500);
        credit(1);

        // then
        assertThat(port.demandBytes).isEqualTo(900);
    }

    @Test
    void shouldSendARecordThatIsLargerThanAllCreditAlone() {
        // given
        start(1_000);

        // when
        port.listener().onTooHeavy(5_000);
        assertThat(port.demandBytes).isEqualTo(5_000);
        push(5_000);

        // then
        assertThat(port.demandBytes).isZero();
        credit(4_000);
        assertThat(port.demandBytes).isZero();
        credit(1);
        assertThat(port.demandBytes).isEqualTo(1);
    }

    @Test
    void shouldRefuseCreditBeforeTheStart() {
        credit(5);
        assertThat(code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(reading).hasValue(0);
    }

    @Test
    void shouldRefuseASecondStart() {
        start(5);
        start(5);
        assertThat(code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(port.closed).isTrue();
    }

    @Test
    void shouldRefuseCreditThatOverflows() {
        start(5);
        credit(Long.MAX_VALUE);
        assertThat(code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    }

    @Test
    void shouldRefuseCreditThatIsNone() {
        start(5);
        credit(0);
        assertThat(code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    }

    @Test
    void shouldRefuseCreditOfACallerThatIsPacedByTheTransport() {
        start(0);
        credit(5);
        assertThat(code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    }

    @Test
    void shouldRefuseACallerThatSaysNothing() {
        requests.onCompleted();
        assertThat(code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    }

    // Fails if: begin takes whatever comes.
    @Test
    void shouldTakeNoMoreSubscribersThanItsMemoryIsMeantFor() {
        // given
        reading.set(Subscriber.MAX_READING);
        FakeCall<SubscribeResponse> one = new FakeCall<>();
        Subscriber subscriber = new Subscriber(
                one,
                port,
                streams,
                new RequestMeters(new SimpleMeterRegistry(), new ManualClock()).of("Subscribe"),
                reading);

        // when
        subscriber.begin();

        // then
        assertThat(Status.fromThrowable(one.error).getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(one.requested).isZero();
        assertThat(reading).hasValue(Subscriber.MAX_READING);
        assertThat(streams.count()).as("the first one stays").isEqualTo(1);
    }

    // Fails if: nothing ends a call that says nothing.
    @Test
    void shouldEndACallThatDoesNotSayWhatItReads() {
        assertThat(port.loop.delays).containsExactly(Duration.ofSeconds(30));
        port.loop.timers.get(0).run();
        assertThat(code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(reading).hasValue(0);
    }

    // Fails if: the timer of the first message outlives it.
    @Test
    void shouldWaitNoLongerForAStartThatCame() {
        start(100);
        assertThat(port.loop.timers).isEmpty();
    }

    @Test
    void shouldGoOnForACallerThatClosedItsSideWithoutCredit() {
        start(0);
        requests.onCompleted();
        push(100);
        assertThat(call.sent).hasSize(1);
        assertThat(call.completed).isFalse();
        assertThat(port.demandBytes).isEqualTo(Subscriber.SLICE_BYTES);
    }

    @Test
    void shouldEndWhenACallerThatClosedItsSideHasNoCreditLeft() {
        start(100);
        requests.onCompleted();
        assertThat(call.completed).isFalse();
        push(100);
        assertThat(call.completed).isTrue();
        assertThat(port.closed).isTrue();
    }

    @Test
    void shouldReleaseEverythingWhenTheCallerIsGone() {
        start(100);
        assertThat(reading).hasValue(1);
        assertThat(streams.count()).isEqualTo(1);
        call.cancel();
        assertThat(port.closed).isTrue();
        assertThat(reading).hasValue(0);
        assertThat(streams.count()).isZero();
    }

    @Test
    void shouldTellSubscribersThatTheBrokerStops() {
        start(100);
        streams.finishAll();
        assertThat(code()).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(port.closed).isTrue();
    }

    @Test
    void shouldPassOnWhyItCannotReadOn() {
        start(100);
        port.listener()
                .onFailure(new Plain.Failure(
                        Plain.Failure.Kind.READ,
                        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
                        ErrorCode.Outcome.FAILED_RETRY,
                        "there is no topic a",
                        Plain.About.topic("a")));
        assertThat(code()).isEqualTo(Status.Code.NOT_FOUND);
    }
}
