package io.tidemark.core.log;

import static io.tidemark.core.log.LogRig.append;
import static io.tidemark.core.log.LogRig.outline;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.config.CleanupPolicy;
import io.tidemark.core.config.LogConfig;
import io.tidemark.core.testkit.SeededRandomness;
import io.tidemark.runtime.Randomness;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Segments end by the time of records, and when their time index is full. */
final class LogRollTest {
    private static final long START_MS = 1_700_000_000_000L;
    private static final LogConfig HOUR =
            LogRig.CONFIG.with(LogRig.CONFIG.segments().withAge(Duration.ofHours(1), Duration.ZERO));
    private static final long HOUR_MS = 3_600_000;

    private final LogRig rig = new LogRig(HOUR);

    private static void appendAt(Log log, long... timestampsMs) {
        for (long timestampMs : timestampsMs) {
            append(log, 0, Batches.timed(timestampMs));
        }
    }

    private List<Long> bases() throws Exception {
        return rig.filesWith(".log").stream()
                .map(name -> Long.parseLong(name.substring(0, 20)))
                .toList();
    }

    /** Scenario 8: by time on append. */
    // Fails if: LogAppender.write leaves firstTimestampMs as it was after a roll
    @Test
    void shouldRollWhenARecordIsMoreThanTheAgeLaterThanTheFirst() throws Exception {
        // given
        Log log = rig.leader();

        // when: the limit itself is no more than the age; the third begins a segment, and time counts from it
        appendAt(log, START_MS, START_MS + HOUR_MS, START_MS + HOUR_MS + 1, START_MS + 2 * HOUR_MS + 1);

        // then
        assertThat(bases()).containsExactly(0L, 2L);
        appendAt(log, START_MS + 2 * HOUR_MS + 2);
        assertThat(bases()).containsExactly(0L, 2L, 4L);
        assertThat(outline(log)).hasSize(5);
    }

    /** Scenario 8: also between the batches of one append. */
    // Fails if: LogAppender.firstTimestampMs asks an empty segment
    @Test
    void shouldRollBetweenTheBatchesOfOneAppend() throws Exception {
        // given
        Log log = rig.leader();

        // when
        append(
                log,
                0,
                Batches.join(
                        Batches.timed(START_MS),
                        Batches.timed(START_MS + HOUR_MS + 1),
                        Batches.timed(START_MS + HOUR_MS + 2)));

        // then
        assertThat(bases()).containsExactly(0L, 1L);
    }

    /** Scenario 8: no record of the past, and no clock, ends a segment. */
    // Fails if: RollPolicy.isTooLate takes the distance without its sign
    @Test
    void shouldNotRollForOldRecordsNorForTimeThatPasses() throws Exception {
        // given
        Log log = rig.leader();
        appendAt(log, START_MS);

        // when
        rig.scheduler.advance(Duration.ofHours(5));
        appendAt(log, START_MS - 10 * HOUR_MS, 0, START_MS + 1);

        // then
        assertThat(bases()).containsExactly(0L);
    }

    /** DESIGN 3: in a compacted log nothing stays in the active segment, where it cannot be compacted, for longer than the largest lag. */
    // Fails if: SegmentAges.longestAgeMs asks for segment.ms alone
    @Test
    void shouldRollACompactedLogAtItsLargestCompactionLag() throws Exception {
        // given
        LogConfig lag = HOUR.with(HOUR.compaction().withLags(Duration.ZERO, Duration.ofMinutes(10)));
        rig.config = lag.with(lag.compaction().withPolicy(CleanupPolicy.COMPACT));
        Log log = rig.leader();

        // when
        appendAt(log, START_MS, START_MS + 600_000, START_MS + 600_001);

        // then
        assertThat(bases()).containsExactly(0L, 2L);

        // when: of a log that is not compacted it says nothing
        rig.config = lag;
        rig.log();
        appendAt(log, START_MS + 2_000_000);

        // then
        assertThat(bases()).containsExactly(0L, 2L);
    }

