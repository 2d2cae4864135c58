package io.tidemark.server.rpc;

import io.grpc.stub.StreamObserver;
import io.tidemark.replication.fetch.ReplicaFetch;
import io.tidemark.wire.internal.v1.ReplicaFetchRequest;
import io.tidemark.wire.internal.v1.ReplicaFetchResponse;
import io.tidemark.wire.internal.v1.ReplicaFetchServiceGrpc;

/** Gives followers what they lack (walk (b)). On the peers' listener only. */
public final class ReplicaFetchService extends ReplicaFetchServiceGrpc.ReplicaFetchServiceImplBase {
    private final ReplicaFetchPort handler;
    private final StreamContext context;
    private final RequestMeter meter;

    public ReplicaFetchService(ReplicaFetchPort handler, StreamContext context) {
        this.handler = handler;
        this.context = context;
        this.meter = context.meters().of("ReplicaFetch");
    }

    @Override
    public StreamObserver<ReplicaFetchRequest> replicaFetch(StreamObserver<ReplicaFetchResponse> answers) {
        return new AnswerStream<>(answers, StreamBounds.PEER, context, meter).read(this::fetch);
    }

    private void fetch(ReplicaFetchRequest wire, OpenRequest<ReplicaFetchResponse> request) {
        long correlationId = wire.getCorrelationId();
        request.waitsOn(handler.fetch(
                parse(wire),
                answer -> request.answer(ReplicaFetchMapper.toWire(correlationId, answer), answer.error())));
    }

    private static ReplicaFetch.Request parse(ReplicaFetchRequest wire) {
        try {
            return ReplicaFetchMapper.fromWire(wire);
        } catch (IllegalArgumentException e) {
            throw new MalformedRequestException(e);
        }
    }
}
