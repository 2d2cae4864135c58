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
        assertThat(async(BOOT, killed("d1", 7, BOOT))).contains(7L);
    }

    @Test
    void shouldProveNothingAfterAPowerLossInAsyncMode() {
        assertThat(async(OTHER_BOOT, killed("d1", 7, BOOT))).isEmpty();
    }

    @Test
    void shouldProveNothingWhereThereIsNoBootId() {
        assertThat(async(Optional.empty(), killed("d1", 7, Optional.empty()))).isEmpty();
    }

    @Test
    void shouldProveByACleanStopOrByForcedAcknowledgements() {
        Evidence clean = new Evidence("d1", stamp("d1", 7, BOOT), true);
        assertThat(async(OTHER_BOOT, clean)).contains(7L);
        assertThat(ContinuityProof.continuedEpoch(List.of(killed("d1", 7, BOOT)), Optional.empty(), FlushMode.SYNC))
                .contains(7L);
    }

    @Test
    void shouldProveNothingWithoutAWholeStampOfThisDirectory() {
        Evidence removed = new Evidence("d1", new StoredValue.Absent<>(), true);
        Evidence damaged = new Evidence("d1", new StoredValue.Damaged<>(Path.of("f"), "bad", Optional.empty()), true);
        Evidence foreign = new Evidence("d1", stamp("d9", 7, BOOT), true);
        assertThat(async(BOOT, removed)).isEmpty();
        assertThat(async(BOOT, damaged)).isEmpty();
        assertThat(async(BOOT, foreign)).isEmpty();
    }

    @Test
    void shouldNeedTheSameEpochFromEveryDirectory() {
        assertThat(async(BOOT, killed("d1", 7, BOOT), killed("d2", 7, BOOT))).contains(7L);
        assertThat(async(BOOT, killed("d1", 7, BOOT), killed("d2", 6, BOOT))).isEmpty();
        assertThat(async(BOOT, killed("d1", 7, BOOT), new Evidence("d2", new StoredValue.Absent<>(), false)))
                .isEmpty();
        assertThat(async(BOOT)).isEmpty();
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

    private static Optional<Long> async(Optional<String> bootId, Evidence... directories) {
        return ContinuityProof.continuedEpoch(List.of(directories), bootId, FlushMode.ASYNC);
    }

    private static Evidence killed(String directoryId, long epoch, Optional<String> bootId) {
        return new Evidence(directoryId, stamp(directoryId, epoch, bootId), false);
    }

    private static StoredValue<BrokerEpochStamp> stamp(String directoryId, long epoch, Optional<String> bootId) {
        return new StoredValue.Present<>(new BrokerEpochStamp(epoch, directoryId, bootId));
    }
}
