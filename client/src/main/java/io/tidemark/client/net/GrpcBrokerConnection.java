package io.tidemark.client.net;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.tidemark.model.Endpoint;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.runtime.Cancellable;
import io.tidemark.wire.v1.AdminServiceGrpc;
import io.tidemark.wire.v1.AlterTopicRequest;
import io.tidemark.wire.v1.AlterTopicResponse;
import io.tidemark.wire.v1.CreateTopicRequest;
import io.tidemark.wire.v1.CreateTopicResponse;
import io.tidemark.wire.v1.DeleteRecordsRequest;
import io.tidemark.wire.v1.DeleteRecordsResponse;
import io.tidemark.wire.v1.DeleteTopicRequest;
import io.tidemark.wire.v1.DeleteTopicResponse;
import io.tidemark.wire.v1.FetchRequest;
import io.tidemark.wire.v1.FetchResponse;
import io.tidemark.wire.v1.FetchServiceGrpc;
import io.tidemark.wire.v1.InitProducerIdRequest;
import io.tidemark.wire.v1.InitProducerIdResponse;
import io.tidemark.wire.v1.ListOffsetsRequest;
import io.tidemark.wire.v1.ListOffsetsResponse;
import io.tidemark.wire.v1.MetadataResponse;
import io.tidemark.wire.v1.MetadataServiceGrpc;
import io.tidemark.wire.v1.ProduceRequest;
import io.tidemark.wire.v1.ProduceResponse;
import io.tidemark.wire.v1.ProduceServiceGrpc;
import io.tidemark.wire.v1.TransferLeaderRequest;
import io.tidemark.wire.v1.TransferLeaderResponse;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One broker over one gRPC channel. */
final class GrpcBrokerConnection implements BrokerConnection {
    /** A broker answers from memory, and another can be asked: one that is frozen must not use up the caller's time. */
    private static final long METADATA_TIMEOUT_MS = 3_000;

    private final ManagedChannel channel;
    private final Endpoint broker;
    private final long timeoutMs;
    private final CallStream<ProduceRequest, ProduceResponse> produces;
    private final Set<Lane> lanes = ConcurrentHashMap.newKeySet();

    GrpcBrokerConnection(ManagedChannel channel, Endpoint broker, Duration callTimeout) {
        this.channel = channel;
        this.broker = broker;
        this.timeoutMs = callTimeout.toMillis();
        this.produces = new CallStream<>(
                broker,
                CallStream.Large.REQUESTS,
                ProduceServiceGrpc.newStub(channel)::produce,
                ProduceResponse::getCorrelationId);
    }

    @Override
    public void produce(Wire.ProduceCall call, Consumer<Reply<List<Wire.ProduceResult>>> answer) {
        produces.call(
                correlation -> WireMapper.produce(correlation, call),
                reply -> answer.accept(map(
                        reply,
                        response -> response.getResultsList().stream()
                                .map(WireMapper::produced)
                                .toList())));
    }

    @Override
    public FetchLane openFetches() {
        Lane lane = new Lane();
        lanes.add(lane);
        return lane;
    }

    @Override
    public void metadata(Wire.MetadataCall call, Consumer<Reply<Metadata>> answer) {
        MetadataServiceGrpc.newStub(channel)
                .withDeadlineAfter(Math.min(timeoutMs, METADATA_TIMEOUT_MS), TimeUnit.MILLISECONDS)
                .metadata(
                        WireMapper.metadata(call),
                        new Once<MetadataResponse, Metadata>(answer, r -> Reply.of(WireMapper.metadata(r))));
    }

    @Override
    public void initProducerId(Consumer<Reply<Wire.ProducerIdentity>> answer) {
        ProduceServiceGrpc.newStub(channel)
                .withDeadlineAfter(timeoutMs, TimeUnit.MILLISECONDS)
                .initProducerId(
                        InitProducerIdRequest.getDefaultInstance(),
                        new Once<InitProducerIdResponse, Wire.ProducerIdentity>(
                                answer,
                                r -> checked(
                                        r.getError(),
                                        r.getErrorMessage(),
                                        new Wire.ProducerIdentity(r.getProducerId(), (short) r.getProducerEpoch()))));
    }

    @Override
    public Cancellable listOffsets(List<Wire.OffsetQuery> queries, Consumer<Reply<List<Wire.OffsetResult>>> answer) {
        ListOffsetsRequest.Builder request = ListOffsetsRequest.newBuilder();
        queries.forEach(query -> request.addPartitions(WireMapper.offsets(query)));
        ClientCall<ListOffsetsRequest, ListOffsetsResponse> call = channel.newCall(
                FetchServiceGrpc.getListOffsetsMethod(),
                CallOptions.DEFAULT.withDeadlineAfter(timeoutMs, TimeUnit.MILLISECONDS));
        ClientCalls.asyncUnaryCall(
                call,
                request.build(),
                new Once<ListOffsetsResponse, List<Wire.OffsetResult>>(
                        answer,
                        r -> Reply.of(r.getResultsList().stream()
                                .map(each -> new Wire.OffsetResult(
                                        new TopicPartition(each.getTopic(), each.getPartition()),
                                        WireMapper.error(each.getError()),
                                        each.getErrorMessage(),
                                        each.getOffset()))
                                .toList())));
        return () -> call.cancel("nobody waits for the offsets any more", null);
    }

