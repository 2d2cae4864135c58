package io.tidemark.server.rpc;

import com.google.protobuf.MessageLite;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.model.ErrorCode;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server's side of one long-lived stream, and the only writer to it (DESIGN section 7). Thread-safe; never blocks.
 *
 * <p><b>Out:</b> answers come from any thread into a queue, which one thread at a time empties while the transport is
 * ready; the ready callback goes on (grpc/grpc-java#7584). No lock is held while a message is handed to the transport.
 *
 * <p><b>In:</b> one message is asked for at a time, and only while requests that are not yet answered on the wire, and
 * the bytes of queued answers, are below the {@link StreamBounds}, and the listener's {@link InFlightBytes} have room.
 * Each request has exactly one answer, so the queue is as bounded as the open requests are.
 *
 * <p><b>End:</b> the caller's half-close and the listener's stop let open requests be answered first; a failure and the
 * caller's cancellation do not. However it ends, what still waits is called off at once. After a storage failure it ends
 * in place of its next answer, which may be an acknowledgement from before (S15): the caller is left with an unknown outcome.
 *
 * @param <T> the answers
 */
final class AnswerStream<T extends MessageLite> implements OpenStream {
    private static final Logger LOG = LoggerFactory.getLogger(AnswerStream.class);

    private final ServerCallStreamObserver<T> call;
    private final StreamBounds bounds;
    private final StreamContext context;
    private final RequestMeter meter;

    private final Queue<T> outbound = new ConcurrentLinkedQueue<>();
    private final AtomicLong queuedBytes = new AtomicLong();
    /** Above 0 while a thread drains; what is added meanwhile makes it drain once more. */
    private final AtomicInteger drains = new AtomicInteger();
    /** Received, or sent unasked, and not yet handed to the transport. */
    private final AtomicInteger open = new AtomicInteger();
    /** Requests that wait on something that the end of the stream calls off. */
    private final Set<OpenRequest<T>> parked = ConcurrentHashMap.newKeySet();

    private final AtomicBoolean messageRequested = new AtomicBoolean();
    private final AtomicBoolean waitingForRoom = new AtomicBoolean();

    /** How to end when nothing is open any more. */
    private final AtomicReference<Ending> finish = new AtomicReference<>();
    /** How to end now. */
    private final AtomicReference<Ending> failure = new AtomicReference<>();

    private final AtomicReference<Runnable> onEnd = new AtomicReference<>(() -> {});
    private final Runnable roomAgain = this::roomAgain;
    private volatile boolean ended;

    /** Null for an end without an error. */
    private record Ending(@Nullable StatusRuntimeException error) {}

    /** What is done with a request. Runs on the transport's thread: it neither blocks nor waits. */
    @FunctionalInterface
    interface Handler<Q, T extends MessageLite> {
        void handle(Q message, OpenRequest<T> request);
    }

    /** Takes over the stream; to be called before the service method returns. Reading begins at once. */
    AnswerStream(StreamObserver<T> answers, StreamBounds bounds, StreamContext context, RequestMeter meter) {
        this.call = (ServerCallStreamObserver<T>) answers;
        this.bounds = bounds;
        this.context = context;
        this.meter = meter;
    }

    /** Begins to read; each message goes to {@code handler}, in the order of receipt. */
    <Q> StreamObserver<Q> read(Handler<Q, T> handler) {
        call.disableAutoRequest();
        call.setOnReadyHandler(this::drain);
        call.setOnCancelHandler(this::ended);
        context.streams().add(this);
        pull();
        return new Reader<>(handler);
    }

    /** Runs {@code action} when the stream has ended, however it did; at once if it has. One at most. */
    void onEnd(Runnable action) {
        onEnd.set(action);
        if (ended) {
            runOnEnd();
        }
    }

    /** Sends a message that answers nothing. The caller sees to it that there are few. */
    void sendUnasked(T message) {
        open.incrementAndGet();
        enqueue(message);
    }

    /** Ends the stream when open requests are answered, and reads nothing more until then. */
    @Override
    public void finish(@Nullable StatusRuntimeException error) {
        finish.compareAndSet(null, new Ending(error));
        drain();
    }

    /** Ends the stream now. */
    void fail(Throwable cause) {
        failure.compareAndSet(null, new Ending(Errors.failed(meter.rpc(), cause)));
        drain();
    }

    void answered(OpenRequest<T> request, T message, ErrorCode error) {
        parked.remove(request);
        meter.answered(request.begunAtNs(), error);
        request.handledAtNs().ifPresent(meter::waited);
        enqueue(message);
    }

    void park(OpenRequest<T> request) {
        parked.add(request);
        if (request.isDone()) {
            parked.remove(request);
        } else if (ended) {
            request.cancel();
            parked.remove(request);
        }
    }

    private void enqueue(T message) {
        if (!ended) {
            queuedBytes.addAndGet(message.getSerializedSize());
            outbound.add(message);
            drain();
        }
    }

    private void drain() {
        if (drains.getAndIncrement() != 0) {
            return;
        }
        int seen = 1;
        while (seen != 0) {
            write();
            seen = drains.addAndGet(-seen);
        }
    }

    private void write() {
        while (!ended) {
            Ending now = failure.get();
            if (now == null && outbound.isEmpty() && open.get() == 0) {
                now = finish.get();
            }
            if (now != null) {
                end(now);
            } else if (outbound.isEmpty() || !call.isReady()) {
                return;
            } else if (context.storageFailed().getAsBoolean()) {
                failure.compareAndSet(null, storageFailed());
            } else {
                writeOne(outbound.remove());
            }
        }
        outbound.clear();
    }

    private Ending storageFailed() {
        return new Ending(Errors.failed(meter.rpc(), new KafkaStorageException("nothing is answered any more")));
    }

    private void writeOne(T message) {
        try {
            call.onNext(message);
        } catch (RuntimeException e) {
            failure.compareAndSet(null, new Ending(Errors.failed(meter.rpc(), e)));
            return;
        }
        queuedBytes.addAndGet(-message.getSerializedSize());
        open.decrementAndGet();
        pull();
    }

    private void end(Ending how) {
        StatusRuntimeException error = how.error();
        try {
            if (error == null) {
                call.onCompleted();
            } else {
                call.onError(error);
            }
        } catch (RuntimeException e) {
            // The transport closed the call first, and its cancel callback says the rest.
            LOG.debug("{} was closed already", meter.rpc(), e);
        }
        ended();
    }

    private void ended() {
        ended = true;
        context.streams().remove(this);
        for (OpenRequest<T> request : parked) {
            request.cancel();
        }
        parked.clear();
        context.budget().forget(roomAgain);
        runOnEnd();
        drain();
    }

    private void runOnEnd() {
        onEnd.getAndSet(() -> {}).run();
    }

    /** Asks for the next message if the bounds allow; comes again after each change that may allow it. */
    private void pull() {
        if (ended || finish.get() != null || messageRequested.get()) {
            return;
        }
        if (open.get() >= bounds.maxOpenRequests() || queuedBytes.get() >= bounds.maxQueuedBytes()) {
            return;
        }
        if (!context.budget().hasRoom()) {
            if (waitingForRoom.compareAndSet(false, true)) {
                context.budget().whenRoom(roomAgain);
                if (ended) {
                    context.budget().forget(roomAgain);
                }
            }
        } else if (messageRequested.compareAndSet(false, true)) {
            call.request(1);
        }
    }

    private void roomAgain() {
        waitingForRoom.set(false);
        pull();
    }

    /** The incoming side. */
    private final class Reader<Q> implements StreamObserver<Q> {
        private final Handler<Q, T> handler;

        Reader(Handler<Q, T> handler) {
            this.handler = handler;
        }

        @Override
        public void onNext(Q message) {
            open.incrementAndGet();
            try {
                OpenRequest<T> request = new OpenRequest<>(AnswerStream.this, meter.nowNs());
                handler.handle(message, request);
                request.handled(meter.handled(request.begunAtNs()));
            } catch (RuntimeException e) {
                fail(e);
            }
            messageRequested.set(false);
            pull();
        }

        @Override
        public void onError(Throwable cause) {
            // The caller cancelled or is gone: the cancel handler has done everything.
            LOG.debug("the caller of {} is gone: {}", meter.rpc(), cause.getMessage());
        }

        @Override
        public void onCompleted() {
            finish(null);
        }
    }
}
