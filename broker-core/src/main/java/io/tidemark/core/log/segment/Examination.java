package io.tidemark.core.log.segment;

import org.jspecify.annotations.Nullable;

/**
 * A check of a run of batches of one segment, byte by byte.
 *
 * @param from where a batch starts
 * @param lastBefore last offset of the batch in front of it, or {@link #UNKNOWN}
 * @param untilOffset it may end once it has found batches beyond this sound
 * @param budgetBytes it ends once it has read that much, and at least one batch
 * @param availableBytes bytes of the segment that are published
 * @param upperOffset all offsets of the segment are below this
 */
public record Examination(
        int from,
        long lastBefore,
        long untilOffset,
        int budgetBytes,
        int availableBytes,
        long upperOffset,
        BatchExpectation expected) {
    /** In place of the last offset before a batch. */
    public static final long UNKNOWN = BatchCheck.UNKNOWN;

    /** The same from another place. */
    Examination startingAt(int position, long before) {
        return new Examination(position, before, untilOffset, budgetBytes, availableBytes, upperOffset, expected);
    }

    /**
     * What it found.
     *
     * @param nextPosition behind what was examined and found sound
     * @param lastOffset of the last sound batch, or {@link #UNKNOWN}
     * @param foundGaps whether offsets are missing between sound batches: the log was compacted once
     * @param foundOtherEpochs whether sound batches agree on an epoch that the history does not have there: batches are the truth
     * @param bad what it ended at, or null
     */
    public record Finding(
            int nextPosition,
            long lastOffset,
            boolean foundGaps,
            boolean foundOtherEpochs,
            @Nullable BadStretch bad) {}
}
