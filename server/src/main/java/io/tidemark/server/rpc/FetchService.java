package io.tidemark.server.rpc;

import io.grpc.stub.StreamObserver;
import io.tidemark.model.ErrorCode;
import io.tidemark.wire.v1.FetchPartitionResult;
import io.tidemark.wire.v1.FetchRequest;
import io.tidemark.wire.v1.FetchResponse;
import io.tidemark.wire.v1.FetchServiceGrpc;
import io.tidemark.wire.v1.ListOffsetsRequest;
import io.tidemark.wire.v1.ListOffsetsResponse;
import java.util.List;

/** Gives consumers what is committed. A fetch that waits is called off when its consumer vanishes. */
public final class FetchService extends FetchServiceGrpc.FetchServiceImplBase {
    private final FetchPort handler;
    private final OffsetsPort offsets;
    private final FetchMapper mapper;
    private final StreamContext context;
    private final RequestMeter fetchMeter;
    private final RequestMeter offsetsMeter;

    /** @param answerMaxBytes of batches in one answer, whatever is asked ({@code fetch.max.bytes}) */
    public FetchService(FetchPort handler, OffsetsPort offsets, int answerMaxBytes, StreamContext context) {
        this.handler = handler;
        this.offsets = offsets;
        this.mapper = new FetchMapper(answerMaxBytes);
        this.context = context;
        this.fetchMeter = context.meters().of("Fetch");
        this.offsetsMeter = context.meters().of("ListOffsets");
    }

    @Override
    public StreamObserver<FetchRequest> fetch(StreamObserver<FetchResponse> answers) {
        return new AnswerStream<>(answers, StreamBounds.FETCH, context, fetchMeter).read(this::fetch);
    }

    @Override
    public void listOffsets(ListOffsetsRequest request, StreamObserver<ListOffsetsResponse> observer) {
        UnaryAnswer<ListOffsetsResponse> answer = new UnaryAnswer<>(observer, offsetsMeter);
        try {
            answer.answer(OffsetsMapper.answer(request, offsets), ErrorCode.NONE);
        } catch (RuntimeException e) {
            answer.fail(e);
        }
    }

    private void fetch(FetchRequest wire, OpenRequest<FetchResponse> request) {
        long correlationId = wire.getCorrelationId();
        FetchMapper.Parsed parsed = mapper.fromWire(wire);
        PartOrder<FetchPartitionResult> order = parsed.order();
        if (order.allRefused()) {
            answer(request, FetchMapper.toWire(correlationId, order, List.of()));
        } else {
            request.waitsOn(handler.fetch(
                    parsed.request(), results -> answer(request, FetchMapper.toWire(correlationId, order, results))));
        }
    }

    private static void answer(OpenRequest<FetchResponse> request, FetchResponse response) {
        request.answer(response, FetchMapper.firstError(response));
    }
}
