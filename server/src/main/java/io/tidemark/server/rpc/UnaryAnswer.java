package io.tidemark.server.rpc;

import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.tidemark.model.ErrorCode;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one answer of a unary call, given from any thread; later ones, and one to a caller that is gone, are dropped. */
final class UnaryAnswer<T> {
    private static final Logger LOG = LoggerFactory.getLogger(UnaryAnswer.class);

    private final ServerCallStreamObserver<T> call;
    private final RequestMeter meter;
    private final long begunAtNs;
    private final @Nullable Deadline deadline;
    private final AtomicBoolean done = new AtomicBoolean();
    private final AtomicReference<@Nullable Runnable> whenGone = new AtomicReference<>();

    /** To be made on the call's own thread, before the service method returns. */
    UnaryAnswer(StreamObserver<T> observer, RequestMeter meter) {
        this.call = (ServerCallStreamObserver<T>) observer;
        this.meter = meter;
        this.begunAtNs = meter.nowNs();
        this.deadline = Context.current().getDeadline();
        // With a handler set, an answer to a caller that is gone is dropped instead of thrown back.
        call.setOnCancelHandler(() -> {
            if (done.compareAndSet(false, true)) {
                runWhenGone();
            }
        });
    }

    /** Runs {@code action} if the caller goes before its answer, at once if it has gone; one at most. */
    void whenGone(Runnable action) {
        whenGone.set(action);
        if (call.isCancelled()) {
            runWhenGone();
        }
    }

    private void runWhenGone() {
        Runnable action = whenGone.getAndSet(null);
        if (action != null) {
            action.run();
        }
    }

    /** @param error that the message carries, or NONE: for the meter */
    void answer(T message, ErrorCode error) {
        if (done.compareAndSet(false, true)) {
            meter.answered(begunAtNs, error);
            deliver(() -> {
                call.onNext(message);
                call.onCompleted();
            });
        }
    }

    void fail(Throwable cause) {
        if (done.compareAndSet(false, true)) {
            meter.answered(begunAtNs, Errors.codeOf(cause));
            deliver(() -> call.onError(Errors.failed(meter.rpc(), cause)));
        }
    }

    /** Fails with a status that is made already. */
    void fail(StatusRuntimeException status, ErrorCode reason) {
        if (done.compareAndSet(false, true)) {
            meter.answered(begunAtNs, reason);
            deliver(() -> call.onError(status));
        }
    }

    /** Whether an answer is still of use. */
    boolean isWanted() {
        return !done.get();
    }

    /** How long the caller will still wait; {@code otherwise} if it did not say. */
    Duration timeLeft(Duration otherwise) {
        return deadline == null ? otherwise : Duration.ofNanos(deadline.timeRemaining(TimeUnit.NANOSECONDS));
    }

    private void deliver(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            // Only a call that the transport closed meanwhile refuses its answer.
            LOG.debug("the answer of {} finds nobody", meter.rpc(), e);
        }
    }
}
