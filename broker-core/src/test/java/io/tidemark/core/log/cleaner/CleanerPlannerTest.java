package io.tidemark.core.log.cleaner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.config.CleanupPolicy;
import io.tidemark.core.config.CompactionConfig;
import io.tidemark.core.log.cleaner.CleaningPlan.Reason;
import io.tidemark.model.TopicPartition;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.aggregator.ArgumentsAccessor;
import org.junit.jupiter.params.provider.CsvSource;

final class CleanerPlannerTest {
    private static final long NOW_MS = 1_000_000;
    private static final CompactionConfig CONFIG = CompactionConfig.DEFAULTS.withPolicy(CleanupPolicy.COMPACT);
    private static final List<SegmentFigures> SEGMENTS =
            List.of(segment(0, 100), segment(10, 200), segment(25, 300), segment(40, 50));

    private static SegmentFigures segment(long base, int sizeBytes) {
        return new SegmentFigures(base, sizeBytes, 500, 900);
    }

    private static LogFigures log(long start, long end, long bound, long checkpoint) {
        OptionalLong recorded = checkpoint < 0 ? OptionalLong.empty() : OptionalLong.of(checkpoint);
        return new LogFigures(
                new TopicPartition("t", 0), SEGMENTS, start, end, bound, recorded, OptionalLong.empty(), CONFIG);
    }

    private static LogFigures with(LogFigures log, List<SegmentFigures> segments, CompactionConfig config) {
        return new LogFigures(
                log.partition(),
                segments,
                log.startOffset(),
                log.endOffset(),
                log.committedBound(),
                log.checkpoint(),
                log.earliestHorizonMs(),
                config);
    }

    // S68, S69, S70, KAFKA-9826, KAFKA-9133, KAFKA-6266: -1 stands for no checkpoint and for no forced one.
    // Fails if: firstDirty in CleanerPlanner.plan is log.checkpoint().orElse(0).
    @ParameterizedTest
    @CsvSource({
        "0, 45, 45, -1,   0, 40, 600, -1",
        "12, 45, 45, -1,  12, 40, 500, -1",
        "0, 45, 45, 10,   10, 40, 500, -1",
        "0, 45, 45, 30,   30, 40, 300, -1",
        "0, 45, 45, 40,   40, 40, 0, -1",
        "0, 45, 45, 43,   43, 40, 0, -1",
        "0, 45, 45, 46,   0, 40, 600, 0",
        "20, 45, 45, 15,  20, 40, 500, 20",
        "42, 45, 45, 0,   42, 40, 0, 42",
        "0, 45, 40, 0,    0, 40, 600, -1",
        "0, 45, 39, 0,    0, 25, 300, -1",
        "0, 45, 25, 0,    0, 25, 300, -1",
        "0, 45, 24, 0,    0, 10, 100, -1",
        "0, 45, 24, 12,   12, 10, 0, -1",
        "0, 45, 0, -1,    0, 0, 0, -1"
    })
    void shouldFindWhatIsCleanable(ArgumentsAccessor row) {
        // given: start, end, bound, checkpoint
        LogFigures log = log(row.getLong(0), row.getLong(1), row.getLong(2), row.getLong(3));

        // when
        CleaningPlan plan = CleanerPlanner.plan(log, NOW_MS);

        // then: first dirty, first uncleanable, cleanable bytes, forced checkpoint
        long bytes = row.getLong(6);
        assertThat(plan.firstDirty()).isEqualTo(row.getLong(4));
        assertThat(plan.firstUncleanable()).isEqualTo(row.getLong(5));
        assertThat(plan.cleanableBytes()).isEqualTo(bytes);
        assertThat(plan.forcedCheckpoint().orElse(-1)).isEqualTo(row.getLong(7));
        assertThat(plan.dirtyRatio()).isBetween(0.0, 1.0);
        assertThat(plan.isCandidate()).isEqualTo(bytes > 0 && plan.dirtyRatio() >= 0.5);
    }

