package io.tidemark.sim.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.sim.check.ReplicaComparison.Replica;
import java.util.List;
import org.junit.jupiter.api.Test;

/** DESIGN section 9: replica comparison, wherever it is made. */
final class ReplicaComparisonTest {
    private static final BatchMark A = Marks.batch(0, 0, "a", "b");
    private static final BatchMark B = Marks.batch(2, 0, "c");

    private final ReplicaComparison plain = ReplicaComparison.of(Cleanup.DELETE);
    private final ReplicaComparison compacted = ReplicaComparison.of(Cleanup.COMPACT);

    private static Replica replica(int id, long start, long highWatermark, BatchMark... batches) {
        return new Replica(id, start, highWatermark, List.of(batches));
    }

    // I2
    // Fails if: ReplicaComparison compares beyond the lowest high watermark, or before the highest log start
    @Test
    void shouldCompareFromTheHighestStartToTheLowestHighWatermark() {
        assertThat(plain.difference(List.of(
                        replica(1, 0, 3, A, B),
                        replica(2, 2, 3, B),
                        replica(3, 0, 3, A, B, Marks.batch(3, 1, "unlike the others")))))
                .isEmpty();
        assertThat(plain.difference(List.of(replica(1, 0, 2, A), replica(2, 0, 3, A, B))))
                .isEmpty();
        assertThat(plain.difference(List.of())).isEmpty();
    }

    // I2
    // Fails if: ReplicaComparison.byBatch leaves one of base, last, epoch and crc out
    @Test
    void shouldFindABatchThatDiffers() {
        assertThat(plain.difference(List.of(replica(1, 0, 3, A, B), replica(2, 0, 3, A, Marks.batch(2, 0, "d")))))
                .hasValueSatisfying(text -> assertThat(text).contains("broker 1 has c@2", "broker 2 has d@2"));
        assertThat(plain.difference(List.of(replica(1, 0, 3, A, B), replica(2, 0, 3, A, Marks.batch(2, 1, "c")))))
                .isPresent();
        assertThat(plain.difference(List.of(
                        replica(1, 0, 3, A, B), replica(2, 0, 3, Marks.batch(0, 0, "a"), Marks.batch(1, 0, "b"), B))))
                .isPresent();
    }

    // I2
    // Fails if: ReplicaComparison.byBatch stops at the end of the shorter list
    @Test
    void shouldFindABatchThatIsMissing() {
        assertThat(plain.difference(List.of(replica(1, 0, 3, A, B), replica(2, 0, 3, A))))
                .hasValueSatisfying(text -> assertThat(text).contains("broker 2 has nothing"));
    }

    // KAFKA-8522: replicas are cleaned at different times
    // Fails if: ReplicaComparison.latest takes tombstones for records
    @Test
    void shouldAcceptThatReplicasAreCleanedToDifferentOffsets() {
        BatchMark k1 = Marks.keyed(0, 0, "k", "1");
        BatchMark k2 = Marks.keyed(1, 0, "k", "2");
        BatchMark l = Marks.keyed(2, 0, "l", "1");
        BatchMark noL = Marks.keyed(3, 0, "l", null);

        assertThat(compacted.difference(
                        List.of(replica(1, 0, 4, k1, k2, l, noL), replica(2, 0, 4, k2, noL), replica(3, 0, 4, k2))))
                .isEmpty();
    }

    // Fails if: ReplicaComparison.byRecord compares each key's latest record alone
    @Test
    void shouldFindAnOffsetThatDiffersInCompactedReplicas() {
        BatchMark later = Marks.keyed(1, 0, "k", "2");

        assertThat(compacted.difference(List.of(
                        replica(1, 0, 2, Marks.keyed(0, 0, "k", "1"), later),
                        replica(2, 0, 2, Marks.keyed(0, 0, "k", "x"), later))))
                .isPresent();
        assertThat(compacted.difference(List.of(
                        replica(1, 0, 2, Marks.keyed(0, 0, "k", "1"), later),
                        replica(2, 0, 2, Marks.keyed(0, 1, "k", "1"), later))))
                .isPresent();
    }

    // Fails if: ReplicaComparison.byRecord compares the offsets that both have alone, or looks at the first replica's
    // keys alone
    @Test
    void shouldFindThatTheLatestRecordOfAKeyIsGone() {
        Replica whole = replica(1, 0, 2, Marks.keyed(0, 0, "k", "1"), Marks.keyed(1, 0, "l", "1"));
        Replica without = replica(2, 0, 2, Marks.keyed(0, 0, "k", "1"));

        assertThat(compacted.difference(List.of(whole, without))).isPresent();
        assertThat(compacted.difference(List.of(without, whole))).isPresent();
    }
}
