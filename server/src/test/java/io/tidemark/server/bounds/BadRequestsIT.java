package io.tidemark.server.bounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.tidemark.server.plain.OneBroker;
import io.tidemark.wire.v1.Acks;
import io.tidemark.wire.v1.FetchPartition;
import io.tidemark.wire.v1.FetchRequest;
import io.tidemark.wire.v1.FetchServiceGrpc;
import io.tidemark.wire.v1.ListOffsetsPartition;
import io.tidemark.wire.v1.ListOffsetsRequest;
import io.tidemark.wire.v1.PartitionProduce;
import io.tidemark.wire.v1.ProduceRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A thousand bad requests to a whole broker, each of which gets the answer of its {@link BadRequest} kind, and leaves nothing
 * behind. Which ones is drawn from a seed; {@code -Dtidemark.bad.seed} draws others.
 */
final class BadRequestsIT {
    private static final int REQUESTS = 1_000;
    private static final int AT_ONCE = 32;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Of 1,000 requests: one that kept its few kilobytes each time would be found. */
    private static final long HEAP_TOLERANCE_BYTES = 4 << 20;

    /** Two chunks of the transport's pool, which it keeps. */
    private static final long DIRECT_TOLERANCE_BYTES = 8 << 20;

    @TempDir
    private Path directory;

    private OneBroker broker;
    private Victim victim;

    @BeforeEach
    void start() throws Exception {
        broker = new OneBroker(directory);
        await().atMost(PATIENCE).until(broker::isReady);
        broker.createTopic(Topics.TARGET, 1, Map.of());
        broker.createTopic(Topics.SMALL, 1, Map.of("max.message.bytes", "1000"));
        broker.createTopic(Topics.ODD, 1, Map.of());
        victim = new Victim(broker.channel());
        await().atMost(PATIENCE).until(() -> produced(10).equals("NONE"));
    }

    @AfterEach
    void stop() {
        victim.close();
        broker.close();
    }

    private String produced(int records) throws Exception {
        return victim.produce(ProduceRequest.newBuilder()
                        .setAcks(Acks.ACKS_ALL)
                        .setTimeoutMs(10_000)
                        .addPartitions(PartitionProduce.newBuilder()
                                .setTopic(Topics.TARGET)
                                .setLeaderEpoch(-1)
                                .setBatches(ByteString.copyFrom(Batches.good(records)))))
                .get(20, TimeUnit.SECONDS);
    }

    private String fetched() throws Exception {
        return victim.fetch(FetchRequest.newBuilder()
                        .setMaxBytes(1 << 20)
                        .addPartitions(FetchPartition.newBuilder()
                                .setTopic(Topics.TARGET)
                                .setCurrentLeaderEpoch(-1)
                                .setLastFetchedEpoch(-1)
                                .setMaxBytes(1 << 20)))
                .get(20, TimeUnit.SECONDS);
    }

    private long endOfTarget() {
        return FetchServiceGrpc.newBlockingStub(broker.channel())
                .withDeadlineAfter(10, TimeUnit.SECONDS)
                .listOffsets(ListOffsetsRequest.newBuilder()
                        .addPartitions(ListOffsetsPartition.newBuilder()
                                .setTopic(Topics.TARGET)
                                .setCurrentLeaderEpoch(-1)
                                .setPosition(ListOffsetsPartition.Position.POSITION_LATEST))
                        .build())
                .getResults(0)
                .getOffset();
    }

    /** Each kind at least once; the others by their weights. */
    private static List<BadRequest> draw(Random random, int count) {
        List<BadRequest> kinds = new ArrayList<>(Arrays.asList(BadRequest.values()));
        List<BadRequest> urn = kinds.stream()
                .flatMap(kind -> Stream.generate(() -> kind).limit(kind.weight))
                .toList();
        while (kinds.size() < count) {
            kinds.add(urn.get(random.nextInt(urn.size())));
        }
        Collections.shuffle(kinds, random);
        return kinds;
    }

