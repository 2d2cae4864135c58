package io.tidemark.core.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.checkpoint.ContinuityProof.Evidence;
import io.tidemark.core.config.FlushMode;
import io.tidemark.model.TopicPartition;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** DESIGN section 6, "Incarnation". */
final class ContinuityProofTest {
    private static final Optional<String> BOOT = Optional.of("boot-1");
    private static final Optional<String> OTHER_BOOT = Optional.of("boot-2");

    @Test
    void shouldProveByTheSameBoot() {
        assertThat(proven(BOOT, killed("d1", 7, BOOT))).contains(7L);
    }

    @Test
    void shouldProveNothingAfterAPowerLossInAsyncMode() {
        assertThat(proven(OTHER_BOOT, killed("d1", 7, BOOT))).isEmpty();
    }

    @Test
    void shouldProveNothingWhereThereIsNoBootId() {
        assertThat(proven(Optional.empty(), killed("d1", 7, Optional.empty()))).isEmpty();
    }

    @Test
    void shouldProveByACleanStop() {
        Evidence clean = new Evidence("d1", stamp("d1", 7, BOOT), true);
        assertThat(proven(OTHER_BOOT, clean)).contains(7L);
    }

    // I12: a process in sync mode lost nothing that counted, whatever the next one is configured for.
    // Fails if: continuedEpoch() asks for SYNC no more
    @Test
    void shouldProveByForcedAcknowledgementsOfThePredecessor() {
        assertThat(proven(OTHER_BOOT, killed("d1", 7, FlushMode.SYNC))).contains(7L);
        assertThat(proven(Optional.empty(), killed("d1", 7, FlushMode.SYNC))).contains(7L);
        assertThat(proven(OTHER_BOOT, killed("d1", 7, FlushMode.SYNC), killed("d2", 7, FlushMode.ASYNC)))
                .as("one directory was used in async mode last")
                .isEmpty();
    }

    @Test
    void shouldProveNothingWithoutAWholeStampOfThisDirectory() {
        Evidence removed = new Evidence("d1", new StoredValue.Absent<>(), true);
        Evidence damaged = new Evidence("d1", new StoredValue.Damaged<>(Path.of("f"), "bad", Optional.empty()), true);
        Evidence foreign = new Evidence("d1", stamp("d9", 7, BOOT), true);
        assertThat(proven(BOOT, removed)).isEmpty();
        assertThat(proven(BOOT, damaged)).isEmpty();
        assertThat(proven(BOOT, foreign)).isEmpty();
    }

    @Test
    void shouldNeedTheSameEpochFromEveryDirectory() {
        assertThat(proven(BOOT, killed("d1", 7, BOOT), killed("d2", 7, BOOT))).contains(7L);
        assertThat(proven(BOOT, killed("d1", 7, BOOT), killed("d2", 6, BOOT))).isEmpty();
        assertThat(proven(BOOT, killed("d1", 7, BOOT), new Evidence("d2", new StoredValue.Absent<>(), false)))
                .isEmpty();
        assertThat(proven(BOOT)).isEmpty();
    }

    /** DESIGN section 6: a wiped or damaged disk proves nothing, also where the stamp is still there. */
    @Test
    void shouldBeRefutedByALogThatEndsBelowWhatWasCommitted() {
        TopicPartition orders = new TopicPartition("orders", 0);
        TreeMap<TopicPartition, Long> committed = new TreeMap<>(Map.of(orders, 100L));
        assertThat(ContinuityProof.reachesCommitted(committed, partition -> OptionalLong.of(100)))
                .isTrue();
        assertThat(ContinuityProof.reachesCommitted(committed, partition -> OptionalLong.of(99)))
                .isFalse();
        assertThat(ContinuityProof.reachesCommitted(committed, partition -> OptionalLong.empty()))
                .as("the log is gone")
                .isFalse();
        committed.put(orders, 0L);
        assertThat(ContinuityProof.reachesCommitted(committed, partition -> OptionalLong.empty()))
                .as("it never held anything that counts")
                .isTrue();
    }

    private static Optional<Long> proven(Optional<String> bootId, Evidence... directories) {
        return ContinuityProof.continuedEpoch(List.of(directories), bootId);
    }

    private static Evidence killed(String directoryId, long epoch, Optional<String> bootId) {
        return new Evidence(directoryId, stamp(directoryId, epoch, bootId), false);
    }

    private static Evidence killed(String directoryId, long epoch, FlushMode mode) {
        return new Evidence(
                directoryId, new StoredValue.Present<>(new BrokerEpochStamp(epoch, directoryId, BOOT, mode)), false);
    }

    private static StoredValue<BrokerEpochStamp> stamp(String directoryId, long epoch, Optional<String> bootId) {
        return new StoredValue.Present<>(new BrokerEpochStamp(epoch, directoryId, bootId, FlushMode.ASYNC));
    }
}
