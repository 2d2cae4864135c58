package io.tidemark.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How far a log is clean when there is little to say so. */
final class CleanerProgressTest {
    private final CleanerRig rig = new CleanerRig(new LogRig(CleanerRig.compacted(70)));

    @AfterEach
    void shouldFailNowhere() {
        assertThat(rig.logs.failures).isEmpty();
        assertThat(rig.storageFailures).isEmpty();
        assertThat(rig.cleaner.uncleanablePartitions()).isZero();
    }

    // S72: an empty map says that there is no key, and nothing about offsets
    // Fails if: DirtyMapper takes the size of the map for the end of what it has read.
    @Test
    void shouldNeverRecordLessThanItBeganWith() {
        // given: records without a key, from before the topic was compacted, each in a segment of its own; two are
        // clean
        for (int i = 0; i < 6; i++) {
            CleanerRig.write(rig.logs.leader(), Batches.of("longer than a segment and without a key " + i));
        }
        rig.recordCheckpoint(2);
        SegmentedLog log = rig.logs.leader();
        log.committedBound(4);

        // when
        rig.tick();
        OptionalLong first = rig.checkpoint();
        log.committedBound(6);
        rig.tick();

        // then
        assertThat(first).hasValue(4);
        assertThat(rig.checkpoint()).hasValue(5);
        assertThat(rig.cleaner.checkpointResets()).isZero();
        assertThat(rig.cleaner.passes()).isEqualTo(2);
        assertThat(log.end().offset()).isEqualTo(6);
    }

    // S72: a log that begins behind its last key; what a pass finds is at least what the pass began with
    // Fails if: CleaningPass.finish takes the smaller of the two ends.
    @Test
    void shouldRecordAtLeastTheStartOfALogWhoseDirtyPartWasDeleted() {
        // given
        SegmentedLog log = rig.logs.leader();
        for (int i = 0; i < 6; i++) {
            CleanerRig.write(log, "k=" + i);
        }
        rig.tick();
        assertThat(rig.checkpoint()).hasValue(5);
        for (int i = 6; i < 9; i++) {
            CleanerRig.write(log, "k=" + i);
        }
        assertThat(log.advanceStartOffset(7)).isTrue();

        // when
        rig.tick();

        // then
        assertThat(rig.checkpoint()).hasValue(8);
        assertThat(CleanerRig.records(log)).containsExactly("7:k=7", "8:k=8");
    }
}
