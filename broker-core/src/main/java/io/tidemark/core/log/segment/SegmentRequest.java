package io.tidemark.core.log.segment;

import org.jspecify.annotations.Nullable;

/**
 * What to read from one segment.
 *
 * @param offset first offset wanted
 * @param boundOffset only batches whose last offset is below this
 * @param availableBytes bytes of the segment that may be touched
 * @param maxBytes limit of the answer
 * @param firstMaxBytes a first batch above {@code maxBytes} is returned whole up to this size (KAFKA-2063)
 * @param checks of what is returned
 */
public record SegmentRequest(
        long offset, long boundOffset, int availableBytes, int maxBytes, int firstMaxBytes, Checks checks) {
    /**
     * How closely batches are looked at.
     *
     * @param fromPosition nothing in front of it is touched: a batch starts there, and none before it reaches the offset
     * @param upperOffset all offsets of the segment are below this
     * @param expected what each batch that is returned is checked against, CRC included; null where appends were checked
     * @param trustedBytes a batch that claims to be larger is read through, and its CRC checked, before it gets a buffer
     */
    public record Checks(
            int fromPosition, long upperOffset, @Nullable BatchExpectation expected, int trustedBytes) {
        /** Batches up to this size are nothing out of the way in any log. */
        public static final int USUAL_BYTES = 1 << 20;

        /** Headers that are impossible in themselves, and no more. */
        public static final Checks NONE = from(0);

        /** As {@link #NONE}, from a position on. */
        public static Checks from(int position) {
            return new Checks(position, Long.MAX_VALUE, null, USUAL_BYTES);
        }
    }

    /** A read of batches that were checked when they were written. */
    public SegmentRequest(long offset, long boundOffset, int availableBytes, int maxBytes, int firstMaxBytes) {
        this(offset, boundOffset, availableBytes, maxBytes, firstMaxBytes, Checks.NONE);
    }

    /** Asks for the position of {@code offset} alone. */
    public static SegmentRequest locating(long offset, int availableBytes) {
        return new SegmentRequest(offset, 0, availableBytes, 0, 0);
    }

    /** Asks for the position of {@code offset}, which is not in front of {@code fromPosition}. */
    public static SegmentRequest locating(long offset, int availableBytes, int fromPosition) {
        return new SegmentRequest(offset, 0, availableBytes, 0, 0, Checks.from(fromPosition));
    }
}
