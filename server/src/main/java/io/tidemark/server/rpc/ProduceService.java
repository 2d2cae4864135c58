package io.tidemark.server.rpc;

import io.grpc.stub.StreamObserver;
import io.tidemark.coordination.broker.ProducerIds;
import io.tidemark.model.ErrorCode;
import io.tidemark.wire.v1.InitProducerIdRequest;
import io.tidemark.wire.v1.InitProducerIdResponse;
import io.tidemark.wire.v1.PartitionProduceResult;
import io.tidemark.wire.v1.ProduceRequest;
import io.tidemark.wire.v1.ProduceResponse;
import io.tidemark.wire.v1.ProduceServiceGrpc;
import java.util.List;

/**
 * Takes what producers send (walk (a)). Requests of a stream are appended in the order of receipt, on the transport's
 * thread; each is answered exactly once, those without acknowledgement right after the append.
 */
public final class ProduceService extends ProduceServiceGrpc.ProduceServiceImplBase {
    private final ProducePort handler;
    private final ProducerIdSource producerIds;
    private final StreamContext context;
    private final RequestMeter produceMeter;
    private final RequestMeter initMeter;

    public ProduceService(ProducePort handler, ProducerIdSource producerIds, StreamContext context) {
        this.handler = handler;
        this.producerIds = producerIds;
        this.context = context;
        this.produceMeter = context.meters().of("Produce");
        this.initMeter = context.meters().of("InitProducerId");
    }

    @Override
    public StreamObserver<ProduceRequest> produce(StreamObserver<ProduceResponse> answers) {
        return new AnswerStream<>(answers, StreamBounds.PRODUCE, context, produceMeter).read(this::append);
    }

    @Override
    public void initProducerId(InitProducerIdRequest request, StreamObserver<InitProducerIdResponse> observer) {
        UnaryAnswer<InitProducerIdResponse> answer = new UnaryAnswer<>(observer, initMeter);
        producerIds.next(result -> answer.answer(toWire(result), result.error()));
    }

    /** The bytes count against the budget until they are in the log; what waits after that holds numbers only. */
    private void append(ProduceRequest wire, OpenRequest<ProduceResponse> request) {
        long sizeBytes = wire.getSerializedSize();
        context.budget().charge(sizeBytes);
        try {
            long correlationId = wire.getCorrelationId();
            ProduceMapper.Parsed parsed = ProduceMapper.fromWire(wire);
            PartOrder<PartitionProduceResult> order = parsed.order();
            if (order.allRefused()) {
                answer(request, ProduceMapper.toWire(correlationId, order, List.of()));
            } else {
                request.waitsOn(handler.produce(
                        parsed.request(),
                        results -> answer(request, ProduceMapper.toWire(correlationId, order, results))));
            }
        } finally {
            context.budget().release(sizeBytes);
        }
    }

    private static void answer(OpenRequest<ProduceResponse> request, ProduceResponse response) {
        request.answer(response, ProduceMapper.firstError(response));
    }

    private static InitProducerIdResponse toWire(ProducerIds.Allocated result) {
        boolean given = result.error() == ErrorCode.NONE;
        return InitProducerIdResponse.newBuilder()
                .setError(ErrorCodes.toWire(result.error()))
                .setErrorMessage(given ? "" : "no producer id can be had from the controller now")
                .setProducerId(result.producerId())
                .setProducerEpoch(given ? 0 : -1)
                .build();
    }
}
