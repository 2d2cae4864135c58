package io.tidemark.client.net;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.tidemark.model.Endpoint;
import io.tidemark.model.ErrorCode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Requests over one long-lived stream: opened with the first, opened again after a break. Each request has a correlation
 * id and is answered exactly once: by its response, or with a failure when the stream breaks. Thread-safe; no answer is
 * given while the lock is held.
 *
 * @param <Q> request message
 * @param <R> response message
 */
final class CallStream<Q, R> {
    private final Endpoint broker;
    private final Function<StreamObserver<R>, StreamObserver<Q>> opener;
    private final Function<R, Long> correlationOf;

    private final Object lock = new Object();
    private final Map<Long, Consumer<Reply<R>>> open = new LinkedHashMap<>();
    private @Nullable StreamObserver<Q> requests;
    private long generation;
    private long lastCorrelation;
    private boolean closed;

    CallStream(
            Endpoint broker, Function<StreamObserver<R>, StreamObserver<Q>> opener, Function<R, Long> correlationOf) {
        this.broker = broker;
        this.opener = opener;
        this.correlationOf = correlationOf;
    }

    /** Sends what {@code request} makes of a fresh correlation id. */
    void call(Function<Long, Q> request, Consumer<Reply<R>> answer) {
        boolean refused;
        synchronized (lock) {
            refused = closed;
            if (!refused) {
                send(request, answer);
            }
        }
        if (refused) {
            answer.accept(Reply.failed(ErrorCode.BROKER_NOT_AVAILABLE, "the connection to " + broker + " is closed"));
        }
    }

    /**
     * Writing to a stream only queues in the transport, and order is what this class is for: hence under the lock. A stream
     * may end while it is opened: then its end has answered the call already.
     */
    private void send(Function<Long, Q> request, Consumer<Reply<R>> answer) {
        long correlation = ++lastCorrelation;
        open.put(correlation, answer);
        if (requests == null) {
            long mine = ++generation;
            StreamObserver<Q> opened = opener.apply(new Responses(mine));
            if (mine == generation) {
                requests = opened;
            }
        }
        StreamObserver<Q> stream = requests;
        if (stream != null) {
            stream.onNext(request.apply(correlation));
        }
    }

    void close() {
        StreamObserver<Q> stream;
        synchronized (lock) {
            closed = true;
            stream = requests;
            requests = null;
            generation++;
        }
        if (stream != null) {
            stream.onError(
                    Status.CANCELLED.withDescription("closed by the client").asRuntimeException());
        }
        failAll(ErrorCode.REQUEST_TIMED_OUT, "the connection to " + broker + " was closed");
    }

    private void failAll(ErrorCode error, String message) {
        List<Consumer<Reply<R>>> failed;
        synchronized (lock) {
            failed = new ArrayList<>(open.values());
            open.clear();
        }
        failed.forEach(answer -> answer.accept(Reply.failed(error, message)));
    }

    /** What comes back on one stream. */
    private final class Responses implements StreamObserver<R> {
        private final long mine;

        Responses(long mine) {
            this.mine = mine;
        }

        @Override
        public void onNext(R response) {
            Consumer<Reply<R>> answer;
            synchronized (lock) {
                answer = open.remove(correlationOf.apply(response));
            }
            if (answer != null) {
                answer.accept(Reply.of(response));
            }
        }

        @Override
        public void onError(Throwable failure) {
            Status status = Status.fromThrowable(failure);
            String description = status.getDescription();
            ended(status.getCode() + (description == null ? "" : ": " + description));
        }

        @Override
        public void onCompleted() {
            ended("the broker ended the stream");
        }

        /** Whether requests were sent is not known from here: what was open may have been carried out. */
        private void ended(String why) {
            synchronized (lock) {
                if (mine != generation) {
                    return;
                }
                requests = null;
                generation++;
            }
            failAll(ErrorCode.REQUEST_TIMED_OUT, "the stream to " + broker + " broke: " + why);
        }
    }
}
