package io.tidemark.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.config.TruncationMode;
import io.tidemark.model.Acks;
import io.tidemark.record.Codec;
import io.tidemark.record.ProducerStamp;
import io.tidemark.record.RecordBatchBuilder;
import io.tidemark.replication.produce.Produce;
import io.tidemark.sim.check.LogContents;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What simulated brokers do to their logs by themselves, by the settings of topics. */
final class SimUpkeepTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int RECORDS = 60;
    private static final int BATCH_BYTES = 1_024;

    private final SimWorld world = new SimWorld(8, Trace.lastLines(60));
    private final SimCluster cluster = new SimCluster(
            world,
            3,
            SimSettings.of(TruncationMode.LEADER_EPOCH)
                    .withUpkeep(SimUpkeep.DEFAULTS.withCleanerBackoff(Duration.ofMillis(200))));

    private void start(SortedMap<String, String> overrides) {
        cluster.brokerIds().forEach(cluster::start);
        cluster.run(Duration.ofSeconds(2));
        cluster.createTopic(2, overrides);
        cluster.await("all follow", cluster::allCaughtUp, PATIENCE);
    }

    private static SortedMap<String, String> smallSegments() {
        SortedMap<String, String> overrides = new TreeMap<>();
        overrides.put("segment.bytes", "1024");
        return overrides;
    }

    /** The oracle does not know it: a record may be compacted away. */
    private void produceWithKey(String key, String value) {
        SimProcess leader = cluster.machine(cluster.leader().orElseThrow()).running();
        RecordBatchBuilder builder = new RecordBatchBuilder(Codec.NONE, BATCH_BYTES, BATCH_BYTES);
        builder.tryAppend(world.clock().wallMs(), bytes(key), bytes(value), List.of());
        ByteBuffer batch = builder.build(ProducerStamp.NONE);
        Produce.Request request =
                new Produce.Request(Acks.ALL, 2_000, List.of(new Produce.Part(SimCluster.PARTITION, -1, batch)));
        leader.threads().enter(() -> {
            var unused = leader.replication().produces().produce(request, results -> {});
        });
    }

    private int recordsOn(int id) {
        return LogContents.read(cluster.partitionOf(id).orElseThrow().log(), 0).stream()
                .mapToInt(batch -> batch.records().size())
                .sum();
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    // S19
    // Fails if: SimProcess does not start its cleaner, or gives logs the settings of the broker alone
    @Test
    void shouldCompactOnEveryReplica() {
        // given
        SortedMap<String, String> overrides = smallSegments();
        overrides.put("cleanup.policy", "compact");
        overrides.put("min.cleanable.dirty.ratio", "0.01");
        start(overrides);

        // when
        for (int i = 0; i < RECORDS; i++) {
            produceWithKey("key" + i % 3, "value" + i);
            cluster.run(Duration.ofMillis(20));
        }

        // then
        cluster.await(
                "all are compacted",
                () -> cluster.brokerIds().stream().allMatch(id -> recordsOn(id) < RECORDS / 2),
                PATIENCE);
    }

    // Fails if: SimHost.flipBit takes the active segment
    @Test
    void shouldTurnABitOverInASealedSegmentAlone() {
        // given
        start(smallSegments());
        int broker = cluster.leader().orElseThrow();
        boolean before = cluster.flipBit(broker).isPresent();
        for (int i = 0; i < RECORDS; i++) {
            cluster.produce(broker, "m" + i);
            cluster.run(Duration.ofMillis(20));
        }

        // when
        FlippedBit flipped = cluster.flipBit(broker).orElseThrow();

        // then
        assertThat(before).as("there is no sealed segment yet").isFalse();
        assertThat(flipped.file().toString()).endsWith(".log");
        assertThat(flipped.batchOffset()).isBetween(0L, RECORDS - 1L);
    }
}
