package io.tidemark.core.log;

import static io.tidemark.core.log.LogRig.append;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A position is the number of bytes since the first segment (DESIGN section 4). */
final class LogPositionsTest {
    private final LogRig rig = new LogRig(LogRig.CONFIG.withIndex(1, 1 << 20).withSegmentBytes(200));

    private SegmentedLog filled() {
        SegmentedLog log = rig.leader();
        for (int i = 0; i < 6; i++) {
            append(log, 0, Batches.ofSize(100));
        }
        return log;
    }

    @Test
    void shouldCountFromTheFirstSegmentThatIsThereWhenTheLogIsLoaded() throws Exception {
        // given: S34, three segments of two batches; the first is gone at the next start
        // Fails if: LogLoader takes the size of the last segment instead of the sum
        SegmentedLog log = filled();
        assertThat(log.positionOf(2)).isEqualTo(200);
        assertThat(log.positionOf(5)).isEqualTo(500);
        rig.directories.closeCleanly();
        for (String name : rig.io.list(rig.partitionDirectory())) {
            if (name.startsWith("00000000000000000000.")) {
                rig.io.delete(rig.partitionDirectory().resolve(name));
            }
        }

        // when
        rig.start();

        // then
        assertThat(rig.log().startOffset()).isEqualTo(2);
        assertThat(rig.log().positionOf(2)).isZero();
        assertThat(rig.log().positionOf(4)).isEqualTo(200);
        assertThat(rig.log().positionOf(5)).isEqualTo(300);
        assertThat(rig.log().end().position()).isEqualTo(400);
    }

    @Test
    void shouldGiveThePositionsOfAppendAndReadAlikeOverAnyNumberOfSegments() {
        // S26
        // given: S34, S35
        // Fails if: a new segment starts at position 0 instead of at the end of the one before
        SegmentedLog log = rig.leader();

        // when / then
        for (int i = 0; i < 6; i++) {
            assertThat(append(log, 0, Batches.ofSize(100)).end().position()).isEqualTo(100L * (i + 1));
        }
        for (int offset = 0; offset <= 6; offset++) {
            assertThat(LogRig.read(log, offset).position())
                    .isEqualTo(log.positionOf(offset))
                    .isEqualTo(100L * offset);
        }
        assertThat(log.end().position() - LogRig.read(log, 1).position()).isEqualTo(500);
    }

    @Test
    void shouldKeepPositionsWhenTheStartMoves() {
        // given: S36
        // Fails if: advanceStartOffset publishes an end whose position is counted from the new start
        SegmentedLog log = filled();
        log.committedBound(6);

        // when
        boolean moved = log.advanceStartOffset(3);

        // then
        assertThat(moved).isTrue();
        assertThat(log.positionOf(3)).isEqualTo(300);
        assertThat(log.positionOf(5)).isEqualTo(500);
        assertThat(log.end().position()).isEqualTo(600);
        assertThat(log.read(new ReadRequest(2, 100, ReadRequest.TO_END, ReadRequest.Minimum.ONE_BATCH)))
                .isEqualTo(new ReadResult.OutOfRange(3, 6));
    }
}
