package io.tidemark.core.log;

import static io.tidemark.core.log.LogRig.append;
import static io.tidemark.core.log.LogRig.outline;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.config.LogConfig;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Segments that go, and segments that are replaced. */
final class LogDeletionTest {
    private static final Duration DELAY = Duration.ofSeconds(60);
    private static final LogConfig CONFIG =
            LogRig.CONFIG.withSegmentBytes(100).withIndex(1, 1 << 20).withDeleteDelay(DELAY);

    private final LogRig rig = new LogRig(CONFIG);

    private SegmentedLog filled(int batches) {
        SegmentedLog log = rig.leader();
        for (int i = 0; i < batches; i++) {
            append(log, 0, Batches.ofSize(100));
        }
        return log;
    }

    @Test
    void shouldRenameAtOnceAndUnlinkAfterTheDelay() throws Exception {
        // given: S43, S45
        // S47, scenario 10
        // Fails if: DelayedDeletion unlinks in the caller's thread instead of by the scheduler
        SegmentedLog log = filled(6);

        // when
        log.truncateTo(2);

        // then: the segment of the offset itself stays, emptied
        assertThat(rig.filesWith(".log")).hasSize(3);
        assertThat(rig.filesWith(".index")).hasSize(3);
        assertThat(rig.filesWith(".timeindex")).hasSize(3);
        assertThat(rig.filesWith(".deleted")).hasSize(9);
        rig.scheduler.advance(DELAY.minusMillis(1));
        assertThat(rig.filesWith(".deleted")).hasSize(9);
        rig.scheduler.advance(Duration.ofMillis(2));
        assertThat(rig.filesWith(".deleted")).isEmpty();
        assertThat(rig.filesWith(".log")).hasSize(3);
    }

    @Test
    void shouldRestBetweenLargeFiles() throws Exception {
        // given: S49, gigabytes that go at once hold up appends
        // Fails if: DelayedDeletion unlinks all segments in one go
        rig.config = CONFIG.withSegmentBytes(4 << 20);
        SegmentedLog log = rig.leader();
        for (int i = 0; i < 16; i++) {
            append(log, 0, Batches.ofSize(1_000_000));
        }
        assertThat(rig.filesWith(".log")).hasSize(4);

        // when: each of those has 4,000,000 bytes, of 1 GiB per second
        log.truncateTo(0);
        rig.scheduler.advance(DELAY.plusMillis(1));

        // then
        assertThat(rig.filesWith(".deleted")).hasSize(6);
        rig.scheduler.advance(Duration.ofMillis(4));
        assertThat(rig.filesWith(".deleted")).hasSize(3);
        rig.scheduler.advance(Duration.ofMillis(4));
        assertThat(rig.filesWith(".deleted")).isEmpty();
    }

    @Test
    void shouldDeleteAtOnceWithoutADelay() throws Exception {
        // given: S45, zero is allowed
        // S51, scenario 10
        // Fails if: a full truncation renames the segments and has nobody unlink them
        rig.config = CONFIG.withDeleteDelay(Duration.ZERO);
        SegmentedLog log = filled(4);

        // when
        log.truncateFullyAndStartAt(100);
        rig.scheduler.advance(Duration.ofMillis(1));

        // then
        assertThat(rig.filesWith(".deleted")).isEmpty();
        assertThat(rig.filesWith(".log")).containsExactly("00000000000000000100.log");
    }

    @Test
    void shouldNotRollAnEmptySegment() throws Exception {
        // given: KAFKA-6388 (a), a batch larger than a segment
        // Fails if: RollPolicy looks at the size of an empty segment too
        SegmentedLog log = rig.leader();

        // when
        append(log, 0, Batches.ofSize(500));

        // then
        assertThat(rig.filesWith(".log")).containsExactly("00000000000000000000.log");
    }

    @Test
    void shouldAppendToAnEmptySegmentWhoseIndexTakesNothing() throws Exception {
        // given: KAFKA-6388 (b), an empty active segment, and an index that is full from the start
        // Fails if: RollPolicy looks at the index of an empty segment too
        rig.config = CONFIG.withSegmentBytes(1 << 20);
        SegmentedLog log = rig.leader();
        append(log, 0, Batches.ofSize(100));
        append(log, 0, Batches.ofSize(100));
        log.reconfigure(rig.config.withSegmentBytes(100));
        append(log, 0, Batches.ofSize(100));
        log.truncateTo(2);
        log.reconfigure(rig.config.withSegmentBytes(100).withIndex(0, 8));

        // when
        append(log, 0, Batches.ofSize(100));
        append(log, 0, Batches.ofSize(100));

        // then
        assertThat(outline(log)).containsExactly("0-0@0", "1-1@0", "2-2@0", "3-3@0");
        assertThat(rig.filesWith(".log"))
                .containsExactly("00000000000000000000.log", "00000000000000000002.log", "00000000000000000003.log");
    }

    @Test
    void shouldReplaceAnEmptySegmentWhenTheNextOffsetDoesNotFitIt() throws Exception {
        // given: KAFKA-4451, KAFKA-6388
        // Fails if: RollPolicy looks at the relative offset behind the size
        SegmentedLog log = rig.log();
        log.becomeFollower(0);
        long far = 3L * Integer.MAX_VALUE;

        // when
        LogRig.copy(log, 0, Batches.at(far, 0, Batches.ofCount(1)));

        // then
        assertThat(rig.filesWith(".log")).containsExactly(String.format("%020d.log", far));
        assertThat(outline(log)).containsExactly(far + "-" + far + "@0");
        rig.crash();
        assertThat(outline(rig.log())).containsExactly(far + "-" + far + "@0");
    }

    @Test
    void shouldAlwaysHaveAnActiveSegment() throws Exception {
        // S48
        // Fails if: LogTruncator begins a fully truncated log with a segment of another base
        SegmentedLog log = filled(3);
        log.truncateTo(0);
        assertThat(append(log, 0, Batches.ofSize(100)).firstOffset()).isZero();
        log.truncateFullyAndStartAt(0);
        assertThat(rig.filesWith(".log")).containsExactly("00000000000000000000.log");
        assertThat(append(log, 0, Batches.ofSize(100)).firstOffset()).isZero();
    }

    @Test
    void shouldSweepAtTheNextStartWhatACrashLeftRenamed() throws Exception {
        // given: S54, scenario 10, a crash between the renaming and the unlinking
        // Fails if: LogLoader does not sweep *.deleted
        SegmentedLog log = filled(6);
        log.truncateTo(2);
        assertThat(rig.filesWith(".deleted")).isNotEmpty();

        // when
        rig.crash();

        // then
        assertThat(rig.filesWith(".deleted")).isEmpty();
        assertThat(outline(rig.log())).containsExactly("0-0@0", "1-1@0");
        assertThat(rig.log().end().offset()).isEqualTo(2);
    }

    @Test
    void shouldLetAReaderFinishWhoseSegmentGoes() {
        // given: S44, scenario 10, a read of what a truncation removes right behind it
        // Fails if: a read answers a view of the file instead of a copy of its bytes
        SegmentedLog log = filled(6);
        ReadResult.Data data = LogRig.read(log, 4);

        // when
        log.truncateTo(0);
        rig.scheduler.advance(DELAY.plusMillis(1));

        // then
        assertThat(Batches.outline(data.batches())).containsExactly("4-4@0");
    }
}
