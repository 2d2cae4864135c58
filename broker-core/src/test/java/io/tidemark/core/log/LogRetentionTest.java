package io.tidemark.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.config.CleanupPolicy;
import io.tidemark.core.config.CompactionConfig;
import io.tidemark.core.config.LogConfig;
import io.tidemark.core.config.RetentionConfig;
import io.tidemark.core.log.LogRetention.Candidate;
import io.tidemark.core.log.LogRetention.Decision;
import io.tidemark.core.log.LogRetention.Facts;
import io.tidemark.core.log.LogRetention.Going;
import io.tidemark.core.log.LogRetention.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Scenario 9, as far as it is decided: segments of 100 bytes and 10 offsets each. */
final class LogRetentionTest {
    private static final long NOW_MS = 1_700_000_000_000L;
    private static final long LIMIT_MS = 600_000;
    private static final long OLD = NOW_MS - LIMIT_MS - 1;
    private static final long YOUNG = NOW_MS - LIMIT_MS;
    private static final long UNDATED = LogRetention.NO_TIME;
    private static final LogConfig BY_TIME =
            LogConfig.DEFAULTS.with(RetentionConfig.DEFAULTS.withLimits(LIMIT_MS, RetentionConfig.UNLIMITED));

    private static LogConfig bySize(long bytes) {
        return LogConfig.DEFAULTS.with(RetentionConfig.DEFAULTS.withLimits(RetentionConfig.UNLIMITED, bytes));
    }

    private static List<Candidate> dated(long... timesMs) {
        List<Candidate> segments = new ArrayList<>();
        for (long timeMs : timesMs) {
            segments.add(new Candidate(10L * segments.size(), 100, timeMs));
        }
        return segments;
    }

    /** All of it committed, nothing deleted. */
    private static Facts log(long... timesMs) {
        List<Candidate> segments = dated(timesMs);
        return new Facts(segments, 0, 10L * segments.size(), 10L * segments.size());
    }

    private static Decision decide(Facts facts, LogConfig config) {
        return LogRetention.decide(facts, config, NOW_MS);
    }

    private static List<Long> bases(Decision decision) {
        return decision.going().stream().map(Going::base).toList();
    }

    /** Scenario 9. Fails if: the age is compared with >= instead of >. */
    @Test
    void shouldLetGoWhatIsOlderThanTheLimit() {
        Decision decision = decide(log(OLD, OLD, YOUNG, NOW_MS), BY_TIME);
        assertThat(decision)
                .isEqualTo(new Decision(List.of(new Going(0, Reason.TIME), new Going(10, Reason.TIME)), 20, false));
    }

    /** A log has no hole. Fails if: the loop goes on behind a segment that stays. */
    @Test
    void shouldKeepWhatIsBehindASegmentThatStays() {
        assertThat(decide(log(YOUNG, OLD, OLD, OLD), BY_TIME).going()).isEmpty();
    }

    /** Scenario 9. Fails if: what is left is compared with the limit before the segment is subtracted. */
    @Test
    void shouldLeaveAtLeastTheBytesOfTheLimit() {
        Facts facts = log(NOW_MS, NOW_MS, NOW_MS, NOW_MS, NOW_MS);
        assertThat(bases(decide(facts, bySize(200)))).containsExactly(0L, 10L, 20L);
        assertThat(bases(decide(facts, bySize(201)))).containsExactly(0L, 10L);
        assertThat(bases(decide(facts, bySize(500)))).isEmpty();
        assertThat(decide(facts, bySize(200)).going()).allMatch(going -> going.reason() == Reason.SIZE);
    }

    @Test
    void shouldLetNothingGoWithoutLimits() {
        Facts facts = log(0, 0, 0);
        assertThat(decide(facts, bySize(RetentionConfig.UNLIMITED)).going()).isEmpty();
    }

    /** I18: retention.bytes = 1 with paused followers keeps all from the bound on. Fails if: mayGo ignores the bound. */
    @Test
    void shouldNeverPassTheCommittedBound() {
        for (long bound = 0; bound <= 50; bound++) {
            Facts facts = new Facts(dated(OLD, OLD, OLD, OLD, OLD), 0, 50, bound);
            for (LogConfig config : List.of(BY_TIME, bySize(0), bySize(1))) {
                assertThat(decide(facts, config).startOffset()).isLessThanOrEqualTo(bound);
            }
            assertThat(bases(decide(facts, BY_TIME))).hasSize((int) bound / 10);
        }
    }

