package io.tidemark.core.log.segment;

import io.tidemark.core.config.LogConfig;

/** Decides whether the next batch needs a new segment (S12). Pure. */
public final class RollPolicy {
    private RollPolicy() {}

    /** Why a segment is rolled, or that it is not. */
    public enum Reason {
        /** The batch fits. */
        NONE,
        /** The segment would pass {@code segment.bytes} or 2^31-1 bytes. */
        SIZE,
        /** The index has no room for another entry. */
        INDEX_FULL,
        /** The batch's last offset minus the base does not fit 31 bits (KAFKA-4451). */
        OFFSET_OVERFLOW
    }

    /**
     * The active segment before the batch.
     *
     * @param base first offset it is named after
     * @param sizeBytes bytes in it, counting those about to be written
     * @param indexEntries entries of its index
     */
    public record Active(long base, int sizeBytes, int indexEntries) {}

    /**
     * The batch to come.
     *
     * @param lastOffset offset of its last record
     * @param sizeBytes of the whole batch
     */
    public record Next(long lastOffset, int sizeBytes) {}

    /**
     * An empty segment is rolled for its offset alone: a batch larger than a segment gets one of its own, and an index that is
     * full from the start stays empty (KAFKA-6388).
     */
    public static Reason decide(Active active, Next next, LogConfig config) {
        if (next.lastOffset() - active.base() > Integer.MAX_VALUE) {
            return Reason.OFFSET_OVERFLOW;
        }
        if (active.sizeBytes() == 0) {
            return Reason.NONE;
        }
        long sizeBytes = (long) active.sizeBytes() + next.sizeBytes();
        if (sizeBytes > config.segments().bytes() || sizeBytes > Integer.MAX_VALUE) {
            return Reason.SIZE;
        }
        return OffsetIndex.isFull(active.indexEntries(), config) ? Reason.INDEX_FULL : Reason.NONE;
    }
}
