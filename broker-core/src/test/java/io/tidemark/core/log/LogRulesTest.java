package io.tidemark.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.model.ErrorCode;
import io.tidemark.model.SafetyRule;
import io.tidemark.model.SafetyRules;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The safety rules of a log, kept and waived. */
final class LogRulesTest {
    /** Small enough that each batch of one record has a segment of its own. */
    private static final int ONE_BATCH = 70;

    // I5, DESIGN section 5: a follower refuses a batch whose epoch is above that of its fetch
    // Fails if: LogAppender.asFollower does not ask for BATCH_NOT_ABOVE_FETCH.
    @Test
    void shouldRefuseABatchAboveTheEpochOfTheFetch() {
        // when
        AppendResult refused = copyOfEpochFour(SafetyRules.ALL);
        AppendResult taken = copyOfEpochFour(SafetyRules.without(SafetyRule.BATCH_NOT_ABOVE_FETCH));

        // then
        assertThat(refused)
                .isInstanceOfSatisfying(
                        AppendResult.Refused.class,
                        refusal -> assertThat(refusal.error()).isEqualTo(ErrorCode.INVALID_RECORD));
        assertThat(taken).isInstanceOf(AppendResult.Appended.class);
    }

    // S69: of five records of one key, in a segment each, two are committed
    // Fails if: LogCleaning.cleanableBound does not ask for CLEAN_BELOW_HW, or isCurrent compares with another bound.
    @Test
    void shouldCleanWhatIsCommitted() {
        // when
        List<String> kept = cleanedWithTwoCommitted(SafetyRules.ALL);
        List<String> waived = cleanedWithTwoCommitted(SafetyRules.without(SafetyRule.CLEAN_BELOW_HW));

        // then
        assertThat(kept).containsExactly("1:k=1", "2:k=2", "3:k=3", "4:k=4");
        assertThat(waived).containsExactly("3:k=3", "4:k=4");
    }

    /** The log follows in epoch 3. */
    private static AppendResult copyOfEpochFour(SafetyRules rules) {
        SegmentedLog log = LogRig.under(rules, LogRig.CONFIG).log();
        log.becomeFollower(3);
        LogRig.copy(log, 3, Batches.at(0, 3, Batches.of("a")));
        return log.appendAsFollower(Batches.at(1, 4, Batches.of("b")), 3);
    }

    private static List<String> cleanedWithTwoCommitted(SafetyRules rules) {
        CleanerRig rig = new CleanerRig(LogRig.under(rules, CleanerRig.compacted(ONE_BATCH)));
        SegmentedLog log = rig.logs.leader();
        for (int i = 0; i < 5; i++) {
            LogRig.append(log, 0, CleanerRig.batch("k=" + i));
        }
        log.committedBound(2);
        rig.tick();
        rig.requireHealthy();
        return CleanerRig.records(log);
    }
}
