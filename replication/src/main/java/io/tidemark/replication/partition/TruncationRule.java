package io.tidemark.replication.partition;

import io.tidemark.core.config.TruncationMode;
import io.tidemark.core.log.LeaderEpochs;
import io.tidemark.core.log.LeaderEpochs.EpochEnd;
import io.tidemark.model.SafetyRule;
import io.tidemark.model.SafetyRules;
import java.util.OptionalLong;

/**
 * Where a follower cuts its log (DESIGN section 5, the recovery rule). Pure.
 *
 * <p>{@link TruncationMode#LEADER_EPOCH}: nothing is cut before the leader has answered. It names its largest epoch at or
 * below the follower's last one, and that epoch's end; the follower cuts there or, if its own records of that history
 * end earlier, to that end, and asks again until both agree (I3, KAFKA-6361).
 *
 * <p>{@link TruncationMode#HIGH_WATERMARK}: on becoming a follower, to the last checkpointed high watermark, which lags
 * behind what was committed: it loses acknowledged records (I1). Kept so that anyone can see that. Answers of the
 * leader are then followed as in the other mode.
 */
final class TruncationRule {
    private final TruncationMode mode;
    private final SafetyRules rules;

    TruncationRule(TruncationMode mode, SafetyRules rules) {
        this.mode = mode;
        this.rules = rules;
    }

    /** With every safety rule. */
    TruncationRule(TruncationMode mode) {
        this(mode, SafetyRules.ALL);
    }

    /** Where to cut when the role starts; empty for nowhere. */
    OptionalLong onBecomeFollower(long checkpointedHighWatermark) {
        return mode == TruncationMode.HIGH_WATERMARK
                ? OptionalLong.of(checkpointedHighWatermark)
                : OptionalLong.empty();
    }

    /**
     * Where to cut after the leader said that this log diverges.
     *
     * @param highWatermark of this replica; nothing goes by it while the rules are kept (I3)
     */
    long onDiverging(EpochEnd leaderEnd, LeaderEpochs own, long highWatermark) {
        boolean walks = rules.keeps(SafetyRule.EPOCH_WALK) || leaderEnd.epoch() == own.latest();
        long cut = onDiverging(leaderEnd, own);
        boolean falls = !walks
                && own.endOf(own.latest())
                        .filter(end -> highWatermark < end.endOffset())
                        .isPresent();
        return falls ? highWatermark : cut;
    }

    /** Where both may agree: the leader's end, or the end of this log's records of that history if that comes first. */
    long onDiverging(EpochEnd leaderEnd, LeaderEpochs own) {
        long ownEnd = own.endOf(leaderEnd.epoch()).map(EpochEnd::endOffset).orElse(leaderEnd.endOffset());
        return Math.min(leaderEnd.endOffset(), ownEnd);
    }
}
