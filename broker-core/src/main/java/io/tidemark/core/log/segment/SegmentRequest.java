package io.tidemark.core.log.segment;

/**
 * What to read from one segment.
 *
 * @param offset first offset wanted
 * @param boundOffset only batches whose last offset is below this
 * @param availableBytes bytes of the segment that are published
 * @param maxBytes limit of the answer
 * @param firstMaxBytes a first batch above {@code maxBytes} is returned whole up to this size (KAFKA-2063)
 */
public record SegmentRequest(long offset, long boundOffset, int availableBytes, int maxBytes, int firstMaxBytes) {
    /** Asks for the position of {@code offset} alone. */
    public static SegmentRequest locating(long offset, int availableBytes) {
        return new SegmentRequest(offset, 0, availableBytes, 0, 0);
    }
}
