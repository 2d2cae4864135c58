package io.tidemark.server.rpc;

import com.google.protobuf.MessageLite;
import io.tidemark.model.ErrorCode;
import io.tidemark.runtime.Cancellable;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A request of a stream between its receipt and its answer. Thread-safe.
 *
 * <p>Exactly one of two things ends it: its answer, or the end of its stream, which calls off what it waits on.
 */
final class OpenRequest<T extends MessageLite> {
    private static final Cancellable DONE = () -> {};

    private final AnswerStream<T> stream;
    private final long begunAtNs;
    private long handledAtNs;
    private volatile boolean handled;

    /** What the request waits on: null before that is known, {@link #DONE} after its end. */
    private final AtomicReference<Cancellable> waiting = new AtomicReference<>();

    OpenRequest(AnswerStream<T> stream, long begunAtNs) {
        this.stream = stream;
        this.begunAtNs = begunAtNs;
    }

    /**
     * Answers; a second answer is ignored.
     *
     * @param error of the first part that failed, or NONE: for the meter
     */
    void answer(T message, ErrorCode error) {
        if (waiting.getAndSet(DONE) != DONE) {
            stream.answered(this, message, error);
        }
    }

    /** Says what to call off if the caller vanishes; calls it off at once if the caller is gone already. */
    void waitsOn(Cancellable operation) {
        if (waiting.compareAndSet(null, operation)) {
            stream.park(this);
        }
    }

    /** Fails the whole stream: for a failure that leaves no answer to give. */
    void fail(Throwable failure) {
        stream.fail(failure);
    }

    boolean isDone() {
        return waiting.get() == DONE;
    }

    long begunAtNs() {
        return begunAtNs;
    }

    /** The handler has returned: what goes on from now is waiting. */
    void handled(long atNs) {
        handledAtNs = atNs;
        handled = true;
    }

    /** When the handler returned; empty while it runs. */
    OptionalLong handledAtNs() {
        return handled ? OptionalLong.of(handledAtNs) : OptionalLong.empty();
    }

    void cancel() {
        Cancellable operation = waiting.getAndSet(DONE);
        if (operation != null) {
            operation.cancel();
        }
    }
}
