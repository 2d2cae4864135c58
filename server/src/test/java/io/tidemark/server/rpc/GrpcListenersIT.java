package io.tidemark.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemark.core.testkit.ManualClock;
import io.tidemark.model.Endpoint;
import io.tidemark.model.ErrorCode;
import io.tidemark.replication.fetch.ConsumerFetch;
import io.tidemark.replication.produce.Produce;
import io.tidemark.server.FakeBroker;
import io.tidemark.server.Received;
import io.tidemark.wire.internal.v1.ControlledShutdownRequest;
import io.tidemark.wire.internal.v1.ControllerServiceGrpc;
import io.tidemark.wire.internal.v1.ReplicaFetchRequest;
import io.tidemark.wire.internal.v1.ReplicaFetchResponse;
import io.tidemark.wire.internal.v1.ReplicaFetchServiceGrpc;
import io.tidemark.wire.v1.Acks;
import io.tidemark.wire.v1.AdminServiceGrpc;
import io.tidemark.wire.v1.CreateTopicRequest;
import io.tidemark.wire.v1.FetchPartition;
import io.tidemark.wire.v1.FetchRequest;
import io.tidemark.wire.v1.FetchResponse;
import io.tidemark.wire.v1.FetchServiceGrpc;
import io.tidemark.wire.v1.InitProducerIdRequest;
import io.tidemark.wire.v1.MetadataRequest;
import io.tidemark.wire.v1.MetadataServiceGrpc;
import io.tidemark.wire.v1.PartitionProduce;
import io.tidemark.wire.v1.ProduceRequest;
import io.tidemark.wire.v1.ProduceResponse;
import io.tidemark.wire.v1.ProduceServiceGrpc;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The services behind real sockets. */
final class GrpcListenersIT {
    private FakeBroker broker;
    private ManagedChannel client;
    private ManagedChannel peer;

    @BeforeEach
    void start() throws IOException {
        broker = new FakeBroker(1);
        client = channel(broker.clientEndpoint());
        peer = channel(broker.peerEndpoint());
    }

    @AfterEach
    void stop() {
        client.shutdownNow();
        peer.shutdownNow();
        broker.close();
    }

    private static ManagedChannel channel(Endpoint endpoint) {
        return NettyChannelBuilder.forAddress(endpoint.host(), endpoint.port())
                .usePlaintext()
                .proxyDetector(address -> null)
                .maxInboundMessageSize(64 << 20)
                .build();
    }

    private static ProduceRequest produce(long id, int sizeBytes) {
        return ProduceRequest.newBuilder()
                .setCorrelationId(id)
                .setAcks(Acks.ACKS_ALL)
                .setTimeoutMs(10_000)
                .addPartitions(PartitionProduce.newBuilder()
                        .setTopic("a")
                        .setLeaderEpoch(-1)
                        .setBatches(ByteString.copyFrom(new byte[sizeBytes])))
                .build();
    }

    private static FetchRequest fetch(long id) {
        return FetchRequest.newBuilder()
                .setCorrelationId(id)
                .setMaxWaitMs(10_000)
                .setMinBytes(1)
                .setMaxBytes(1 << 20)
                .addPartitions(FetchPartition.newBuilder()
                        .setTopic("a")
                        .setCurrentLeaderEpoch(-1)
                        .setMaxBytes(1 << 20))
                .build();
    }

    private static List<Produce.Result> written(Produce.Request request, long baseOffset) {
        return List.of(
                new Produce.Result(request.parts().get(0).partition(), ErrorCode.NONE, "", baseOffset, 0, -1, -1));
    }

    @Test
    void shouldAnswerOutOfOrderByCorrelationId() {
        // given
        Queue<Runnable> later = new ConcurrentLinkedQueue<>();
        AtomicInteger count = new AtomicInteger();
        broker.produce = (request, answer) -> {
            int number = count.getAndIncrement();
            if (number == 0) {
                later.add(() -> answer.accept(written(request, number)));
            } else {
                answer.accept(written(request, number));
            }
            return () -> {};
        };
        Received<ProduceResponse> answers = new Received<>();
        StreamObserver<ProduceRequest> stream =
                ProduceServiceGrpc.newStub(client).produce(answers);

        // when
        stream.onNext(produce(71, 10));
        stream.onNext(produce(72, 10));
        await().until(() -> answers.size() == 1);
        later.remove().run();
        stream.onCompleted();

        // then
        answers.awaitEnd();
        assertThat(answers.failure()).isNull();
        assertThat(answers.messages().stream().map(ProduceResponse::getCorrelationId))
                .containsExactly(72L, 71L);
        assertThat(answers.messages().get(1).getResults(0).getBaseOffset()).isZero();
    }

