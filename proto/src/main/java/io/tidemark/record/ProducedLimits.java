package io.tidemark.record;

/**
 * What a leader takes from producers.
 *
 * @param maxBatchBytes {@code max.message.bytes} of the topic
 * @param maxTimestampMs no record may be later, for one of the far future would keep its segment for years (KAFKA-14991)
 * @param keys whether records must have one
 * @param decode bounds what is decompressed, none of which is kept
 */
public record ProducedLimits(int maxBatchBytes, long maxTimestampMs, Keys keys, DecodeLimits decode) {
    /** Any timestamp is taken. */
    public static final long ANY_TIMESTAMP = Long.MAX_VALUE;

    /** Whether records must have a key. */
    public enum Keys {
        OPTIONAL,
        /** The topic is compacted: a record without a key could never be replaced, nor kept. */
        REQUIRED
    }

    /** Limits of size alone. */
    public static ProducedLimits ofBytes(int maxBatchBytes) {
        return new ProducedLimits(maxBatchBytes, ANY_TIMESTAMP, Keys.OPTIONAL, DecodeLimits.DEFAULT);
    }
}
