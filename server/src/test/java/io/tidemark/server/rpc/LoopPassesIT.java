package io.tidemark.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import io.tidemark.model.ErrorCode;
import io.tidemark.replication.produce.Produce;
import io.tidemark.server.FakeBroker;
import io.tidemark.server.Received;
import io.tidemark.wire.v1.Acks;
import io.tidemark.wire.v1.PartitionProduce;
import io.tidemark.wire.v1.ProduceRequest;
import io.tidemark.wire.v1.ProduceResponse;
import io.tidemark.wire.v1.ProduceServiceGrpc;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the loops of a real listener collect. */
final class LoopPassesIT {
    private static final int MESSAGES = 50;
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final NettyLoops clientThreads = new NettyLoops("passes-client", 1);
    private final LoopPasses passes = new LoopPasses();
    private final CountDownLatch heldUp = new CountDownLatch(1);
    private final CountDownLatch allSent = new CountDownLatch(1);
    private final AtomicInteger handled = new AtomicInteger();
    private final AtomicInteger wakeUps = new AtomicInteger();
    private final AtomicBoolean waking = new AtomicBoolean();
    private FakeBroker broker;
    private ManagedChannel client;

    @BeforeEach
    void start() throws IOException {
        broker = new FakeBroker(1);
        broker.listeners.collectIn(passes);
        broker.produce = (request, answer) -> {
            holdUpTheFirst();
            wakeOnceAPass();
            handled.incrementAndGet();
            answer.accept(
                    List.of(new Produce.Result(request.parts().get(0).partition(), ErrorCode.NONE, "", 0, 0, -1, -1)));
            return () -> {};
        };
        client = NettyChannelBuilder.forAddress(
                        broker.clientEndpoint().host(), broker.clientEndpoint().port())
                .usePlaintext()
                .proxyDetector(address -> null)
                .eventLoopGroup(clientThreads.group())
                .channelType(NettyLoops.outgoing())
                .build();
    }

    @AfterEach
    void stop() {
        client.shutdownNow();
        broker.close();
        clientThreads.close();
    }

    /** As {@code PurgatorySignals} does for a session. */
    private void wakeOnceAPass() {
        if (waking.compareAndSet(false, true)) {
            passes.execute(() -> {
                waking.set(false);
                wakeUps.incrementAndGet();
            });
        }
    }

    /** Until everything else is in the socket. */
    private void holdUpTheFirst() {
        if (handled.get() > 0) {
            return;
        }
        heldUp.countDown();
        try {
            assertThat(allSent.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** DESIGN 5: "what arrives in one socket read costs one exchange per follower". */
    // Fails if: LoopPasses.execute runs the work at once, or GrpcListeners.collectIn leaves the clients' loops out.
    @Test
    void shouldWakeOnceForAllMessagesOfOneRead() throws Exception {
        // given
        StreamObserver<ProduceRequest> stream =
                ProduceServiceGrpc.newStub(client).produce(new Received<ProduceResponse>());

        // when: the loop is held up in the first while the others arrive
        stream.onNext(request(0));
        assertThat(heldUp.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        for (int i = 1; i < MESSAGES; i++) {
            stream.onNext(request(i));
        }
        // What was handed to the client's loop before this was written by it before this.
        clientThreads.group().submit(() -> {}).get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        allSent.countDown();
        await().atMost(LIMIT).until(() -> handled.get() == MESSAGES && !waking.get());

        // then
        assertThat(wakeUps.get()).isBetween(1, MESSAGES / 5);
    }

    private static ProduceRequest request(int id) {
        return ProduceRequest.newBuilder()
                .setCorrelationId(id)
                .setAcks(Acks.ACKS_ALL)
                .setTimeoutMs(10_000)
                .addPartitions(PartitionProduce.newBuilder()
                        .setTopic("a")
                        .setLeaderEpoch(-1)
                        .setBatches(ByteString.copyFrom(new byte[100])))
                .build();
    }
}
