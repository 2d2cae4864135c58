package io.tidemark.server.plain;

import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.tidemark.wire.v1.PlainServiceGrpc;
import io.tidemark.wire.v1.SubscribeRequest;
import io.tidemark.wire.v1.SubscribeResponse;
import io.tidemark.wire.v1.SubscribedRecord;
import io.tidemark.wire.v1.Subscription;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A subscriber that writes down what it is sent; it reads as fast as it is told to. */
final class Reader implements ClientResponseObserver<SubscribeRequest, SubscribeResponse> {
    final List<SubscribeResponse> received = new CopyOnWriteArrayList<>();
    volatile @Nullable Status end;
    volatile @Nullable Throwable failure;
    private final int firstMessages;
    private ClientCallStreamObserver<SubscribeRequest> call;

    /** How much it reads unasked. */
    enum Pace {
        EAGER(Integer.MAX_VALUE),
        STALLED(0);

        private final int messages;

        Pace(int messages) {
            this.messages = messages;
        }
    }

    Reader(Pace pace) {
        firstMessages = pace.messages;
    }

    static Reader subscribe(PlainServiceGrpc.PlainServiceStub stub, Subscription.Builder what, Pace pace) {
        Reader reader = new Reader(pace);
        stub.subscribe(reader);
        reader.call.onNext(SubscribeRequest.newBuilder().setStart(what).build());
        return reader;
    }

    void credit(long bytes) {
        SubscribeRequest.Builder request = SubscribeRequest.newBuilder();
        request.getCreditBuilder().setBytes(bytes);
        call.onNext(request.build());
    }

    void halfClose() {
        call.onCompleted();
    }

    void resume() {
        call.request(Integer.MAX_VALUE);
    }

    void cancel() {
        call.cancel("the test is done with it", null);
    }

    List<SubscribedRecord> records() {
        return received.stream()
                .flatMap(response -> response.getRecordsList().stream())
                .toList();
    }

    List<Long> offsets() {
        return records().stream().map(SubscribedRecord::getOffset).toList();
    }

    long receivedBytes() {
        return records().stream().mapToLong(SubscribedRecord::getSerializedSize).sum();
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<SubscribeRequest> stream) {
        call = stream;
        stream.disableAutoRequestWithInitial(firstMessages);
    }

    @Override
    public void onNext(SubscribeResponse response) {
        received.add(response);
    }

    @Override
    public void onError(Throwable cause) {
        failure = cause;
        end = Status.fromThrowable(cause);
    }

    @Override
    public void onCompleted() {
        end = Status.OK;
    }
}
