package io.tidemark.server.peer;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientResponseObserver;
import io.tidemark.runtime.Cancellable;
import io.tidemark.runtime.Scheduler;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * One bidirectional stream to a peer that answers in the order of the requests. It is opened by the first request, and again
 * by the first one after a failure.
 *
 * <p>Once open it stays open, with or without requests, until it fails or is closed.
 *
 * <p>Each request is answered exactly once: by its answer, by the failure of the stream, by its timeout (which ends the stream,
 * since a late answer would be taken for the next one's), or by {@link #close()}. {@link #send} is for one thread at a time;
 * everything else is thread-safe. Never blocks, never throws.
 *
 * @param <Q> requests
 * @param <A> answers
 */
final class PeerStream<Q, A> implements AutoCloseable {
    private final Protocol<Q, A> protocol;
    private final Supplier<Channel> channel;
    private final Scheduler scheduler;
    private final Runnable onBreak;
    private final AtomicReference<Conversation> current = new AtomicReference<>();
    private volatile boolean closed;

    /**
     * What is said on the stream.
     *
     * @param requestNumber of a request
     * @param answerNumber of the request that is answered
     * @param unasked takes a message that answers nothing, and says whether it was one
     */
    record Protocol<Q, A>(
            MethodDescriptor<Q, A> method,
            ToLongFunction<Q> requestNumber,
            ToLongFunction<A> answerNumber,
            Predicate<A> unasked) {}

    /** Hears what came of a request: one call of one method, on any thread. */
    interface Receiver<A> {
        void answered(A answer);

        void failed(Status status);
    }

    /** @param channel gives the connection of the moment */
    PeerStream(Protocol<Q, A> protocol, Supplier<Channel> channel, Scheduler scheduler) {
        this(protocol, channel, scheduler, () -> {});
    }

    /** @param onBreak called on any thread when the stream has failed, not when it is closed; it does not wait */
    PeerStream(Protocol<Q, A> protocol, Supplier<Channel> channel, Scheduler scheduler, Runnable onBreak) {
        this.protocol = protocol;
        this.channel = channel;
        this.scheduler = scheduler;
        this.onBreak = onBreak;
    }

    /** Opens the stream unless it is open or closed for good. For the thread that sends. */
    void open() {
        if (!closed) {
            var unused = conversation();
        }
    }

    void send(Q request, Duration timeout, Receiver<A> receiver) {
        if (closed) {
            receiver.failed(Status.CANCELLED.withDescription("closed"));
            return;
        }
        conversation().send(request, timeout, receiver);
    }

    private Conversation conversation() {
        Conversation known = current.get();
        if (known != null) {
            return known;
        }
        Conversation opened = new Conversation();
        current.set(opened);
        opened.open();
        if (closed) {
            opened.end(Status.CANCELLED.withDescription("closed"));
        }
        return opened;
    }

    /** Fails what is outstanding. Idempotent; nothing can be sent afterwards. */
    @Override
    public void close() {
        closed = true;
        Conversation conversation = current.get();
        if (conversation != null) {
            conversation.end(Status.CANCELLED.withDescription("closed"));
        }
    }

    /** A request that waits for its answer. */
    private final class Pending {
        private final long number;
        private final Receiver<A> receiver;
        private final AtomicBoolean done = new AtomicBoolean();
        private final AtomicReference<Cancellable> timer = new AtomicReference<>();

        Pending(long number, Receiver<A> receiver) {
            this.number = number;
            this.receiver = receiver;
        }

        void startTimer(Duration timeout, Runnable onTimeout) {
            Cancellable started = scheduler.schedule(timeout, onTimeout);
            timer.set(started);
            if (done.get()) {
                started.cancel();
            }
        }

        void answered(A answer) {
            if (finish()) {
                receiver.answered(answer);
            }
        }

        void failed(Status status) {
            if (finish()) {
                receiver.failed(status);
            }
        }

        private boolean finish() {
            boolean first = done.compareAndSet(false, true);
            Cancellable started = timer.get();
            if (first && started != null) {
                started.cancel();
            }
            return first;
        }
    }

    /** The stream between two failures. */
    private final class Conversation implements ClientResponseObserver<Q, A> {
        private final Queue<Pending> pending = new ConcurrentLinkedQueue<>();
        private final AtomicReference<Status> ended = new AtomicReference<>();
        private final AtomicReference<ClientCallStreamObserver<Q>> requests = new AtomicReference<>();

        void open() {
            try {
                ClientCalls.asyncBidiStreamingCall(channel.get().newCall(protocol.method(), CallOptions.DEFAULT), this);
            } catch (RuntimeException e) {
                end(Status.fromThrowable(e));
            }
        }

        void send(Q request, Duration timeout, Receiver<A> receiver) {
            Pending entry = new Pending(protocol.requestNumber().applyAsLong(request), receiver);
            pending.add(entry);
            if (ended.get() == null) {
                entry.startTimer(
                        timeout,
                        () -> end(Status.DEADLINE_EXCEEDED.withDescription(
                                "no answer within " + timeout.toMillis() + " ms")));
                write(request);
            }
            failIfEnded();
        }

        @Override
        public void beforeStart(ClientCallStreamObserver<Q> stream) {
            requests.set(stream);
        }

        @Override
        public void onNext(A answer) {
            if (protocol.unasked().test(answer)) {
                return;
            }
            Pending entry = pending.poll();
            if (entry == null) {
                end(Status.INTERNAL.withDescription("an answer to nothing"));
            } else if (entry.number != protocol.answerNumber().applyAsLong(answer)) {
                entry.failed(Status.INTERNAL.withDescription("answered out of order"));
                end(Status.INTERNAL.withDescription("answered out of order"));
            } else {
                entry.answered(answer);
            }
        }

        @Override
        public void onError(Throwable failure) {
            end(Status.fromThrowable(failure));
        }

        @Override
        public void onCompleted() {
            end(Status.UNAVAILABLE.withDescription("the peer ended the stream"));
        }

        void end(Status status) {
            if (!ended.compareAndSet(null, status)) {
                return;
            }
            current.compareAndSet(this, null);
            ClientCallStreamObserver<Q> stream = requests.get();
            if (stream != null) {
                stream.cancel(String.valueOf(status.getDescription()), null);
            }
            failIfEnded();
            if (!closed) {
                onBreak.run();
            }
        }

        private void write(Q request) {
            ClientCallStreamObserver<Q> stream = requests.get();
            try {
                if (stream != null) {
                    stream.onNext(request);
                }
            } catch (RuntimeException e) {
                end(Status.fromThrowable(e));
            }
        }

        private void failIfEnded() {
            Status status = ended.get();
            if (status == null) {
                return;
            }
            for (Pending entry = pending.poll(); entry != null; entry = pending.poll()) {
                entry.failed(status);
            }
        }
    }
}
