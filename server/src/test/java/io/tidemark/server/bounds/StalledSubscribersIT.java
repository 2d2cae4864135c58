package io.tidemark.server.bounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.tidemark.server.plain.OneBroker;
import io.tidemark.wire.v1.Acks;
import io.tidemark.wire.v1.PartitionProduce;
import io.tidemark.wire.v1.PartitionStart;
import io.tidemark.wire.v1.PlainServiceGrpc;
import io.tidemark.wire.v1.ProduceRequest;
import io.tidemark.wire.v1.PublishRequest;
import io.tidemark.wire.v1.StartAt;
import io.tidemark.wire.v1.SubscribeRequest;
import io.tidemark.wire.v1.SubscribeResponse;
import io.tidemark.wire.v1.SubscribedRecord;
import io.tidemark.wire.v1.Subscription;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * KNOWN_BUGS 40: ten subscribers that stop reading hold little of the broker's memory, harm nobody, and miss nothing when they read on.
 *
 * <p>The default run has 10 MB in each of ten partitions, which is almost four times the bound; {@code mvn verify -Pslow -pl server -am
 * -Dit.test=StalledSubscribersIT} has 100 MB in each.
 */
final class StalledSubscribersIT {
    private static final int SUBSCRIBERS = 10;
    private static final int VALUE_BYTES = 10_000;
    private static final int RECORDS_PER_BATCH = 50;

    /** A slice that was fetched, or a batch, and one in the transport, and what the window of this test's client lets through. */
    private static final long BOUND_EACH_BYTES = 1 << 20;

    /** The transport's pools grow by a chunk of 4 MiB for a thread: two of the listener's, and one of each of the test's two clients. */
    private static final long NOISE_BYTES = 4 * (4 << 20);

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration SLOW = Duration.ofSeconds(1);

    @TempDir
    private Path directory;

    /** Reads nothing until told to, then everything; keeps only whether it came in order. */
    private static final class Stalled implements ClientResponseObserver<SubscribeRequest, SubscribeResponse> {
        private volatile @Nullable ClientCallStreamObserver<SubscribeRequest> call;
        private volatile long next;
        private volatile @Nullable String wrong;

        @Override
        public void beforeStart(ClientCallStreamObserver<SubscribeRequest> stream) {
            call = stream;
            stream.disableAutoRequestWithInitial(0);
        }

        @Override
        public void onNext(SubscribeResponse response) {
            for (SubscribedRecord record : response.getRecordsList()) {
                if (record.getOffset() != next || record.getValue().size() != VALUE_BYTES) {
                    wrong = "offset " + record.getOffset() + " where " + next + " is next";
                }
                next = record.getOffset() + 1;
            }
        }

        @Override
        public void onError(Throwable cause) {
            wrong = cause.toString();
        }

        @Override
        public void onCompleted() {
            wrong = "an end";
        }
    }

    @Test
    void shouldHoldLittleForThoseWhoDoNotRead() throws Exception {
        stall(1_000);
    }

    @Test
    @Tag("slow")
    @Timeout(300)
    void shouldHoldLittleForThoseWhoDoNotReadMuch() throws Exception {
        stall(10_000);
    }

    private void stall(int records) throws Exception {
        try (OneBroker broker = new OneBroker(directory)) {
            // given
            await().atMost(PATIENCE).until(broker::isReady);
            broker.createTopic("stalled", SUBSCRIBERS, Map.of());
            broker.createTopic("other", 1, Map.of());
            fill(broker, records);
            publish(broker, 20);
            ManagedChannel slow = NettyChannelBuilder.forTarget(broker.channel().authority())
                    .usePlaintext()
                    .proxyDetector(address -> null)
                    .initialFlowControlWindow(64 << 10)
                    .flowControlWindow(64 << 10)
                    .build();
            try {
                Footprint before = Footprint.now();

                // when
                List<Stalled> stalled = subscribe(slow);
                await().atMost(PATIENCE).until(() -> broker.metric("tidemark_plain_subscribers") == SUBSCRIBERS);
                long[] tookNs = publish(broker, 300);

                // then
                Footprint after = Footprint.now();
                long heldBytes = after.heapBytes() - before.heapBytes() + after.directBytes() - before.directBytes();
                System.out.println("held " + heldBytes + ", slowest publish "
                        + Arrays.stream(tookNs).max().orElseThrow() / 1_000_000 + " ms, " + before + " " + after);
                assertThat(heldBytes).isLessThan(SUBSCRIBERS * BOUND_EACH_BYTES + NOISE_BYTES);
                // A pause of the machine holds up one call; whoever does not read would hold up most.
                assertThat(Arrays.stream(tookNs).filter(ns -> ns > SLOW.toNanos()))
                        .hasSizeLessThanOrEqualTo(2);
                assertThat(stalled).allMatch(each -> each.next == 0);
                readOn(stalled, records);
            } finally {
                slow.shutdownNow();
            }
        }
    }

    private static void readOn(List<Stalled> stalled, int records) {
        stalled.forEach(each -> each.call.request(Integer.MAX_VALUE));
        await().atMost(Duration.ofSeconds(120))
                .until(() -> stalled.stream().allMatch(each -> each.next == records || each.wrong != null));
        assertThat(stalled).allSatisfy(each -> assertThat(each.wrong).isNull());
    }

    private static List<Stalled> subscribe(ManagedChannel channel) {
        List<Stalled> all = new ArrayList<>();
        for (int partition = 0; partition < SUBSCRIBERS; partition++) {
            Stalled each = new Stalled();
            PlainServiceGrpc.newStub(channel).subscribe(each);
            each.call.onNext(SubscribeRequest.newBuilder()
                    .setStart(Subscription.newBuilder()
                            .setTopic("stalled")
                            .addPartitions(PartitionStart.newBuilder()
                                    .setPartition(partition)
                                    .setFrom(StartAt.newBuilder().setEdge(StartAt.Edge.EDGE_EARLIEST))))
                    .build());
            all.add(each);
        }
        return all;
    }

    private static void fill(OneBroker broker, int records) {
        Victim leader = new Victim(broker.channel());
        ByteString batch = Batches.of(RECORDS_PER_BATCH, VALUE_BYTES);
        for (int i = 0; i < records / RECORDS_PER_BATCH; i++) {
            for (int partition = 0; partition < SUBSCRIBERS; partition++) {
                produce(leader, partition, batch);
            }
        }
        leader.close();
    }

    /** Until the new topic has arrived at its leader, nothing is written. */
    private static void produce(Victim leader, int partition, ByteString batch) {
        await().atMost(PATIENCE)
                .until(() -> leader.produce(ProduceRequest.newBuilder()
                                .setAcks(Acks.ACKS_ALL)
                                .setTimeoutMs(10_000)
                                .addPartitions(PartitionProduce.newBuilder()
                                        .setTopic("stalled")
                                        .setPartition(partition)
                                        .setLeaderEpoch(-1)
                                        .setBatches(batch)))
                        .get(20, TimeUnit.SECONDS)
                        .equals("NONE"));
    }

    /** @return how long each took */
    private static long[] publish(OneBroker broker, int count) {
        long[] tookNs = new long[count];
        for (int i = 0; i < count; i++) {
            long begunAtNs = System.nanoTime();
            PlainServiceGrpc.newBlockingStub(broker.channel())
                    .withDeadlineAfter(10, TimeUnit.SECONDS)
                    .publish(PublishRequest.newBuilder()
                            .setTopic("other")
                            .setValue(ByteString.copyFromUtf8("v" + i))
                            .build());
            tookNs[i] = System.nanoTime() - begunAtNs;
        }
        return tookNs;
    }
}
