package io.tidemark.server;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** What a client of a stream got, for integration tests. */
public final class Received<T> implements StreamObserver<T> {
    private final List<T> messages = new CopyOnWriteArrayList<>();
    private final CountDownLatch end = new CountDownLatch(1);
    private volatile StatusRuntimeException failure;

    @Override
    public void onNext(T message) {
        messages.add(message);
    }

    @Override
    public void onError(Throwable cause) {
        failure = Status.fromThrowable(cause).asRuntimeException();
        end.countDown();
    }

    @Override
    public void onCompleted() {
        end.countDown();
    }

    public List<T> messages() {
        return messages;
    }

    public int size() {
        return messages.size();
    }

    /** How the stream ended; null if without an error, or not yet. */
    public StatusRuntimeException failure() {
        return failure;
    }

    /** Waits for the end of the stream. */
    public void awaitEnd() {
        try {
            if (!end.await(20, TimeUnit.SECONDS)) {
                throw new AssertionError("the stream did not end; got " + messages.size() + " messages");
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