    // S66, S73, scenario 19: the start inside the only, active segment. The numbers of the ticket, and its two
    // variants.
    // Fails if: CleanerPlanner.segments returns the segment that holds from although to equals from.
    @ParameterizedTest
    @CsvSource({
        "166266, 166301, 166400, 0,  166301, 166301",
        "55000, 55649, 55700, 0,     55649, 55649",
        "54237, 50000, 55300, 55287, 55287, -1"
    })
    void shouldFindNothingInALogOfOneSegment(
            long base, long start, long end, long checkpoint, long firstDirty, long forced) {
        // given
        LogFigures log = with(log(start, end, end, checkpoint), List.of(segment(base, 5_000)), CONFIG);

        // when
        CleaningPlan plan = CleanerPlanner.plan(log, NOW_MS);

        // then
        assertThat(plan.firstDirty()).isEqualTo(firstDirty);
        assertThat(plan.firstUncleanable()).isEqualTo(base);
        assertThat(plan.forcedCheckpoint().orElse(-1)).isEqualTo(forced);
        assertThat(plan.cleanableBytes()).isZero();
        assertThat(plan.reason()).isEqualTo(Reason.NONE);
        assertThat(plan.dirtyRatio()).isZero();
    }

    // S71: nothing to clean is no candidate, however low the ratio is set, and no ratio is 0 / 0
    // Fails if: the ratio of a log without bytes is 0 / 0, or plan asks whether there is anything clean or cleanable.
    @Test
    void shouldNeverChooseALogOfWhichNothingIsCleanable() {
        // given
        CompactionConfig any = CONFIG.withMinDirtyRatio(0);

        // when
        CleaningPlan empty = CleanerPlanner.plan(with(log(0, 0, 0, -1), List.of(segment(0, 0)), any), NOW_MS);
        CleaningPlan clean = CleanerPlanner.plan(with(log(0, 45, 45, 40), SEGMENTS, any), NOW_MS);

        // then
        assertThat(empty.dirtyRatio()).isZero();
        assertThat(clean.dirtyRatio()).isZero();
        assertThat(clean.cleanableBytes()).isZero();
        assertThat(CleanerPlanner.candidates(List.of(empty, clean))).isEmpty();
    }

    // S67, KAFKA-9826
    // Fails if: the check from == to is dropped from CleanerPlanner.segments.
    @ParameterizedTest
    @CsvSource({
        "0, 0, ''",
        "10, 10, ''",
        "12, 12, ''",
        "43, 43, ''",
        "0, 1, 0",
        "0, 10, 0",
        "0, 11, '0,10'",
        "12, 25, 10",
        "12, 26, '10,25'",
        "39, 41, '25,40'",
        "90, 91, 40"
    })
    void shouldListSegmentsOfARange(long from, long to, String bases) {
        // when
        List<SegmentFigures> found = CleanerPlanner.segments(SEGMENTS, from, to);

        // then
        assertThat(found)
                .extracting(segment -> Long.toString(segment.base()))
                .isEqualTo(bases.isEmpty() ? List.of() : List.of(bases.split(",", -1)));
    }

    // S67, scenario 11: segments of ten offsets each
    // Fails if: CleanerPlanner.segments goes on to the segment that begins where the range ends.
    @ParameterizedTest
    @CsvSource({
        "10, 10, ''",
        "15, 15, ''",
        "0, 10, 0",
        "13, 17, 10",
        "10, 20, 10",
        "13, 21, '10,20'",
        "0, 21, '0,10,20'",
        "20, 30, 20"
    })
    void shouldListSegmentsFromTheOneThatHoldsFromToTheOneThatHoldsTheLast(long from, long to, String bases) {
        // given
        List<SegmentFigures> tens = List.of(segment(0, 100), segment(10, 100), segment(20, 100));

        // when
        List<SegmentFigures> found = CleanerPlanner.segments(tens, from, to);

        // then
        assertThat(found)
                .extracting(segment -> Long.toString(segment.base()))
                .isEqualTo(bases.isEmpty() ? List.of() : List.of(bases.split(",", -1)));
    }