    /** Scenario 8: a segment whose first record has no timestamp does not age. */
    // Fails if: RollPolicy.isTooLate leaves out firstTimestampMs() >= 0
    @Test
    void shouldNotRollASegmentThatBeginsWithoutATime() throws Exception {
        // given
        Log log = rig.leader();

        // when
        appendAt(log, -1, START_MS, START_MS + 5 * HOUR_MS);

        // then
        assertThat(bases()).containsExactly(0L);
    }

    /** Scenario 8: the time of the first record is known after a restart, and after a truncation. */
    // Fails if: Segment.firstTimestampMs answers -1 for a segment that was opened
    @Test
    void shouldKnowTheFirstTimeAfterARestartAndATruncation() throws Exception {
        // given
        Log log = rig.leader();
        appendAt(log, START_MS, START_MS + 1);

        // when
        rig.restartCleanly();
        log = rig.leader();
        appendAt(log, START_MS + HOUR_MS + 1);

        // then
        assertThat(bases()).containsExactly(0L, 2L);

        // when: everything of the first segment is replaced
        log.truncateTo(0);
        appendAt(log, START_MS + 10 * HOUR_MS, START_MS + 11 * HOUR_MS);

        // then
        assertThat(bases()).containsExactly(0L);
        appendAt(log, START_MS + 11 * HOUR_MS + 1);
        assertThat(bases()).containsExactly(0L, 2L);
    }

    /** Scenario 8: with jitter; a part of it is taken off, once for each segment. */
    // Fails if: SegmentAges.limitMs draws anew at each call
    @Test
    void shouldTakeAnotherPartOfTheJitterOffForEachSegment() throws Exception {
        // given: the log is asked for the age of each segment in steps of a minute
        Duration jitter = Duration.ofMinutes(50);
        rig.config = HOUR.with(HOUR.segments().withAge(Duration.ofHours(1), jitter));
        Randomness random = new SeededRandomness(7);
        rig.directories.closeCleanly();
        rig.directories = LogDirectories.load(
                new LogDirectories.World(
                        rig.io,
                        rig.scheduler,
                        random,
                        LogFlushers.onScheduler(List.of(LogRig.DIRECTORY), rig.scheduler)),
                LogDirectories.Settings.of(List.of(LogRig.DIRECTORY), rig.config),
                Runnable::run,
                LoadProgress.SILENT);
        Log log = rig.leader();

        // when
        for (int minute = 0; minute < 1_000; minute++) {
            appendAt(log, START_MS + minute * 60_000L);
        }

        // then: as many minutes as the same draws say
        assertThat(bases()).isEqualTo(expectedBases(new SeededRandomness(7), jitter.toMillis(), 1_000));
        assertThat(bases()).hasSizeGreaterThan(20);
    }

    /** The first minute of each segment, if the draws for segments come in their order. */
    private static List<Long> expectedBases(Randomness random, long jitterMs, int minutes) {
        List<Long> bases = new ArrayList<>(List.of(0L));
        long first = 0;
        long limitMs = HOUR_MS - Math.floorMod(random.nextLong(), jitterMs);
        for (long minute = 1; minute < minutes; minute++) {
            if ((minute - first) * 60_000 > limitMs) {
                bases.add(minute);
                first = minute;
                limitMs = HOUR_MS - Math.floorMod(random.nextLong(), jitterMs);
            }
        }
        return bases;
    }

    /** S12, scenario 8: by index full. */
    // Fails if: RollPolicy.decide leaves out TimeIndex.isFull
    @Test
    void shouldRollWhenTheTimeIndexIsFull() throws Exception {
        // given: room for ten offset entries, and for five time entries besides the one of the seal
        rig.config = LogRig.CONFIG.withIndex(0, 80);
        Log log = rig.leader();

        // when: the first batch of a segment gets no entry
        for (int i = 0; i < 20; i++) {
            appendAt(log, START_MS + i);
        }

        // then
        assertThat(bases()).containsExactly(0L, 6L, 12L, 18L);
        rig.restartCleanly();
        assertThat(outline(rig.log())).hasSize(20);
    }
}
