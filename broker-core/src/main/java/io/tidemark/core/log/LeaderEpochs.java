package io.tidemark.core.log;

import java.util.List;
import java.util.Optional;

/**
 * The leader epochs of one log and where each starts (I2, I3).
 *
 * <p>Entries rise strictly in epoch and in start offset. A new entry that is not above the last in both evicts
 * the conflicting ones.
 */
public interface LeaderEpochs {
    /** In rising order. */
    List<EpochStart> entries();

    /**
     * The largest epoch at or below {@code epoch} with its end: the start of the next entry, or the log's end for the
     * latest.
     *
     * <p>For an epoch below the oldest entry the answer is (asked epoch, start of the oldest) (KAFKA-7415); empty only
     * when the history is empty or {@code epoch} is negative.
     */
    Optional<EpochEnd> endOf(int epoch);

    /** Latest epoch, or -1. */
    int latest();

    /** An epoch and the offset of its first record. */
    record EpochStart(int epoch, long startOffset) {}

    /** An epoch and the offset behind its last record. */
    record EpochEnd(int epoch, long endOffset) {}
}
