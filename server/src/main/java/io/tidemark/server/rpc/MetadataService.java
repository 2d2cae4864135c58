package io.tidemark.server.rpc;

import io.grpc.stub.StreamObserver;
import io.tidemark.model.ErrorCode;
import io.tidemark.server.metadata.MetadataCache;
import io.tidemark.wire.v1.MetadataRequest;
import io.tidemark.wire.v1.MetadataResponse;
import io.tidemark.wire.v1.MetadataServiceGrpc;

/** Tells clients who leads what, from what the controller last told this broker. */
public final class MetadataService extends MetadataServiceGrpc.MetadataServiceImplBase {
    private final MetadataCache cache;
    private final String clusterId;
    private final int brokerId;
    private final RequestMeter meter;

    public MetadataService(MetadataCache cache, String clusterId, int brokerId, StreamContext context) {
        this.cache = cache;
        this.clusterId = clusterId;
        this.brokerId = brokerId;
        this.meter = context.meters().of("Metadata");
    }

    @Override
    public void metadata(MetadataRequest request, StreamObserver<MetadataResponse> observer) {
        UnaryAnswer<MetadataResponse> answer = new UnaryAnswer<>(observer, meter);
        MetadataResponse response = MetadataMapper.toWire(cache.view(), request)
                .setClusterId(clusterId)
                .setAnsweredBy(brokerId)
                .build();
        answer.answer(response, ErrorCode.NONE);
    }
}
