package io.tidemark.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import io.tidemark.server.plain.OneBroker;
import io.tidemark.wire.v1.FetchPartition;
import io.tidemark.wire.v1.FetchRequest;
import io.tidemark.wire.v1.FetchResponse;
import io.tidemark.wire.v1.FetchServiceGrpc;
import io.tidemark.wire.v1.PlainServiceGrpc;
import io.tidemark.wire.v1.PublishRequest;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Very many fetches that wait at one broker. */
final class LongPollThreadsIT {
    private static final String TOPIC = "quiet";
    private static final int POLLS = 10_000;
    private static final int CONNECTIONS = 4;
    private static final int MAX_WAIT_MS = 120_000;
    /** One in a hundred polls: the callers' pools and the JVM's own threads come and go in this process, too. */
    private static final int FEW_THREADS = 100;

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @TempDir
    private Path directory;

    private final List<ManagedChannel> channels = new ArrayList<>();
    private final AtomicInteger withRecord = new AtomicInteger();
    private final AtomicInteger withoutRecord = new AtomicInteger();
    private final AtomicInteger broken = new AtomicInteger();
    private OneBroker broker;

    @BeforeEach
    void start() throws Exception {
        broker = new OneBroker(directory);
        await().atMost(PATIENCE).until(broker::isReady);
        broker.createTopic(TOPIC, 1, Map.of());
        for (int i = 0; i < CONNECTIONS; i++) {
            channels.add(NettyChannelBuilder.forAddress("127.0.0.1", broker.clientPort())
                    .usePlaintext()
                    .proxyDetector(address -> null)
                    .directExecutor()
                    .build());
        }
    }

    @AfterEach
    void stop() {
        channels.forEach(ManagedChannel::shutdownNow);
        broker.close();
    }

    // S75: a fetch that waits costs no thread: 10,000 of them, each of a caller of its own, and one record answers all.
    // Fails if: FetchHandler waits for a DelayedFetch on the thread that brought it.
    @Test
    void shouldHoldTenThousandLongPollsWithoutAThreadEach() {
        // given: every connection and thread of both sides is there
        publish("before");
        for (ManagedChannel channel : channels) {
            poll(channel, 0);
        }
        await().atMost(PATIENCE).until(() -> withRecord.get() == CONNECTIONS);
        withRecord.set(0);
        int threadsBefore = threads();

        // when
        for (int i = 0; i < POLLS; i++) {
            poll(channels.get(i % CONNECTIONS), 1);
        }

        // then
        await().atMost(PATIENCE).until(() -> waiting() >= POLLS);
        assertThat(threads() - threadsBefore).isLessThanOrEqualTo(FEW_THREADS);
        assertThat(withRecord).hasValue(0);

        // when
        publish("news");

        // then
        await().atMost(PATIENCE).until(() -> withRecord.get() + withoutRecord.get() + broken.get() == POLLS);
        assertThat(withRecord).hasValue(POLLS);
        assertThat(waiting()).isZero();
        assertThat(threads() - threadsBefore).isLessThanOrEqualTo(FEW_THREADS);
    }

    private double waiting() {
        return broker.metric("tidemark_purgatory_size{op=\"fetch\"}");
    }

    private static int threads() {
        return ManagementFactory.getThreadMXBean().getThreadCount();
    }

    private void publish(String value) {
        PlainServiceGrpc.newBlockingStub(broker.channel())
                .withDeadlineAfter(20, TimeUnit.SECONDS)
                .publish(PublishRequest.newBuilder()
                        .setTopic(TOPIC)
                        .setPartition(0)
                        .setValue(ByteString.copyFromUtf8(value))
                        .build());
    }

    private void poll(ManagedChannel channel, long offset) {
        FetchServiceGrpc.newStub(channel)
                .fetch(new Answers())
                .onNext(FetchRequest.newBuilder()
                        .setCorrelationId(1)
                        .setMaxWaitMs(MAX_WAIT_MS)
                        .setMinBytes(1)
                        .setMaxBytes(10_000)
                        .addPartitions(FetchPartition.newBuilder()
                                .setTopic(TOPIC)
                                .setCurrentLeaderEpoch(-1)
                                .setFetchOffset(offset)
                                .setLastFetchedEpoch(-1)
                                .setMaxBytes(10_000))
                        .build());
    }

    private final class Answers implements StreamObserver<FetchResponse> {
        @Override
        public void onNext(FetchResponse answer) {
            boolean empty = answer.getResults(0).getBatches().isEmpty();
            (empty ? withoutRecord : withRecord).incrementAndGet();
        }

        @Override
        public void onError(Throwable failure) {
            broken.incrementAndGet();
        }

        @Override
        public void onCompleted() {
            broken.incrementAndGet();
        }
    }
}
