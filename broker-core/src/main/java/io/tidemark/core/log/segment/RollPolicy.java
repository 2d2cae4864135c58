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
        /** An index has no room for another entry. */
        INDEX_FULL,
        /** The batch's last offset minus the base does not fit 31 bits (KAFKA-4451). */
        OFFSET_OVERFLOW,
        /** The batch is later than the segment's first by more than {@code segment.ms}, less the segment's jitter. */
        TIME
    }

    /**
     * The active segment before the batch.
     *
     * @param base first offset it is named after
     * @param sizeBytes bytes in it, counting those about to be written
     * @param entries of its indexes
     * @param age how old it may become
     */
    public record Active(long base, int sizeBytes, Entries entries, Age age) {}

    /** How many entries its indexes have. */
    public record Entries(int offsets, int times) {}

    /**
     * The age of a segment goes by the time of records, not of any clock.
     *
     * @param firstTimestampMs largest timestamp of its first batch; negative if there is none, then it does not age
     * @param limitMs how much later a batch of it may be
     */
    public record Age(long firstTimestampMs, long limitMs) {}

    /**
     * The batch to come.
     *
     * @param lastOffset offset of its last record
     * @param sizeBytes of the whole batch
     * @param maxTimestampMs its largest timestamp; negative if it has none
     */
    public record Next(long lastOffset, int sizeBytes, long maxTimestampMs) {}

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
        if (OffsetIndex.isFull(active.entries().offsets(), config)
                || TimeIndex.isFull(active.entries().times(), config)) {
            return Reason.INDEX_FULL;
        }
        return isTooLate(active.age(), next.maxTimestampMs()) ? Reason.TIME : Reason.NONE;
    }

    private static boolean isTooLate(Age age, long timestampMs) {
        return age.firstTimestampMs() >= 0 && timestampMs >= 0 && timestampMs - age.firstTimestampMs() > age.limitMs();
    }
}
