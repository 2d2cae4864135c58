package io.tidemark.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.config.TruncationMode;
import io.tidemark.replication.partition.Partition;
import io.tidemark.sim.check.LogContents;
import io.tidemark.sim.check.Violation;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** I1 in both truncation modes, as traces that a person can follow: see {@link TruncationScenario}. */
final class TruncationScenarioTest {
    private static final long SEED = 1;

    private final SimWorld world = new SimWorld(SEED, Trace.recording());

    @Test
    void shouldKeepAcknowledgedRecordsWhenFollowersTruncateByLeaderEpoch() throws IOException {
        // given
        SimCluster cluster = new SimCluster(world, 3, SimSettings.of(TruncationMode.LEADER_EPOCH));

        // when
        TruncationScenario.run(cluster);

        // then
        assertThat(cluster.acked().all().values()).containsExactly("m0", "m1");
        int leader = cluster.leader().orElseThrow();
        assertThat(records(cluster.partitionOf(leader).orElseThrow()))
                .isEqualTo(cluster.acked().all());
        assertThat(cluster.cutsBelowHighWatermark().values()).containsOnly(0L);
        assertTrace("truncation-leader-epoch.txt");
    }

    @Test
    void shouldLoseAcknowledgedRecordsWhenFollowersTruncateToTheHighWatermark() throws IOException {
        // given
        SimCluster cluster = new SimCluster(world, 3, SimSettings.of(TruncationMode.HIGH_WATERMARK));

        // when / then
        assertThatThrownBy(() -> TruncationScenario.run(cluster))
                .isInstanceOf(Violation.class)
                .hasMessageContaining("I1")
                .hasMessageContaining("m0@0");
        assertThat(cluster.cutsBelowHighWatermark().values())
                .as("what an invariant forbids in the other mode")
                .contains(1L);
        assertTrace("truncation-high-watermark.txt");
    }

    private static SortedMap<Long, String> records(Partition partition) {
        SortedMap<Long, String> records = new TreeMap<>();
        LogContents.read(partition.log(), 0)
                .forEach(batch -> batch.records().forEach(record -> records.put(record.offset(), record.value())));
        return records;
    }

    /** Compares with what is kept; writes that anew if asked to, for a person to read before it is committed. */
    private void assertTrace(String name) throws IOException {
        String trace = String.join("\n", world.trace()) + "\n";
        if (Boolean.getBoolean("tidemark.golden.write")) {
            Files.writeString(Path.of("src", "test", "resources", "golden", name), trace);
        } else {
            assertThat(trace).isEqualTo(golden(name));
        }
    }

    private static String golden(String name) throws IOException {
        try (InputStream in = TruncationScenarioTest.class.getResourceAsStream("/golden/" + name)) {
            assertThat(in).as("golden trace %s", name).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
