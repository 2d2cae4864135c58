package io.tidemark.record;

import io.tidemark.model.ErrorCode;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether bytes that somebody sent may enter a log. Pure and free of exceptions: any bytes give a {@link
 * BatchValidation}. The bytes are neither changed nor kept, position and limit not moved.
 *
 * <p>The error says whose fault it is: {@link ErrorCode#CORRUPT_MESSAGE} if the bytes are not whole batches or were
 * damaged on the way, {@link ErrorCode#INVALID_RECORD} if they are what the sender meant, which is not allowed.
 */
public final class BatchValidator {
    private BatchValidator() {}

    /** A check of one whole batch: null if it passes. */
    private interface Check {
        @Nullable
        Fault apply(RecordBatch batch);
    }

    private record Fault(ErrorCode error, String message) {
        static @Nullable Fault invalidIf(@Nullable String problem) {
            return problem == null ? null : new Fault(ErrorCode.INVALID_RECORD, problem);
        }
    }

    /** {@link #validateProduced(ByteBuffer, ProducedLimits)} with {@link ProducedLimits#ofBytes}. */
    public static BatchValidation validateProduced(ByteBuffer batches, int maxBatchBytes) {
        return validateProduced(batches, ProducedLimits.ofBytes(maxBatchBytes));
    }

    /**
     * What a leader checks before it appends what a client sent; at least one batch, and for each of them: magic, size,
     * CRC, attributes, counts, producer stamp, timestamps, and all records against the header (KAFKA-6554). Base offset
     * and leader epoch are the leader's to write and not looked at.
     *
     * @param limits a batch above its size is {@link ErrorCode#MESSAGE_TOO_LARGE}, one with a later timestamp {@link
     *     ErrorCode#INVALID_TIMESTAMP}
     */
    public static BatchValidation validateProduced(ByteBuffer batches, ProducedLimits limits) {
        return batches.hasRemaining()
                ? validate(batches, batch -> producedFault(batch, limits))
                : new BatchValidation(ErrorCode.INVALID_RECORD, "there is no batch", 0, 0, 0);
    }

    /**
     * What a follower checks before it appends, and recovery before it trusts a file: frame, magic, CRC, header, rising
     * offsets, epoch. Records are not looked at: the leader checked them, and compaction may have thinned them out. No
     * batch at all is valid.
     *
     * @param minOffset what the first base offset must not be below, at least 0: the end of the log before
     * @param maxEpoch the leader epoch of the fetch, or of the history's end; a batch above it is refused (DESIGN
     *     section 5)
     */
    public static BatchValidation validateReplicated(ByteBuffer batches, long minOffset, int maxEpoch) {
        return validate(batches, new ReplicatedCheck(minOffset, maxEpoch));
    }

    private static BatchValidation validate(ByteBuffer bytes, Check check) {
        ByteBuffer view = bytes.duplicate();
        int start = view.position();
        int at = start;
        int batchCount = 0;
        long recordCount = 0;
        while (at < view.limit()) {
            RecordBatch batch;
            try {
                batch = RecordBatch.at(view, at);
            } catch (InvalidBatchException e) {
                Fault fault = frameFault(view, at, e);
                return new BatchValidation(fault.error, fault.message, batchCount, at - start, recordCount);
            }
            Fault fault = check.apply(batch);
            if (fault != null) {
                return new BatchValidation(fault.error, fault.message, batchCount, at - start, recordCount);
            }
            batchCount++;
            recordCount += batch.recordCount();
            at += batch.sizeBytes();
        }
        return new BatchValidation(ErrorCode.NONE, "", batchCount, at - start, recordCount);
    }

    /** Entries of the magics 0 and 1 are short and laid out otherwise, so this is told before what else is wrong (S6). */
    private static Fault frameFault(ByteBuffer view, int at, InvalidBatchException found) {
        boolean hasMagic = view.limit() - at > RecordBatch.MAGIC_AT;
        byte magic = hasMagic ? view.get(at + RecordBatch.MAGIC_AT) : RecordBatch.MAGIC;
        if (magic >= 0 && magic < RecordBatch.MAGIC) {
            return new Fault(
                    ErrorCode.INVALID_RECORD,
                    "message format " + magic + " is not supported, only " + RecordBatch.MAGIC + " is");
        }
        String message = found.getMessage();
        return new Fault(ErrorCode.CORRUPT_MESSAGE, message == null ? "not a batch" : message);
    }

    private static @Nullable Fault producedFault(RecordBatch batch, ProducedLimits limits) {
        if (batch.sizeBytes() > limits.maxBatchBytes()) {
            return new Fault(
                    ErrorCode.MESSAGE_TOO_LARGE,
                    "the batch has " + batch.sizeBytes() + " bytes, max.message.bytes is " + limits.maxBatchBytes());
        }
        if (!batch.isCrcValid()) {
            return crcFault(batch);
        }
        String problem = attributesProblem(batch);
        if (problem == null) {
            problem = countProblem(batch);
        }
        if (problem == null) {
            problem = stampProblem(batch);
        }
        if (problem == null) {
            problem = recordsProblem(batch, limits.keys(), limits.decode());
        }
        return problem == null ? timestampFault(batch, limits.maxTimestampMs()) : Fault.invalidIf(problem);
    }

    private static @Nullable Fault timestampFault(RecordBatch batch, long maxTimestampMs) {
        return batch.maxTimestampMs() <= maxTimestampMs
                ? null
                : new Fault(
                        ErrorCode.INVALID_TIMESTAMP,
                        "a record is dated " + batch.maxTimestampMs() + ", beyond the limit of " + maxTimestampMs
                                + ", which is the broker's clock plus message.timestamp.after.max.ms");
    }

    private static Fault crcFault(RecordBatch batch) {
        return new Fault(ErrorCode.CORRUPT_MESSAGE, "the CRC of " + batch + " does not match its bytes");
    }

    private static @Nullable String attributesProblem(RecordBatch batch) {
        int attributes = batch.attributes();
        if (!Codec.isKnown(attributes & RecordBatch.CODEC_MASK)) {
            return "unknown compression codec " + (attributes & RecordBatch.CODEC_MASK);
        }
        if (batch.isTransactional() || batch.isControl()) {
            return "transactional and control batches are not supported";
        }
        if (batch.hasAppendTime()) {
            return "append time is the broker's to set, not a client's";
        }
        return (attributes & RecordBatch.RESERVED_BITS) == 0 ? null : "reserved attribute bits are set: " + attributes;
    }

    private static @Nullable String countProblem(RecordBatch batch) {
        int count = batch.recordCount();
        return count > 0 && batch.lastOffsetDelta() == count - 1
                ? null
                : "last offset delta " + batch.lastOffsetDelta() + " and record count " + count
                        + " of a produced batch do not agree";
    }

    private static @Nullable String stampProblem(RecordBatch batch) {
        return ProducerStamp.isLegal(batch.producerId(), batch.producerEpoch(), batch.baseSequence())
                ? null
                : "producer id " + batch.producerId() + ", epoch " + batch.producerEpoch() + " and sequence "
                        + batch.baseSequence() + " must be all -1 or all at least 0";
    }

    /** Walks the records; the time index and look-ups by time trust the header's largest timestamp, so it must be true. */
    private static @Nullable String recordsProblem(RecordBatch batch, ProducedLimits.Keys keys, DecodeLimits limits) {
        try (RecordCursor cursor = new RecordCursor(batch, limits, RecordInput.Window.REUSE)) {
            while (cursor.hasNext()) {
                cursor.skipNext();
            }
            if (keys == ProducedLimits.Keys.REQUIRED && cursor.firstWithoutKey() >= 0) {
                return "record " + cursor.firstWithoutKey() + " has no key, and the topic is compacted";
            }
            if (cursor.smallestTimestampMs() < RecordBatchBuilder.NO_TIMESTAMP) {
                return "a record's timestamp is negative: " + cursor.smallestTimestampMs();
            }
            return cursor.largestTimestampMs() == batch.maxTimestampMs()
                    ? null
                    : "the header says that the largest timestamp is " + batch.maxTimestampMs() + ", it is "
                            + cursor.largestTimestampMs();
        } catch (InvalidBatchException e) {
            return e.getMessage();
        }
    }

    /** Remembers where the batches so far end. */
    private static final class ReplicatedCheck implements Check {
        private final int maxEpoch;
        private long minOffset;

        ReplicatedCheck(long minOffset, int maxEpoch) {
            this.minOffset = minOffset;
            this.maxEpoch = maxEpoch;
        }

        @Override
        public @Nullable Fault apply(RecordBatch batch) {
            if (!batch.isCrcValid()) {
                return crcFault(batch);
            }
            String problem = headerProblem(batch);
            if (problem == null) {
                minOffset = batch.nextOffset();
            }
            return Fault.invalidIf(problem);
        }

        private @Nullable String headerProblem(RecordBatch batch) {
            int lastDelta = batch.lastOffsetDelta();
            int codec = batch.attributes() & RecordBatch.CODEC_MASK;
            if (!Codec.isKnown(codec)) {
                return "unknown compression codec " + codec;
            }
            if (lastDelta < 0 || batch.recordCount() < 0 || batch.recordCount() - 1 > lastDelta) {
                return "last offset delta " + lastDelta + " and record count " + batch.recordCount() + " do not agree";
            }
            if (batch.baseOffset() < minOffset || batch.baseOffset() >= Long.MAX_VALUE - lastDelta) {
                return "base offset " + batch.baseOffset() + " is below " + minOffset + ", or too large";
            }
            int epoch = batch.partitionLeaderEpoch();
            return epoch >= 0 && epoch <= maxEpoch
                    ? null
                    : "leader epoch " + epoch + " of " + batch + " is not from 0 to " + maxEpoch;
        }
    }
}
