package io.tidemark.client.net;

import com.google.protobuf.MessageLite;
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
 * <p>What a break means for the requests that are open:
 *
 * <pre>
 *   the stream never reached the broker       none was sent: BROKER_NOT_AVAILABLE
 *   a message was too large, of requests      the largest open one, which is above any limit that one of them is above, is
 *                                             refused for certain: MESSAGE_TOO_LARGE; of the others nothing is known
 *   a message was too large, of responses     MESSAGE_TOO_LARGE
 *   a certain refusal, one request open       that refusal
 *   anything else                             nothing is known: REQUEST_TIMED_OUT
 * </pre>
 *
 * @param <Q> request message
 * @param <R> response message
 */
final class CallStream<Q extends MessageLite, R> {
    private final Endpoint broker;
    private final Large large;
    private final Function<StreamObserver<R>, StreamObserver<Q>> opener;
    private final Function<R, Long> correlationOf;

    private final Object lock = new Object();
    private final Map<Long, Open<R>> open = new LinkedHashMap<>();
    private @Nullable StreamObserver<Q> requests;
    private long generation;
    private long lastCorrelation;
    private boolean closed;

    /** Which messages of the stream may grow beyond what the transport takes. */
    enum Large {
        REQUESTS,
        RESPONSES
    }

    /** A request without an answer. */
    private record Open<R>(int sizeBytes, Consumer<Reply<R>> answer) {}

    CallStream(
            Endpoint broker,
            Large large,
            Function<StreamObserver<R>, StreamObserver<Q>> opener,
            Function<R, Long> correlationOf) {
        this.broker = broker;
        this.large = large;
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
        Q message = request.apply(correlation);
        open.put(correlation, new Open<>(message.getSerializedSize(), answer));
        if (requests == null) {
            long mine = ++generation;
            StreamObserver<Q> opened = opener.apply(new Responses(mine));
            if (mine == generation) {
                requests = opened;
            }
        }
        StreamObserver<Q> stream = requests;
        if (stream != null) {
            stream.onNext(message);
        }
    }

    void close() {
        StreamObserver<Q> stream;
        List<Open<R>> left;
        synchronized (lock) {
            closed = true;
            stream = requests;
            requests = null;
            generation++;
            left = takeOpen();
        }
        if (stream != null) {
            stream.onError(
                    Status.CANCELLED.withDescription("closed by the client").asRuntimeException());
        }
        failAll(left, ErrorCode.REQUEST_TIMED_OUT, "the connection to " + broker + " was closed");
    }

    private static <R> void failAll(List<Open<R>> failed, ErrorCode error, String message) {
        failed.forEach(each -> each.answer().accept(Reply.failed(error, message)));
    }

    /** With the lock, in one step with the end of the stream: the next request belongs to another one. */
    private List<Open<R>> takeOpen() {
        List<Open<R>> taken = new ArrayList<>(open.values());
        open.clear();
        return taken;
    }

    /** The stream broke. */
    private void failAll(List<Open<R>> failed, Throwable failure) {
        String message = "the stream to " + broker + " broke: " + StatusMapper.message(failure);
        for (Open<R> each : failed) {
            each.answer().accept(Reply.failed(meaning(failure, each, failed), message));
        }
    }

    private ErrorCode meaning(Throwable failure, Open<R> request, List<Open<R>> all) {
        ErrorCode error = StatusMapper.error(failure);
        boolean certain;
        if (StatusMapper.neverSent(failure)) {
            certain = true;
        } else if (error == ErrorCode.MESSAGE_TOO_LARGE && large == Large.REQUESTS) {
            certain = all.stream().noneMatch(other -> other.sizeBytes() > request.sizeBytes());
        } else if (error == ErrorCode.MESSAGE_TOO_LARGE) {
            certain = true;
        } else {
            certain = error.outcome() == ErrorCode.Outcome.FAILED && all.size() == 1;
        }
        return certain ? error : ErrorCode.REQUEST_TIMED_OUT;
    }

    /** What comes back on one stream. */
    private final class Responses implements StreamObserver<R> {
        private final long mine;

        Responses(long mine) {
            this.mine = mine;
        }

        @Override
        public void onNext(R response) {
            Open<R> answered;
            synchronized (lock) {
                answered = open.remove(correlationOf.apply(response));
            }
            if (answered != null) {
                answered.answer().accept(Reply.of(response));
            }
        }

        @Override
        public void onError(Throwable failure) {
            failAll(ended(), failure);
        }

        @Override
        public void onCompleted() {
            failAll(ended(), ErrorCode.REQUEST_TIMED_OUT, "broker " + broker + " ended the stream");
        }

        /** What it leaves open, if it was the current one until now. */
        private List<Open<R>> ended() {
            synchronized (lock) {
                if (mine != generation) {
                    return List.of();
                }
                requests = null;
                generation++;
                return takeOpen();
            }
        }
    }
}