    @Test
    void shouldCallOffWhatWaitsWhenTheClientVanishes() {
        // given
        AtomicInteger waiting = new AtomicInteger();
        broker.fetch = (request, answer) -> {
            waiting.incrementAndGet();
            return waiting::decrementAndGet;
        };
        Received<FetchResponse> answers = new Received<>();
        StreamObserver<FetchRequest> stream = FetchServiceGrpc.newStub(client).fetch(answers);
        stream.onNext(fetch(1));
        stream.onNext(fetch(2));
        await().until(() -> waiting.get() == 2);

        // when
        client.shutdownNow();

        // then
        await().until(() -> waiting.get() == 0);
    }

    /** KNOWN_BUGS 40: what a reader does not take is neither sent nor read ahead for, and nothing is lost or reordered. */
    @Test
    void shouldStopReadingForAReaderThatStopsAndGoOnWithIt() throws Exception {
        // given
        int fetches = 200;
        AtomicInteger handled = new AtomicInteger();
        broker.fetch = (request, answer) -> {
            handled.incrementAndGet();
            answer.accept(List.of(new ConsumerFetch.Result(
                    request.entries().get(0).partition(),
                    ErrorCode.NONE,
                    "",
                    1,
                    0,
                    ByteBuffer.allocate(1 << 20),
                    null,
                    -1,
                    -1)));
            return () -> {};
        };
        SlowReader reader = new SlowReader();
        StreamObserver<FetchRequest> stream = FetchServiceGrpc.newStub(client).fetch(reader);

        // when
        for (int i = 0; i < fetches; i++) {
            stream.onNext(fetch(i));
        }
        await().during(Duration.ofMillis(500)).until(() -> handled.get() > 0);

        // then: a window's worth on the way, the bound of the queue, and one answer on top
        assertThat(handled.get()).isLessThan(40);
        reader.requests.get().request(fetches);
        await().until(() -> reader.ids.size() == fetches);
        assertThat(reader.ids).isSorted();
        stream.onCompleted();
    }

    /** Takes nothing until it is told to. */
    private static final class SlowReader implements ClientResponseObserver<FetchRequest, FetchResponse> {
        private final AtomicReference<ClientCallStreamObserver<FetchRequest>> requests = new AtomicReference<>();
        private final List<Long> ids = new CopyOnWriteArrayList<>();

        @Override
        public void beforeStart(ClientCallStreamObserver<FetchRequest> stream) {
            stream.disableAutoRequestWithInitial(0);
            requests.set(stream);
        }

        @Override
        public void onNext(FetchResponse response) {
            ids.add(response.getCorrelationId());
        }

        @Override
        public void onError(Throwable failure) {
            // The test waits for all answers and then misses some.
        }

        @Override
        public void onCompleted() {
            // Comes after the test.
        }
    }

