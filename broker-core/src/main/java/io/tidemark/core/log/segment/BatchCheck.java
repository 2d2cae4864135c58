package io.tidemark.core.log.segment;

import io.tidemark.record.RecordBatch;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
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
 * copies of such logs, and both numbers are under the CRC. One check serves one read: not thread-safe.
 */
final class BatchCheck {
    /** In place of the last offset before a batch. */
    static final long UNKNOWN = Long.MIN_VALUE;

    /** Where the bytes begin that the CRC covers. */
    static final int CRC_STARTS_AT = 21;

    private final BatchExpectation expected;
    private final CRC32C crc = new CRC32C();

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

    /** Whether offsets are missing in front of a batch that should follow {@code before} at once. */
    boolean isSuspectGap(RecordBatch batch, long before) {
        return before != UNKNOWN && batch.baseOffset() != before + 1 && expected.isGapless();
    }

    /** What is wrong with a whole batch at {@code index} of a buffer that has an array, or null; no offset may miss in front. */
    @Nullable
    String fault(RecordBatch batch, ByteBuffer bytes, int index, long before) {
        String fault = headerFault(batch, before);
        if (fault == null) {
            fault = epochFault(batch);
        }
        if (fault != null) {
            return fault;
        }
        if (isSuspectGap(batch, before)) {
            return "offsets are missing: behind " + before + " comes " + batch;
        }
        crc.reset();
        crc.update(bytes.array(), bytes.arrayOffset() + index + CRC_STARTS_AT, batch.sizeBytes() - CRC_STARTS_AT);
        return crc.getValue() == batch.crc() ? null : "the CRC does not match: " + batch;
    }
}
