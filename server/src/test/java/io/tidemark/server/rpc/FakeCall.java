package io.tidemark.server.rpc;

import io.grpc.stub.ServerCallStreamObserver;
import java.util.ArrayList;
import java.util.List;

/** The transport's side of a call, steered by a test. */
final class FakeCall<T> extends ServerCallStreamObserver<T> {
    final List<T> sent = new ArrayList<>();
    boolean ready = true;
    boolean autoRequest = true;
    int requested;
    boolean completed;
    Throwable error;
    RuntimeException refuseNext;
    private Runnable onReady = () -> {};
    private Runnable onCancel = () -> {};

    void becomeReady() {
        ready = true;
        onReady.run();
    }

    void cancel() {
        onCancel.run();
    }

    @Override
    public void onNext(T message) {
        if (refuseNext != null) {
            throw refuseNext;
        }
        sent.add(message);
    }

    @Override
    public void onError(Throwable failure) {
        error = failure;
    }

    @Override
    public void onCompleted() {
        completed = true;
    }

    @Override
    public boolean isCancelled() {
        return false;
    }

    @Override
    public void setOnCancelHandler(Runnable handler) {
        onCancel = handler;
    }

    @Override
    public void setCompression(String compression) {
        throw new UnsupportedOperationException(compression);
    }

    @Override
    public boolean isReady() {
        return ready;
    }

    @Override
    public void setOnReadyHandler(Runnable handler) {
        onReady = handler;
    }

    @Override
    public void disableAutoRequest() {
        autoRequest = false;
    }

    @Override
    public void disableAutoInboundFlowControl() {
        autoRequest = false;
    }

    @Override
    public void request(int count) {
        requested += count;
    }

    @Override
    public void setMessageCompression(boolean enable) {
        throw new UnsupportedOperationException("message compression " + enable);
    }
}