    /** KNOWN_BUGS 41: a definite error, and other streams are not harmed. */
    @Test
    void shouldRefuseAMessageOverTheLimitWithADefiniteError() {
        // given
        broker.produce = (request, answer) -> {
            answer.accept(written(request, request.parts().get(0).batches().remaining()));
            return () -> {};
        };
        Received<ProduceResponse> other = new Received<>();
        StreamObserver<ProduceRequest> otherStream =
                ProduceServiceGrpc.newStub(client).produce(other);
        Received<ProduceResponse> answers = new Received<>();

        // when
        ProduceServiceGrpc.newStub(client).produce(answers).onNext(produce(1, (8 << 20) + 1));
        answers.awaitEnd();

        // then
        assertThat(answers.failure().getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        otherStream.onNext(produce(2, 5 << 20));
        await().until(() -> other.size() == 1);
        assertThat(other.messages().get(0).getResults(0).getBaseOffset()).isEqualTo(5 << 20);
    }

    /** KNOWN_BUGS 41: what is stored reaches followers, however large it is beside the clients' limit. */
    @Test
    void shouldGiveFollowersMoreThanAClientMaySend() throws Exception {
        // given
        ByteString large = ByteString.copyFrom(new byte[20 << 20]);
        broker.replicaFetch = (request, answer) -> {
            answer.accept(new io.tidemark.replication.fetch.ReplicaFetch.Answer(
                    ErrorCode.NONE,
                    1,
                    List.of(new io.tidemark.replication.fetch.ReplicaFetch.Result(
                            new io.tidemark.model.TopicPartition("a", 0),
                            ErrorCode.NONE,
                            1,
                            0,
                            large.asReadOnlyByteBuffer(),
                            null))));
            return () -> {};
        };
        Received<ReplicaFetchResponse> answers = new Received<>();

        // when
        ReplicaFetchServiceGrpc.newStub(peer).replicaFetch(answers).onNext(ReplicaFetchRequest.getDefaultInstance());

        // then
        await().until(() -> answers.size() == 1);
        assertThat(answers.messages().get(0).getResults(0).getBatches().size()).isEqualTo(20 << 20);
    }

    /** KNOWN_BUGS 42: many more waiting calls than threads, and peers are still answered. */
    @Test
    void shouldAnswerPeersWhileClientsWait() {
        // given
        Queue<Consumer<?>> parked = new ConcurrentLinkedQueue<>();
        broker.fetch = (request, answer) -> {
            parked.add(answer);
            return () -> {};
        };
        broker.produce = (request, answer) -> {
            parked.add(answer);
            return () -> {};
        };
        List<Object> streams = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            StreamObserver<FetchRequest> fetches =
                    FetchServiceGrpc.newStub(client).fetch(new Received<>());
            fetches.onNext(fetch(i));
            StreamObserver<ProduceRequest> produces =
                    ProduceServiceGrpc.newStub(client).produce(new Received<>());
            produces.onNext(produce(i, 10));
            streams.add(fetches);
            streams.add(produces);
        }
        await().until(() -> parked.size() == 60);

        // when
        Received<ReplicaFetchResponse> answers = new Received<>();
        StreamObserver<ReplicaFetchRequest> follower =
                ReplicaFetchServiceGrpc.newStub(peer).replicaFetch(answers);
        follower.onNext(ReplicaFetchRequest.getDefaultInstance());

        // then
        await().until(() -> answers.size() == 1);
        assertThat(ControllerServiceGrpc.newBlockingStub(peer)
                        .withDeadlineAfter(10, TimeUnit.SECONDS)
                        .controlledShutdown(ControlledShutdownRequest.getDefaultInstance())
                        .getError())
                .isEqualTo(io.tidemark.wire.v1.ErrorCode.ERROR_CODE_NOT_CONTROLLER);
        assertThat(MetadataServiceGrpc.newBlockingStub(client)
                        .withDeadlineAfter(10, TimeUnit.SECONDS)
                        .metadata(MetadataRequest.getDefaultInstance())
                        .getClusterId())
                .isEqualTo(FakeBroker.CLUSTER_ID);
        assertThat(streams).hasSize(60);
    }