    /** Scenario 9: a policy without delete keeps data. Fails if: reason does not ask the policy, or asks it first. */
    @Test
    void shouldTakeOnlyWhatLiesBelowTheLogStartWithoutAPolicyThatDeletes() {
        CompactionConfig compaction = CompactionConfig.DEFAULTS.withPolicy(CleanupPolicy.COMPACT);
        Facts facts = new Facts(dated(OLD, OLD, OLD), 15, 30, 30);
        Decision decision = decide(facts, BY_TIME.with(compaction));
        assertThat(decision).isEqualTo(new Decision(List.of(new Going(0, Reason.LOG_START)), 15, false));
        Decision both = decide(facts, BY_TIME.with(compaction.withPolicy(CleanupPolicy.COMPACT_AND_DELETE)));
        assertThat(both.going())
                .containsExactly(
                        new Going(0, Reason.LOG_START), new Going(10, Reason.TIME), new Going(20, Reason.TIME));
    }

    /** S48. Fails if: takesActive is not derived from all segments. */
    @Test
    void shouldRollAnActiveSegmentOfWhichEverythingGoes() {
        assertThat(decide(log(OLD), BY_TIME)).isEqualTo(new Decision(List.of(new Going(0, Reason.TIME)), 10, true));
        assertThat(decide(log(OLD, YOUNG), BY_TIME).takesActive()).isFalse();
        assertThat(decide(new Facts(dated(NOW_MS), 10, 10, 10), BY_TIME))
                .isEqualTo(new Decision(List.of(new Going(0, Reason.LOG_START)), 10, true));
    }

    /** S48. Fails if: mayGo does not except an empty active segment. */
    @Test
    void shouldKeepAnEmptyActiveSegment() {
        List<Candidate> segments = List.of(new Candidate(0, 100, OLD), new Candidate(10, 0, UNDATED));
        Facts facts = new Facts(segments, 0, 10, 10);
        assertThat(bases(decide(facts, BY_TIME))).containsExactly(0L);
        assertThat(bases(decide(facts, bySize(0)))).containsExactly(0L);
        assertThat(decide(new Facts(List.of(new Candidate(10, 0, UNDATED)), 10, 10, 10), bySize(0))
                        .going())
                .isEmpty();
    }

    /** S66: the start may lie inside the active segment, which then stays. */
    @Test
    void shouldKeepTheSegmentThatHoldsTheLogStart() {
        Facts facts = new Facts(dated(YOUNG, YOUNG), 13, 20, 20);
        assertThat(decide(facts, BY_TIME)).isEqualTo(new Decision(List.of(new Going(0, Reason.LOG_START)), 13, false));
    }

    /** Fails if: a missing time is taken for the year 1970, or keeps its segment although later ones are old. */
    @Test
    void shouldTakeAnUndatedSegmentForAsOldAsTheNextDatedOne() {
        assertThat(bases(decide(log(UNDATED, UNDATED, OLD, YOUNG), BY_TIME))).containsExactly(0L, 10L, 20L);
        assertThat(bases(decide(log(UNDATED, YOUNG), BY_TIME))).isEmpty();
        assertThat(bases(decide(log(OLD, UNDATED), BY_TIME))).containsExactly(0L);
        assertThat(bases(decide(log(UNDATED, UNDATED), bySize(100)))).containsExactly(0L);
    }

    /** KAFKA-14991: a time that is as far in the future as is let in is over one day. */
    @Test
    void shouldKeepAFutureDatedSegmentUntilItsTimeHasPassed() {
        long limitOfAppendsMs = Duration.ofHours(1).toMillis();
        Facts facts = log(NOW_MS, NOW_MS + limitOfAppendsMs, NOW_MS, NOW_MS);
        long overMs = NOW_MS + limitOfAppendsMs + LIMIT_MS;
        assertThat(bases(LogRetention.decide(facts, BY_TIME, overMs))).containsExactly(0L);
        assertThat(bases(LogRetention.decide(facts, BY_TIME, overMs + 1))).contains(0L, 10L);
    }

    /** A clock that was set back, and limits as large as can be. */
    @Test
    void shouldCopeWithExtremes() {
        LogConfig endless =
                LogConfig.DEFAULTS.with(RetentionConfig.DEFAULTS.withLimits(Long.MAX_VALUE, Long.MAX_VALUE));
        assertThat(decide(log(0, Long.MAX_VALUE), endless).going()).isEmpty();
        assertThat(LogRetention.decide(log(NOW_MS, NOW_MS), BY_TIME, 0).going()).isEmpty();
        LogConfig nothing = LogConfig.DEFAULTS.with(RetentionConfig.DEFAULTS.withLimits(0, 0));
        assertThat(decide(log(NOW_MS, NOW_MS), nothing).takesActive()).isTrue();
    }
}