    /** @return the requests that got something else than they should */
    private List<String> send(long seed, int count) throws InterruptedException {
        Queue<String> wrong = new ConcurrentLinkedQueue<>();
        Semaphore room = new Semaphore(AT_ONCE);
        List<BadRequest> kinds = draw(new Random(seed), count);
        for (int i = 0; i < kinds.size(); i++) {
            BadRequest kind = kinds.get(i);
            String name = kind + " (number " + i + ")";
            assertThat(room.tryAcquire(60, TimeUnit.SECONDS))
                    .as("an answer before %s", name)
                    .isTrue();
            kind.attack.send(victim, new Random(seed + i)).whenComplete((answer, failure) -> {
                if (!kind.answer.equals(answer)) {
                    wrong.add(name + " got " + answer + (failure == null ? "" : failure));
                }
                room.release();
            });
        }
        assertThat(room.tryAcquire(AT_ONCE, 60, TimeUnit.SECONDS))
                .as("all answers")
                .isTrue();
        return new ArrayList<>(wrong);
    }

    /** Open are the victim's two streams, and what the broker's own client keeps open for the plain API. */
    private void awaitQuiet() {
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(broker.metric("tidemark_inflight_bytes{listener=\"clients\"}"))
                    .isZero();
            assertThat(broker.metric("tidemark_streams{listener=\"clients\"}")).isLessThanOrEqualTo(4);
            assertThat(broker.metric("tidemark_plain_inflight_bytes")).isZero();
            assertThat(broker.metric("tidemark_plain_buffered_bytes")).isZero();
            assertThat(broker.metric("tidemark_plain_publishes")).isZero();
            assertThat(broker.metric("tidemark_plain_subscribers")).isZero();
            assertThat(broker.metric("tidemark_connections{listener=\"clients\"}"))
                    .isLessThanOrEqualTo(4);
        });
    }

    @Test
    void shouldAnswerEachBadRequestPreciselyAndKeepNothingOfIt() throws Exception {
        // given everything is loaded, open and as large as it gets: as many requests, of each kind, were there before
        long seed = Long.getLong("tidemark.bad.seed", 1);
        System.out.println("-Dtidemark.bad.seed=" + seed);
        long end = endOfTarget();
        try (LogWatch logs = new LogWatch()) {
            assertThat(send(seed + REQUESTS, REQUESTS))
                    .as("the first round, seed %s", seed)
                    .isEmpty();
            awaitQuiet();
            Footprint before = Footprint.now();

            // when
            List<String> wrong = send(seed, REQUESTS);

            // then
            assertThat(wrong)
                    .as("seed %s, the log ends at %s", seed, endOfTarget())
                    .isEmpty();
            assertThat(logs.alarms()).as("seed %s", seed).isEmpty();
            awaitQuiet();
            await().atMost(PATIENCE).untilAsserted(() -> {
                Footprint after = Footprint.now();
                assertThat(after.heapBytes()).as("heap").isLessThan(before.heapBytes() + HEAP_TOLERANCE_BYTES);
                assertThat(after.directBytes()).as("direct").isLessThan(before.directBytes() + DIRECT_TOLERANCE_BYTES);
                assertThat(after.descriptors()).as("descriptors").isLessThanOrEqualTo(before.descriptors());
            });
            System.out.println(before + " " + Footprint.now());
        }
        assertThat(endOfTarget()).isEqualTo(end);
        assertThat(produced(1)).isEqualTo("NONE");
        assertThat(fetched()).isEqualTo("NONE");
    }

    @Test
    void shouldStandInTheProtocolAsItIs() throws IOException {
        String table =
                Arrays.stream(BadRequest.values()).map(BadRequest::row).collect(Collectors.joining("\n", "", "\n"));
        assertThat(Files.readString(Path.of("..", "docs", "protocol.md"))).contains(table);
    }
}
