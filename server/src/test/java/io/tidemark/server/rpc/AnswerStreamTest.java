package io.tidemark.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemark.core.testkit.ManualClock;
import io.tidemark.model.ErrorCode;
import io.tidemark.wire.v1.ProduceRequest;
import io.tidemark.wire.v1.ProduceResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class AnswerStreamTest {
    private final FakeCall<ProduceResponse> call = new FakeCall<>();
    private final OpenStreams streams = new OpenStreams();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final RequestMeters meters = new RequestMeters(registry, new ManualClock());
    private final List<OpenRequest<ProduceResponse>> received = new ArrayList<>();
    private AnswerStream<ProduceResponse> stream;

    private StreamObserver<ProduceRequest> open(StreamBounds bounds, InFlightBytes budget) {
        StreamContext context = new StreamContext(streams, budget, meters);
        stream = new AnswerStream<>(call, bounds, context, meters.of("Produce"));
        return stream.read((message, request) -> received.add(request));
    }

    private StreamObserver<ProduceRequest> open() {
        return open(new StreamBounds(10, 1_000), InFlightBytes.unlimited());
    }

    private static ProduceRequest request(long id) {
        return ProduceRequest.newBuilder().setCorrelationId(id).build();
    }

    private static ProduceResponse response(long id) {
        return ProduceResponse.newBuilder().setCorrelationId(id).build();
    }

    private List<Long> sentIds() {
        return call.sent.stream().map(ProduceResponse::getCorrelationId).toList();
    }

    private void answer(int index, long id) {
        received.get(index).answer(response(id), ErrorCode.NONE);
    }

    @Test
    void shouldAskForOneMessageAtATimeByItself() {
        // when
        StreamObserver<ProduceRequest> in = open();

        // then
        assertThat(call.autoRequest).isFalse();
        assertThat(call.requested).isEqualTo(1);
        in.onNext(request(1));
        assertThat(call.requested).isEqualTo(2);
    }

    @Test
    void shouldAnswerInWhateverOrderAnswersCome() {
        // given
        StreamObserver<ProduceRequest> in = open();
        in.onNext(request(1));
        in.onNext(request(2));

        // when
        answer(1, 2);
        answer(0, 1);

        // then
        assertThat(sentIds()).containsExactly(2L, 1L);
    }

    @Test
    void shouldAnswerARequestOnce() {
        // given
        StreamObserver<ProduceRequest> in = open();
        in.onNext(request(1));

        // when
        answer(0, 1);
        answer(0, 1);

        // then
        assertThat(sentIds()).containsExactly(1L);
        assertThat(registry.get("tidemark.requests")
                        .tag("rpc", "Produce")
                        .tag("error", "NONE")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    /** KNOWN_BUGS 40. */
    @Test
    void shouldQueueWhileTheTransportIsNotReadyAndGoOnWhenItIs() {
        // given
        StreamObserver<ProduceRequest> in = open();
        in.onNext(request(1));
        in.onNext(request(2));
        call.ready = false;

        // when
        answer(0, 1);
        answer(1, 2);

        // then
        assertThat(call.sent).isEmpty();
        call.becomeReady();
        assertThat(sentIds()).containsExactly(1L, 2L);
    }

    @Test
    void shouldReadNothingMoreWhileTooManyRequestsAreOpen() {
        // given
        StreamObserver<ProduceRequest> in = open(new StreamBounds(2, 1_000), InFlightBytes.unlimited());
        in.onNext(request(1));
        in.onNext(request(2));
        assertThat(call.requested).isEqualTo(2);

        // when
        call.ready = false;
        answer(0, 1);

        // then: an answer that is not on the wire makes no room
        assertThat(call.requested).isEqualTo(2);
        call.becomeReady();
        assertThat(call.requested).isEqualTo(3);
    }

    @Test
    void shouldReadNothingMoreWhileTooManyBytesAreQueued() {
        // given
        StreamObserver<ProduceRequest> in = open(new StreamBounds(10, 1), InFlightBytes.unlimited());
        in.onNext(request(1));
        in.onNext(request(2));
        call.ready = false;
        answer(0, 1);

        // when
        in.onNext(request(3));

        // then
        assertThat(call.requested).isEqualTo(3);
        call.becomeReady();
        assertThat(call.requested).isEqualTo(4);
    }

    @Test
    void shouldReadNothingMoreWhileTheBudgetIsUsedUpAndResumeOnRelease() {
        // given
        InFlightBytes budget = new InFlightBytes(10);
        StreamObserver<ProduceRequest> in = open(new StreamBounds(10, 1_000), budget);
        budget.charge(10);

        // when
        in.onNext(request(1));

        // then
        assertThat(call.requested).isEqualTo(1);
        budget.release(10);
        assertThat(call.requested).isEqualTo(2);
    }

    @Test
    void shouldNotStopForGoodWhenTheBudgetIsSmallerThanOneRequest() {
        // given
        InFlightBytes budget = new InFlightBytes(1);
        StreamContext context = new StreamContext(streams, budget, meters);
        stream = new AnswerStream<>(call, new StreamBounds(10, 1_000), context, meters.of("Produce"));
        StreamObserver<ProduceRequest> in = stream.read((message, request) -> {
            budget.charge(1_000_000);
            request.answer(response(1), ErrorCode.NONE);
            budget.release(1_000_000);
        });

        // when
        for (int i = 0; i < 100; i++) {
            in.onNext(request(i));
        }

        // then
        assertThat(call.requested).isEqualTo(101);
        assertThat(call.sent).hasSize(100);
    }

    @Test
    void shouldCallOffWhatWaitsWhenTheCallerVanishes() {
        // given
        List<String> cancelled = new ArrayList<>();
        StreamObserver<ProduceRequest> in = open();
        in.onNext(request(1));
        in.onNext(request(2));
        in.onNext(request(3));
        received.get(0).waitsOn(() -> cancelled.add("1"));
        received.get(1).waitsOn(() -> cancelled.add("2"));
        answer(1, 2);

        // when
        call.cancel();

        // then
        assertThat(cancelled).containsExactly("1");
        received.get(2).waitsOn(() -> cancelled.add("3"));
        assertThat(cancelled).containsExactly("1", "3");
        assertThat(streams.count()).isZero();
        answer(0, 1);
        assertThat(sentIds()).containsExactly(2L);
    }

    @Test
    void shouldNotParkARequestThatIsAnsweredAlready() {
        // given
        List<String> cancelled = new ArrayList<>();
        StreamObserver<ProduceRequest> in = open();
        in.onNext(request(1));

        // when
        answer(0, 1);
        received.get(0).waitsOn(() -> cancelled.add("1"));
        call.cancel();

        // then
        assertThat(cancelled).isEmpty();
    }

    @Test
    void shouldAnswerWhatIsOpenAfterTheCallersHalfClose() {
        // given
        StreamObserver<ProduceRequest> in = open();
        in.onNext(request(1));

        // when
        in.onCompleted();

        // then
        assertThat(call.completed).isFalse();
        answer(0, 1);
        assertThat(sentIds()).containsExactly(1L);
        assertThat(call.completed).isTrue();
        assertThat(streams.count()).isZero();
    }

    @Test
    void shouldEndWhenTheListenerStopsButAnswerFirst() {
        // given
        StreamObserver<ProduceRequest> in = open();
        in.onNext(request(1));
        int requestedBefore = call.requested;

        // when
        streams.finishAll();

        // then
        assertThat(call.error).isNull();
        answer(0, 1);
        assertThat(sentIds()).containsExactly(1L);
        assertThat(((StatusRuntimeException) call.error).getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(call.requested).isEqualTo(requestedBefore);
    }

    @Test
    void shouldEndAtOnceWhenItIsOpenedWhileTheListenerStops() {
        // given
        streams.finishAll();

        // when
        open();

        // then
        assertThat(((StatusRuntimeException) call.error).getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(streams.count()).isZero();
    }

    @Test
    void shouldFailTheStreamWhenAHandlerThrowsAndTellTheCallerNothingOfTheInside() {
        // given
        List<String> cancelled = new ArrayList<>();
        StreamContext context = new StreamContext(streams, InFlightBytes.unlimited(), meters);
        stream = new AnswerStream<>(call, new StreamBounds(10, 1_000), context, meters.of("Produce"));
        StreamObserver<ProduceRequest> in =
                stream.read((ProduceRequest message, OpenRequest<ProduceResponse> request) -> {
                    if (message.getCorrelationId() == 2) {
                        throw new IllegalStateException("secret");
                    }
                    request.waitsOn(() -> cancelled.add("1"));
                });
        in.onNext(request(1));

        // when
        in.onNext(request(2));

        // then
        Status status = ((StatusRuntimeException) call.error).getStatus();
        assertThat(status.getCode()).isEqualTo(Status.Code.INTERNAL);
        assertThat(status.getDescription()).doesNotContain("secret");
        assertThat(cancelled).containsExactly("1");
    }

    @Test
    void shouldEndWhenTheTransportRefusesAMessage() {
        // given
        StreamObserver<ProduceRequest> in = open();
        in.onNext(request(1));
        call.refuseNext = new IllegalStateException("call already closed");

        // when
        answer(0, 1);

        // then
        assertThat(call.error).isNotNull();
        assertThat(streams.count()).isZero();
    }

    /** S15, DESIGN 5: an acknowledgement that the transport has not taken yet must not leave after a storage failure. */
    // Fails if: AnswerStream.write hands a queued answer to the transport without asking whether the storage failed.
    @Test
    void shouldEndInsteadOfAnsweringAfterAStorageFailure() {
        // given
        boolean[] failed = {false};
        StreamContext context = new StreamContext(streams, InFlightBytes.unlimited(), meters, () -> failed[0]);
        stream = new AnswerStream<>(call, new StreamBounds(10, 1_000), context, meters.of("Produce"));
        StreamObserver<ProduceRequest> in =
                stream.read((ProduceRequest message, OpenRequest<ProduceResponse> request) -> {
                    received.add(request);
                });
        in.onNext(request(1));
        in.onNext(request(2));
        in.onNext(request(3));
        answer(0, 1);
        call.ready = false;
        answer(1, 2);

        // when
        failed[0] = true;
        call.becomeReady();
        answer(2, 3);

        // then
        assertThat(sentIds()).containsExactly(1L);
        assertThat(((StatusRuntimeException) call.error).getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
        assertThat(streams.count()).isZero();
    }

    @Test
    void shouldRunItsEndActionOnceHoweverItEnds() {
        // given
        List<String> ends = new ArrayList<>();
        open();
        stream.onEnd(() -> ends.add("end"));

        // when
        call.cancel();
        call.cancel();

        // then
        assertThat(ends).containsExactly("end");
        stream.onEnd(() -> ends.add("late"));
        assertThat(ends).containsExactly("end", "late");
    }

    @Test
    void shouldLoseNoAnswerWhenManyThreadsAnswerAndTheTransportComesAndGoes() throws Exception {
        // given
        int requests = 2_000;
        StreamObserver<ProduceRequest> in = open(new StreamBounds(requests + 1, 1L << 30), InFlightBytes.unlimited());
        for (int i = 0; i < requests; i++) {
            in.onNext(request(i));
        }
        ExecutorService threads = Executors.newFixedThreadPool(4);
        CountDownLatch done = new CountDownLatch(requests);

        // when
        for (int i = 0; i < requests; i++) {
            int index = i;
            threads.execute(() -> {
                answer(index, index);
                done.countDown();
            });
        }
        assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
        threads.shutdown();
        assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();

        // then: one writer at a time, so the plain list of the fake call has all of them
        assertThat(sentIds()).doesNotHaveDuplicates().hasSize(requests);
    }
}
