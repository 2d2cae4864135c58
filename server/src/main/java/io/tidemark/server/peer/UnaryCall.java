package io.tidemark.server.peer;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.tidemark.runtime.Cancellable;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * A unary call with exactly one outcome. The deadline is counted from the call, never from when a stub was made (KNOWN_BUGS 43,
 * grpc/grpc-java#1849).
 */
final class UnaryCall<A> implements StreamObserver<A> {
    private final Consumer<A> answered;
    private final Consumer<Status> failed;
    private final AtomicBoolean done = new AtomicBoolean();

    private UnaryCall(Consumer<A> answered, Consumer<Status> failed) {
        this.answered = answered;
        this.failed = failed;
    }

    /** How to call. */
    record Target<Q, A>(Channel channel, MethodDescriptor<Q, A> method, Duration timeout, Unreachable unreachable) {}

    /** What to do about a connection that is down. */
    enum Unreachable {
        FAIL_AT_ONCE,
        WAIT_UNTIL_TIMEOUT
    }

    /**
     * Calls one of the consumers once, on any thread. Never blocks, never throws.
     *
     * @return for who is no longer interested: the peer is told so
     */
    static <Q, A> Cancellable send(Target<Q, A> target, Q request, Consumer<A> answered, Consumer<Status> failed) {
        UnaryCall<A> call = new UnaryCall<>(answered, failed);
        CallOptions options =
                CallOptions.DEFAULT.withDeadlineAfter(target.timeout().toNanos(), TimeUnit.NANOSECONDS);
        if (target.unreachable() == Unreachable.WAIT_UNTIL_TIMEOUT) {
            options = options.withWaitForReady();
        }
        try {
            ClientCall<Q, A> sent = target.channel().newCall(target.method(), options);
            ClientCalls.asyncUnaryCall(sent, request, call);
            return () -> sent.cancel("nobody waits for the answer", null);
        } catch (RuntimeException e) {
            call.onError(e);
            return () -> {};
        }
    }

    @Override
    public void onNext(A answer) {
        if (done.compareAndSet(false, true)) {
            answered.accept(answer);
        }
    }

    @Override
    public void onError(Throwable failure) {
        if (done.compareAndSet(false, true)) {
            failed.accept(Status.fromThrowable(failure));
        }
    }

    @Override
    public void onCompleted() {
        if (done.compareAndSet(false, true)) {
            failed.accept(Status.INTERNAL.withDescription("the peer ended the call without an answer"));
        }
    }
}
