package io.tidemark.core.log.segment;

import io.tidemark.record.RecordBatch;
import org.jspecify.annotations.Nullable;

/**
 * Whether stored batches are what was written (S5, DESIGN section 3). What a flipped bit hits is found by:
 *
 * <pre>
 * base offset          | offsets that do not rise, a gap, an epoch that the history does not have there
 * length, magic        | a header that is impossible, or bytes that do not match the CRC
 * leader epoch         | the history
 * CRC, and all behind  | the CRC
 * </pre>
 *
 * <p>Fewer records than offsets are no damage: compaction leaves that, also in logs whose policy has changed since and in
 * copies of such logs, and both numbers are under the CRC. Immutable.
 */
final class BatchCheck {
    /** In place of the last offset before a batch. */
    static final long UNKNOWN = Long.MIN_VALUE;

    private final BatchExpectation expected;

    BatchCheck(BatchExpectation expected) {
        this.expected = expected;
    }

    /**
     * What is wrong with a header, or null.
     *
     * @param before last offset of the batch in front, or {@link #UNKNOWN}
     */
    @Nullable
    String headerFault(RecordBatch batch, long before) {
        if (batch.baseOffset() < 0 || batch.baseOffset() <= before) {
            return "offsets do not rise: behind " + before + " comes " + batch;
        }
        if (batch.lastOffsetDelta() < 0
                || batch.recordCount() < 0
                || batch.recordCount() > batch.lastOffsetDelta() + 1L) {
            return "more records than offsets: " + batch;
        }
        return null;
    }

    /** What is wrong with the epoch, or null. */
    @Nullable
    String epochFault(RecordBatch batch) {
        int epoch = expected.epochAt(batch.lastOffset());
        boolean isRight = epoch == BatchExpectation.UNKNOWN_EPOCH || epoch == batch.partitionLeaderEpoch();
        return isRight ? null : "the epoch there is " + epoch + ": " + batch;
    }

    /** What is wrong with a header, in itself or where it stands, or null. */
    @Nullable
    String misfit(RecordBatch batch, long before) {
        String fault = headerFault(batch, before);
        if (fault == null) {
            fault = epochFault(batch);
        }
        if (fault == null && isSuspectGap(batch, before)) {
            fault = "offsets are missing: behind " + before + " comes " + batch;
        }
        return fault;
    }

    /** What is wrong with a batch of which all bytes are at hand, or null. */
    @Nullable
    String fault(RecordBatch batch, long before) {
        String fault = misfit(batch, before);
        return fault != null || batch.isCrcValid() ? fault : "the CRC does not match: " + batch;
    }

    /** Whether offsets are missing in front of a batch that should follow {@code before} at once. */
    private boolean isSuspectGap(RecordBatch batch, long before) {
        return before != UNKNOWN && batch.baseOffset() != before + 1 && expected.isGapless();
    }
}
