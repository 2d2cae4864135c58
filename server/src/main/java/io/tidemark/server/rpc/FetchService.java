package io.tidemark.server.rpc;

import io.grpc.stub.StreamObserver;
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
    private final TimeOffsetsPort times;
    private final FetchMapper mapper;
    private final StreamContext context;
    private final RequestMeter fetchMeter;
    private final RequestMeter offsetsMeter;

    /** @param answerMaxBytes of batches in one answer, whatever is asked ({@code fetch.max.bytes}) */
    public FetchService(
            FetchPort handler, OffsetsPort offsets, TimeOffsetsPort times, int answerMaxBytes, StreamContext context) {
        this.handler = handler;
        this.offsets = offsets;
        this.times = times;
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
            OffsetsMapper mapper = OffsetsMapper.of(request, offsets);
            if (mapper.questions().isEmpty()) {
                answer(answer, mapper.complete(List.of()));
            } else {
                times.search(mapper.questions(), answer::isWanted, lookups -> answer(answer, mapper.complete(lookups)));
            }
        } catch (RuntimeException e) {
            answer.fail(e);
        }
    }

    private static void answer(UnaryAnswer<ListOffsetsResponse> answer, ListOffsetsResponse response) {
        answer.answer(response, OffsetsMapper.firstError(response));
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