    @Override
    public void createTopic(Wire.TopicCreation topic, Consumer<Reply<String>> answer) {
        CreateTopicRequest request = CreateTopicRequest.newBuilder()
                .setName(topic.name())
                .setPartitions(topic.partitions())
                .setReplicationFactor(topic.replicationFactor())
                .putAllConfigs(topic.configs())
                .build();
        admin().createTopic(
                        request,
                        new Once<CreateTopicResponse, String>(
                                answer, r -> checked(r.getError(), r.getErrorMessage(), r.getTopicId())));
    }

    @Override
    public void deleteTopic(String topic, Consumer<Reply<String>> answer) {
        admin().deleteTopic(
                        DeleteTopicRequest.newBuilder().setName(topic).build(),
                        new Once<DeleteTopicResponse, String>(
                                answer, r -> checked(r.getError(), r.getErrorMessage(), topic)));
    }

    @Override
    public void alterTopic(Wire.TopicAlteration topic, Consumer<Reply<SortedMap<String, String>>> answer) {
        AlterTopicRequest request = AlterTopicRequest.newBuilder()
                .setName(topic.name())
                .putAllSet(topic.set())
                .addAllUnset(topic.unset())
                .setValidateOnly(topic.effect() == Wire.TopicAlteration.Effect.SAID)
                .build();
        admin().alterTopic(
                        request,
                        new Once<AlterTopicResponse, SortedMap<String, String>>(
                                answer,
                                r -> checked(r.getError(), r.getErrorMessage(), new TreeMap<>(r.getConfigsMap()))));
    }

    @Override
    public void transferLeader(TopicPartition partition, int toBroker, Consumer<Reply<Integer>> answer) {
        TransferLeaderRequest request = TransferLeaderRequest.newBuilder()
                .setPartition(WireMapper.partition(partition))
                .setToBroker(toBroker)
                .build();
        admin().transferLeader(
                        request,
                        new Once<TransferLeaderResponse, Integer>(
                                answer, r -> checked(r.getError(), r.getErrorMessage(), r.getLeaderEpoch())));
    }

    @Override
    public void deleteRecords(TopicPartition partition, long beforeOffset, Consumer<Reply<Long>> answer) {
        DeleteRecordsRequest request = DeleteRecordsRequest.newBuilder()
                .setPartition(WireMapper.partition(partition))
                .setBeforeOffset(beforeOffset)
                .build();
        admin().deleteRecords(
                        request,
                        new Once<DeleteRecordsResponse, Long>(
                                answer, r -> checked(r.getError(), r.getErrorMessage(), r.getLogStartOffset())));
    }

    @Override
    public void reconnect() {
        channel.resetConnectBackoff();
    }

    @Override
    public void close() {
        produces.close();
        List.copyOf(lanes).forEach(Lane::close);
        channel.shutdownNow();
    }

    private AdminServiceGrpc.AdminServiceStub admin() {
        return AdminServiceGrpc.newStub(channel).withDeadlineAfter(timeoutMs, TimeUnit.MILLISECONDS);
    }

    /** What the broker refused names the broker, so that a person knows whose word it is. */
    private <T> Reply<T> checked(io.tidemark.wire.v1.ErrorCode code, String message, T value) {
        ErrorCode error = WireMapper.error(code);
        return error == ErrorCode.NONE
                ? Reply.of(value)
                : Reply.failed(error, message + " (said broker " + broker + ")");
    }

    private static <A, B> Reply<B> map(Reply<A> reply, Function<A, B> mapping) {
        if (reply instanceof Reply.Value<A> answered) {
            return Reply.of(mapping.apply(answered.value()));
        }
        Reply.Failure<A> failure = (Reply.Failure<A>) reply;
        return Reply.failed(failure.error(), failure.message());
    }

    /** One stream of fetches. */
    private final class Lane implements FetchLane {
        private final CallStream<FetchRequest, FetchResponse> fetches = new CallStream<>(
                broker,
                CallStream.Large.RESPONSES,
                FetchServiceGrpc.newStub(channel)::fetch,
                FetchResponse::getCorrelationId);

        @Override
        public void fetch(Wire.FetchCall call, Consumer<Reply<List<Wire.FetchResult>>> answer) {
            fetches.call(
                    correlation -> WireMapper.fetch(correlation, call),
                    reply -> answer.accept(map(
                            reply,
                            response -> response.getResultsList().stream()
                                    .map(WireMapper::fetched)
                                    .toList())));
        }

        @Override
        public void close() {
            lanes.remove(this);
            fetches.close();
        }
    }

    /** Turns the observer of a unary call into one answer. */
    private final class Once<R, T> implements StreamObserver<R> {
        private final Consumer<Reply<T>> answer;
        private final Function<R, Reply<T>> mapping;
        private @Nullable R response;

        Once(Consumer<Reply<T>> answer, Function<R, Reply<T>> mapping) {
            this.answer = answer;
            this.mapping = mapping;
        }

        @Override
        public void onNext(R value) {
            response = value;
        }

        @Override
        public void onError(Throwable failure) {
            answer.accept(Reply.failed(
                    StatusMapper.error(failure), "broker " + broker + ": " + StatusMapper.message(failure)));
        }

        @Override
        public void onCompleted() {
            R received = response;
            answer.accept(
                    received == null
                            ? Reply.failed(ErrorCode.UNKNOWN_SERVER_ERROR, "broker " + broker + " answered nothing")
                            : mapping.apply(received));
        }
    }
}