    // S67, scenario 11
    // Fails if: CleanerPlanner.segments answers with an empty list for an inverted range.
    @ParameterizedTest
    @CsvSource({"11, 10", "10, 0", "1, 0", "100, 99"})
    void shouldRefuseAnInvertedRange(long from, long to) {
        assertThatThrownBy(() -> CleanerPlanner.segments(SEGMENTS, from, to))
                .isInstanceOf(IllegalArgumentException.class);
    }

    // S69
    // Fails if: isTooYoung compares with nowMs + minLagMs.
    @Test
    void shouldLeaveYoungSegmentsAlone() {
        // given: the third segment has a record of 50 ms ago
        List<SegmentFigures> segments = List.of(
                segment(0, 100),
                segment(10, 200),
                new SegmentFigures(25, 300, 500, NOW_MS - 50),
                new SegmentFigures(40, 50, 500, NOW_MS));
        CompactionConfig config = CONFIG.withLags(Duration.ofMillis(100), CompactionConfig.FOREVER);

        // when
        CleaningPlan now = CleanerPlanner.plan(with(log(0, 45, 45, -1), segments, config), NOW_MS);
        CleaningPlan later = CleanerPlanner.plan(with(log(0, 45, 45, -1), segments, config), NOW_MS + 51);

        // then
        assertThat(now.firstUncleanable()).isEqualTo(25);
        assertThat(now.cleanableBytes()).isEqualTo(300);
        assertThat(later.firstUncleanable()).isEqualTo(40);
    }

    // S69, max.compaction.lag.ms
    // Fails if: plan ignores isOverdue.
    @Test
    void shouldChooseALogWithAnOverdueRecordWhateverItsRatio() {
        // given: a tenth is dirty
        CompactionConfig config = CONFIG.withMinDirtyRatio(0.9).withLags(Duration.ZERO, Duration.ofMillis(1_000));
        List<SegmentFigures> segments =
                List.of(segment(0, 900), new SegmentFigures(10, 100, NOW_MS - 1_001, NOW_MS), segment(20, 10));

        // when
        CleaningPlan overdue = CleanerPlanner.plan(with(log(0, 25, 25, 10), segments, config), NOW_MS);
        CleaningPlan inTime = CleanerPlanner.plan(with(log(0, 25, 25, 10), segments, config), NOW_MS - 1);

        // then
        assertThat(overdue.reason()).isEqualTo(Reason.MAX_LAG);
        assertThat(overdue.dirtyRatio()).isEqualTo(0.1);
        assertThat(inTime.reason()).isEqualTo(Reason.NONE);
    }

    // KAFKA-8522: also on a log that gets no new writes
    // Fails if: plan never answers TOMBSTONES.
    @ParameterizedTest
    @CsvSource({"1000000, TOMBSTONES", "1000001, NONE"})
    void shouldChooseACleanLogWhoseTombstonesMayGo(long horizonMs, Reason expected) {
        // given
        LogFigures clean = log(0, 45, 45, 40);
        LogFigures log = new LogFigures(
                clean.partition(), SEGMENTS, 0, 45, 45, clean.checkpoint(), OptionalLong.of(horizonMs), CONFIG);

        // when
        CleaningPlan plan = CleanerPlanner.plan(log, NOW_MS);

        // then
        assertThat(plan.reason()).isEqualTo(expected);
        assertThat(plan.cleanableBytes()).isZero();
    }

    // Scenario 18
    // Fails if: DIRTIEST_FIRST is not reversed.
    @Test
    void shouldTakeTheDirtiestFirst() {
        // given
        CleaningPlan small = plan("a", 0.6, Reason.DIRTY_RATIO);
        CleaningPlan large = plan("b", 0.9, Reason.DIRTY_RATIO);
        CleaningPlan same = plan("c", 0.9, Reason.DIRTY_RATIO);
        CleaningPlan none = plan("d", 1, Reason.NONE);

        // then
        assertThat(CleanerPlanner.candidates(List.of(none, small, same, large))).containsExactly(large, same, small);
    }

    private static CleaningPlan plan(String topic, double ratio, Reason reason) {
        return new CleaningPlan(new TopicPartition(topic, 0), 0, 0, 0, 1, ratio, OptionalLong.empty(), reason);
    }
}
