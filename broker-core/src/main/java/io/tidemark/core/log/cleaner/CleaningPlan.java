package io.tidemark.core.log.cleaner;

import io.tidemark.model.TopicPartition;
import java.util.OptionalLong;

/**
 * What there is to clean in a log.
 *
 * @param firstDirty where the part begins that was not cleaned
 * @param firstUncleanable base of the first segment that must be left alone; may be below {@code firstDirty}
 * @param cleanBytes bytes in front of the dirty part
 * @param cleanableBytes bytes of the dirty part that may be cleaned
 * @param dirtyRatio cleanable bytes in relation to both; a number from 0 to 1, 0 if there are none
 * @param forcedCheckpoint what the checkpoint must be set to, for it does not fit the log; whether the log is cleaned or not
 * @param reason why to clean it, or not
 */
record CleaningPlan(
        TopicPartition partition,
        long firstDirty,
        long firstUncleanable,
        long cleanBytes,
        long cleanableBytes,
        double dirtyRatio,
        OptionalLong forcedCheckpoint,
        Reason reason) {
    /** Why a log is cleaned. */
    enum Reason {
        /** There is too little to gain. */
        NONE,
        /** Enough of it is dirty. */
        DIRTY_RATIO,
        /** A record was not compacted for longer than {@code max.compaction.lag.ms}. */
        MAX_LAG,
        /** Nothing is dirty enough, but tombstones of the clean part have served their time (KAFKA-8522). */
        TOMBSTONES
    }

    boolean isCandidate() {
        return reason != Reason.NONE;
    }

    /** Whether the pass begins with a map of the dirty part. */
    boolean hasDirtyPart() {
        return reason == Reason.DIRTY_RATIO || reason == Reason.MAX_LAG;
    }

    /** Where the clean part ends of which nothing must be left alone. */
    long cleanEnd() {
        return Math.min(firstDirty, firstUncleanable);
    }
}
