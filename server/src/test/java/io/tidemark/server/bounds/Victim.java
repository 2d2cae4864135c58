package io.tidemark.server.bounds;

import com.google.rpc.ErrorInfo;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.StreamObserver;
import io.tidemark.wire.v1.ErrorCode;
import io.tidemark.wire.v1.FetchPartitionResult;
import io.tidemark.wire.v1.FetchRequest;
import io.tidemark.wire.v1.FetchResponse;
import io.tidemark.wire.v1.FetchServiceGrpc;
import io.tidemark.wire.v1.PartitionProduceResult;
import io.tidemark.wire.v1.ProduceRequest;
import io.tidemark.wire.v1.ProduceResponse;
import io.tidemark.wire.v1.ProduceServiceGrpc;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A broker that takes bad requests, and what it says to them, as text: a whole call's status with the reason of its details, or
 * the error codes of an answer's parts. Produces and fetches go over one stream each, which no bad request may end.
 */
final class Victim implements AutoCloseable {
    private static final int PATIENCE_S = 30;

    private final Channel channel;
    private final Requests<ProduceRequest, ProduceResponse> produces;
    private final Requests<FetchRequest, FetchResponse> fetches;

    Victim(Channel channel) {
        this.channel = channel;
        this.produces = new Requests<>(ProduceResponse::getCorrelationId, Victim::told);
        this.produces.stream = ProduceServiceGrpc.newStub(channel).produce(produces);
        this.fetches = new Requests<>(FetchResponse::getCorrelationId, Victim::told);
        this.fetches.stream = FetchServiceGrpc.newStub(channel).fetch(fetches);
    }

    /** One long-lived stream and the answers that are still to come. */
    private static final class Requests<Q, A> implements StreamObserver<A> {
        private final Map<Long, CompletableFuture<String>> open = new ConcurrentHashMap<>();
        private final Function<A, Long> number;
        private final Function<A, String> told;
        private @Nullable StreamObserver<Q> stream;
        private long last;

        Requests(Function<A, Long> number, Function<A, String> told) {
            this.number = number;
            this.told = told;
        }

        synchronized CompletableFuture<String> send(Function<Long, Q> request) {
            long id = ++last;
            CompletableFuture<String> answer = new CompletableFuture<>();
            open.put(id, answer);
            stream.onNext(request.apply(id));
            return answer.orTimeout(PATIENCE_S, TimeUnit.SECONDS);
        }

        @Override
        public void onNext(A response) {
            open.remove(number.apply(response)).complete(told.apply(response));
        }

        @Override
        public void onError(Throwable cause) {
            open.values().forEach(answer -> answer.complete("the stream ended: " + cause));
        }

        @Override
        public void onCompleted() {
            open.values().forEach(answer -> answer.complete("the stream ended"));
        }
    }

    String authority() {
        return channel.authority();
    }

    CompletableFuture<String> produce(ProduceRequest.Builder request) {
        return produces.send(id -> request.setCorrelationId(id).build());
    }

    CompletableFuture<String> fetch(FetchRequest.Builder request) {
        return fetches.send(id -> request.setCorrelationId(id).build());
    }

    /** A call of one message each way. */
    <Q, A> CompletableFuture<String> call(MethodDescriptor<Q, A> method, Q request, Function<A, String> told) {
        return call(method, CallOptions.DEFAULT, List.of(request), told);
    }

    /** Sends all messages and closes the caller's side; the answer is the first message's, or the status. */
    <Q, A> CompletableFuture<String> call(
            MethodDescriptor<Q, A> method, CallOptions options, List<Q> requests, Function<A, String> told) {
        return call(channel, method, options, requests, told);
    }

    private static <Q, A> CompletableFuture<String> call(
            Channel channel,
            MethodDescriptor<Q, A> method,
            CallOptions options,
            List<Q> requests,
            Function<A, String> told) {
        CompletableFuture<String> answer = new CompletableFuture<>();
        ClientCall<Q, A> call = channel.newCall(method, options.withDeadlineAfter(PATIENCE_S, TimeUnit.SECONDS));
        call.start(new First<>(answer, told), new Metadata());
        call.request(Integer.MAX_VALUE);
        requests.forEach(call::sendMessage);
        call.halfClose();
        return answer;
    }

    /**
     * The same on a connection of its own, which ends with the answer: a client keeps what the broker does not read, and that is
     * not the broker's.
     */
    <Q, A> CompletableFuture<String> callAlone(
            MethodDescriptor<Q, A> method, CallOptions options, Q request, Function<A, String> told) {
        ManagedChannel own =
                NettyChannelBuilder.forTarget(authority()).usePlaintext().build();
        return call(own, method, options, List.of(request), told).whenComplete((answer, failure) -> own.shutdownNow());
    }

    private static final class First<A> extends ClientCall.Listener<A> {
        private final CompletableFuture<String> answer;
        private final Function<A, String> told;

        First(CompletableFuture<String> answer, Function<A, String> told) {
            this.answer = answer;
            this.told = told;
        }

        @Override
        public void onMessage(A message) {
            answer.complete(told.apply(message));
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            answer.complete(told(status, trailers));
        }
    }

    private static String told(Status status, Metadata trailers) {
        com.google.rpc.Status details = StatusProto.fromStatusAndTrailers(status, trailers);
        String code = status.getCode().name();
        try {
            return details.getDetailsCount() == 0
                    ? code
                    : code + ", "
                            + details.getDetails(0).unpack(ErrorInfo.class).getReason();
        } catch (com.google.protobuf.InvalidProtocolBufferException e) {
            return code + " with broken details";
        }
    }

    private static String told(ProduceResponse response) {
        return codes(response.getResultsList().stream().map(PartitionProduceResult::getError));
    }

    private static String told(FetchResponse response) {
        return codes(response.getResultsList().stream().map(FetchPartitionResult::getError))
                + (response.getResultsList().stream().anyMatch(FetchPartitionResult::hasDiverging)
                        ? ", diverging"
                        : "");
    }

    /** The different codes, in their order. */
    static String codes(Stream<ErrorCode> codes) {
        return codes.map(Victim::name).distinct().collect(Collectors.joining(", "));
    }

    static String name(ErrorCode code) {
        return code.name().substring("ERROR_CODE_".length());
    }

    @Override
    public void close() {
        produces.stream.onCompleted();
        fetches.stream.onCompleted();
    }
}
