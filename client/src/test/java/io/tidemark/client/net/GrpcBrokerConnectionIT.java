package io.tidemark.client.net;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.tidemark.model.Acks;
import io.tidemark.model.Endpoint;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.wire.v1.AdminServiceGrpc;
import io.tidemark.wire.v1.CreateTopicRequest;
import io.tidemark.wire.v1.CreateTopicResponse;
import io.tidemark.wire.v1.FetchPartitionResult;
import io.tidemark.wire.v1.FetchRequest;
import io.tidemark.wire.v1.FetchResponse;
import io.tidemark.wire.v1.FetchServiceGrpc;
import io.tidemark.wire.v1.ProduceRequest;
import io.tidemark.wire.v1.ProduceResponse;
import io.tidemark.wire.v1.ProduceServiceGrpc;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a caller learns when a call over real connections goes wrong. */
final class GrpcBrokerConnectionIT {
    private static final int SERVER_LIMIT_BYTES = 64 << 10;
    private static final int CLIENT_LIMIT_BYTES = 128 << 10;
    private static final TopicPartition PARTITION = new TopicPartition("orders", 0);

    private final GrpcTransport transport =
            new GrpcTransport(new GrpcTransport.Settings(Duration.ofSeconds(20), CLIENT_LIMIT_BYTES));
    private final Broker broker = new Broker();
    private Server server;
    private BrokerConnection connection;

    /** A broker that does what a test says. */
    private static final class Broker extends AdminServiceGrpc.AdminServiceImplBase {
        private final CompletableFuture<StreamObserver<CreateTopicResponse>> asked = new CompletableFuture<>();

        @Override
        public void createTopic(CreateTopicRequest request, StreamObserver<CreateTopicResponse> answer) {
            asked.complete(answer);
        }
    }

    private static final class Produces extends ProduceServiceGrpc.ProduceServiceImplBase {
        @Override
        public StreamObserver<ProduceRequest> produce(StreamObserver<ProduceResponse> answers) {
            return new Silent<>();
        }
    }

    /** Answers each fetch with more than the client takes. */
    private static final class Fetches extends FetchServiceGrpc.FetchServiceImplBase {
        @Override
        public StreamObserver<FetchRequest> fetch(StreamObserver<FetchResponse> answers) {
            return new Silent<>() {
                @Override
                public void onNext(FetchRequest request) {
                    answers.onNext(FetchResponse.newBuilder()
                            .setCorrelationId(request.getCorrelationId())
                            .addResults(FetchPartitionResult.newBuilder()
                                    .setBatches(ByteString.copyFrom(new byte[CLIENT_LIMIT_BYTES + 1])))
                            .build());
                }
            };
        }
    }

    private static class Silent<T> implements StreamObserver<T> {
        @Override
        public void onNext(T message) {}

        @Override
        public void onError(Throwable failure) {}

        @Override
        public void onCompleted() {}
    }

    @BeforeEach
    void open() throws IOException {
        server = NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
                .directExecutor()
                .maxInboundMessageSize(SERVER_LIMIT_BYTES)
                .addService(broker)
                .addService(new Produces())
                .addService(new Fetches())
                .build()
                .start();
        connection = transport.connect(new Endpoint("127.0.0.1", server.getPort()));
    }

    @AfterEach
    void close() {
        connection.close();
        server.shutdownNow();
        transport.close();
    }

    @Test
    void shouldNotKnowTheOutcomeWhenTheConnectionBreaksAfterTheRequestWasSent() throws Exception {
        // given
        CompletableFuture<Reply<String>> answer = create(connection);
        broker.asked.get(20, TimeUnit.SECONDS);

        // when
        server.shutdownNow();

        // then
        assertThat(failure(answer).error().outcome()).isEqualTo(ErrorCode.Outcome.UNKNOWN);
    }

    @Test
    void shouldKnowThatNothingWasSentWhenNobodyListens() throws Exception {
        // given
        int port;
        try (ServerSocket closed = new ServerSocket(0)) {
            port = closed.getLocalPort();
        }
        BrokerConnection nowhere = transport.connect(new Endpoint("127.0.0.1", port));

        // when
        CompletableFuture<Reply<String>> created = create(nowhere);
        CompletableFuture<Reply<List<Wire.ProduceResult>>> produced = produce(nowhere, 10);

        // then
        assertThat(failure(created).error()).isEqualTo(ErrorCode.BROKER_NOT_AVAILABLE);
        assertThat(failure(produced).error()).isEqualTo(ErrorCode.BROKER_NOT_AVAILABLE);
        nowhere.close();
    }