    @Test
    void shouldRefuseMalformedPeersWithTheirOwnFault() {
        Received<ReplicaFetchResponse> answers = new Received<>();
        ReplicaFetchServiceGrpc.newStub(peer)
                .replicaFetch(answers)
                .onNext(ReplicaFetchRequest.newBuilder()
                        .addPartitions(io.tidemark.wire.internal.v1.ReplicaFetchPartition.newBuilder()
                                .setTopic("a")
                                .setTopicId("no id"))
                        .build());
        answers.awaitEnd();
        assertThat(answers.failure().getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    }

    @Test
    void shouldGiveProducerIds() {
        assertThat(ProduceServiceGrpc.newBlockingStub(client)
                        .initProducerId(InitProducerIdRequest.getDefaultInstance())
                        .getProducerId())
                .isEqualTo(7);
    }

    @Test
    void shouldFailAnAdminCallInItsOwnTimeAndSayThatNothingWasDone() {
        assertThat(AdminServiceGrpc.newBlockingStub(client)
                        .withDeadlineAfter(500, TimeUnit.MILLISECONDS)
                        .createTopic(
                                CreateTopicRequest.newBuilder().setName("a").build())
                        .getError())
                .isEqualTo(io.tidemark.wire.v1.ErrorCode.ERROR_CODE_NOT_CONTROLLER);
    }

    @Test
    void shouldTellItsHealthOnBothListeners() {
        for (ManagedChannel channel : List.of(client, peer)) {
            assertThat(health(channel, "")).isEqualTo(ServingStatus.SERVING);
            assertThat(health(channel, "tidemark.ready")).isEqualTo(ServingStatus.NOT_SERVING);
        }

        // when
        broker.health.holds(Health.Condition.READY);

        // then
        for (ManagedChannel channel : List.of(client, peer)) {
            assertThat(health(channel, "tidemark.ready")).isEqualTo(ServingStatus.SERVING);
            assertThat(health(channel, "tidemark.in-sync")).isEqualTo(ServingStatus.NOT_SERVING);
            assertThatThrownBy(() -> health(channel, "no.such"))
                    .extracting(failure ->
                            ((StatusRuntimeException) failure).getStatus().getCode())
                    .isEqualTo(Status.Code.NOT_FOUND);
        }
    }

    private static ServingStatus health(ManagedChannel channel, String service) {
        return HealthGrpc.newBlockingStub(channel)
                .check(HealthCheckRequest.newBuilder().setService(service).build())
                .getStatus();
    }

    @Test
    void shouldReflectTheServicesOfEachListener() {
        assertThat(reflected(client))
                .contains("tidemark.v1.ProduceService", "grpc.reflection.v1alpha.ServerReflection");
        assertThat(reflected(client)).doesNotContain("tidemark.internal.v1.BrokerCommandService");
        assertThat(reflected(peer)).contains("tidemark.internal.v1.BrokerCommandService");
        assertThat(reflected(peer)).doesNotContain("tidemark.v1.ProduceService");
    }

    private static List<String> reflected(ManagedChannel channel) {
        Received<ServerReflectionResponse> answers = new Received<>();
        StreamObserver<ServerReflectionRequest> stream =
                ServerReflectionGrpc.newStub(channel).serverReflectionInfo(answers);
        stream.onNext(ServerReflectionRequest.newBuilder().setListServices("").build());
        stream.onCompleted();
        answers.awaitEnd();
        return answers.messages().get(0).getListServicesResponse().getServiceList().stream()
                .map(service -> service.getName())
                .toList();
    }

    @Test
    void shouldLetOpenRequestsBeAnsweredWhenItStops() {
        // given
        Queue<Runnable> later = new ConcurrentLinkedQueue<>();
        broker.produce = (request, answer) -> {
            later.add(() -> answer.accept(written(request, 5)));
            return () -> {};
        };
        Received<ProduceResponse> answers = new Received<>();
        Received<FetchResponse> idle = new Received<>();
        StreamObserver<FetchRequest> idleStream =
                FetchServiceGrpc.newStub(client).fetch(idle);
        ProduceServiceGrpc.newStub(client).produce(answers).onNext(produce(1, 10));
        await().until(() -> later.size() == 1);

        // when
        Thread stopping = new Thread(() -> broker.listeners.stopClients(Duration.ofSeconds(20)));
        stopping.start();
        idle.awaitEnd();
        later.remove().run();

        // then
        answers.awaitEnd();
        assertThat(answers.messages()).hasSize(1);
        assertThat(answers.failure().getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
        await().until(() -> !stopping.isAlive());
        assertThat(idleStream).isNotNull();
    }

    @Test
    void shouldCutOffWhatDoesNotEndInTime() {
        // given
        broker.produce = (request, answer) -> () -> {};
        Received<ProduceResponse> answers = new Received<>();
        ProduceServiceGrpc.newStub(client).produce(answers).onNext(produce(1, 10));
        await().until(() -> broker.registry
                        .get("tidemark.streams")
                        .tag("listener", "clients")
                        .gauge()
                        .value()
                == 1);

        // when
        broker.listeners.stopClients(Duration.ofMillis(100));

        // then
        answers.awaitEnd();
        assertThat(answers.failure()).isNotNull();
    }

    @Test
    void shouldNameAnAddressThatCannotBeBound() {
        // given
        Endpoint taken = broker.clientEndpoint();
        Endpoint free = new Endpoint("127.0.0.1", 0);
        StreamContext context = new StreamContext(
                new OpenStreams(),
                InFlightBytes.unlimited(),
                new RequestMeters(new SimpleMeterRegistry(), new ManualClock()));
        GrpcListeners.Services none = new GrpcListeners.Services(List.of(), context);
        ListenerSettings settings = ListenerSettings.of(taken, free, MessageLimits.fitting(1 << 20, 50 << 20));

        // then
        assertThatThrownBy(() -> GrpcListeners.start(settings, none, none, new Health(), new SimpleMeterRegistry()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("clients on " + taken);
        assertThatThrownBy(() -> GrpcListeners.start(
                        ListenerSettings.of(free, new Endpoint("no.such.host.invalid", 1), settings.limits()),
                        none,
                        none,
                        new Health(),
                        new SimpleMeterRegistry()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("peers on no.such.host.invalid:1");
    }
}
