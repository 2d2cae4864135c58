package io.tidemark.core.log;

/**
 * What to read.
 *
 * @param offset first offset wanted
 * @param maxBytes limit of the answer
 * @param limitOffset only batches whose last offset is below this; {@link #TO_END} for the log's end
 * @param minimum whether a batch larger than {@code maxBytes} is returned whole when it is the first
 */
public record ReadRequest(long offset, int maxBytes, long limitOffset, Minimum minimum) {
    /** No limit but the log's end. */
    public static final long TO_END = Long.MAX_VALUE;

    /** What to do when the first batch exceeds the byte limit (KAFKA-2063). */
    public enum Minimum {
        ONE_BATCH,
        NONE
    }
}