    @Test
    void shouldTellADefiniteRefusal() throws Exception {
        // given
        CompletableFuture<Reply<String>> created = create(connection);

        // when
        broker.asked
                .get(20, TimeUnit.SECONDS)
                .onError(Status.INVALID_ARGUMENT.withDescription("no").asRuntimeException());
        CompletableFuture<Reply<Metadata>> notServed = call(
                answer -> connection.metadata(new Wire.MetadataCall(List.of(), Wire.MetadataCall.Scope.ALL), answer));

        // then
        assertThat(failure(created).error()).isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(failure(created).message()).contains("INVALID_ARGUMENT", "no");
        assertThat(failure(notServed).error()).isEqualTo(ErrorCode.INVALID_REQUEST);
    }

    /** KNOWN_BUGS 41. */
    @Test
    void shouldBlameTheRequestThatIsTooLargeAndNoOther() throws Exception {
        // when
        CompletableFuture<Reply<List<Wire.ProduceResult>>> small = produce(connection, 10);
        CompletableFuture<Reply<List<Wire.ProduceResult>>> large = produce(connection, SERVER_LIMIT_BYTES);
        CompletableFuture<Reply<List<Wire.ProduceResult>>> behind = produce(connection, 10);

        // then
        assertThat(failure(large).error()).isEqualTo(ErrorCode.MESSAGE_TOO_LARGE);
        assertThat(failure(small).error()).as("it may be written").isEqualTo(ErrorCode.REQUEST_TIMED_OUT);
        assertThat(failure(behind).error()).isEqualTo(ErrorCode.REQUEST_TIMED_OUT);
    }

    /** KNOWN_BUGS 41. */
    @Test
    void shouldTellOfAnAnswerThatIsTooLargeForTheClient() throws Exception {
        // given
        FetchLane lane = connection.openFetches();

        // when
        CompletableFuture<Reply<List<Wire.FetchResult>>> fetched = call(answer ->
                lane.fetch(new Wire.FetchCall(0, 1, 1, List.of(new Wire.FetchPart(PARTITION, -1, 0, -1, 1))), answer));

        // then
        assertThat(failure(fetched).error()).isEqualTo(ErrorCode.MESSAGE_TOO_LARGE);
        lane.close();
    }

    private static CompletableFuture<Reply<String>> create(BrokerConnection at) {
        return call(answer -> at.createTopic(new Wire.TopicCreation("orders", 1, 1, new TreeMap<>()), answer));
    }

    private static CompletableFuture<Reply<List<Wire.ProduceResult>>> produce(BrokerConnection at, int sizeBytes) {
        Wire.ProducePart part = new Wire.ProducePart(PARTITION, 1, ByteBuffer.allocate(sizeBytes));
        return call(answer -> at.produce(new Wire.ProduceCall(Acks.ALL, 1_000, List.of(part)), answer));
    }

    private static <T> CompletableFuture<Reply<T>> call(Consumer<Consumer<Reply<T>>> call) {
        CompletableFuture<Reply<T>> answer = new CompletableFuture<>();
        call.accept(answer::complete);
        return answer;
    }

    private static <T> Reply.Failure<T> failure(CompletableFuture<Reply<T>> answer) throws Exception {
        return (Reply.Failure<T>) answer.get(20, TimeUnit.SECONDS);
    }

    /** A frozen process still has its connections accepted by the system; another broker has to be asked in time. */
    @Test
    void shouldNotWaitLongForMetadataOfABrokerThatIsFrozen() throws Exception {
        try (ServerSocket frozen = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            // given
            CompletableFuture<Reply<Metadata>> answer = new CompletableFuture<>();
            BrokerConnection silent = transport.connect(new Endpoint("127.0.0.1", frozen.getLocalPort()));

            // when
            silent.metadata(new Wire.MetadataCall(List.of("orders"), Wire.MetadataCall.Scope.NAMED), answer::complete);

            // then
            assertThat(answer.get(10, TimeUnit.SECONDS))
                    .isInstanceOfSatisfying(
                            Reply.Failure.class,
                            failure -> assertThat(failure.error()).isEqualTo(ErrorCode.REQUEST_TIMED_OUT));
        }
    }
}
