package io.tidemark.core.config;

import java.time.Duration;

/**
 * The settings that one log runs with: a topic's overrides over the broker's defaults. All sizes are in bytes.
 *
 * @param segmentBytes a segment is rolled before it would grow beyond this ({@code segment.bytes})
 * @param indexIntervalBytes log bytes between two offset index entries ({@code index.interval.bytes})
 * @param indexMaxBytes largest offset index; a multiple of 8; a segment is rolled when its index is full
 * @param maxMessageBytes largest batch that a producer may send ({@code max.message.bytes}); stored batches may be larger
 * @param deleteDelay time between the rename to {@code *.deleted} and the unlink (S45); zero allowed
 * @param retentionMs age in milliseconds by record timestamp beyond which segments may go; -1 for no limit
 * @param retentionBytes size of the log beyond which its oldest segments may go; -1 for no limit
 * @param flushMode whether a replica counts with its forced end
 * @param producerIdExpiration how long the state of a silent producer is kept ({@code producer.id.expiration.ms})
 */
public record LogConfig(
        int segmentBytes,
        int indexIntervalBytes,
        int indexMaxBytes,
        int maxMessageBytes,
        Duration deleteDelay,
        long retentionMs,
        long retentionBytes,
        FlushMode flushMode,
        Duration producerIdExpiration) {
    /** No limit, for {@link #retentionMs} and {@link #retentionBytes}. */
    public static final long UNLIMITED = -1;

    private static final int INDEX_ENTRY_BYTES = 8;

    /** What a broker without any configured value uses. */
    public static final LogConfig DEFAULTS = new LogConfig(
            1 << 30,
            4096,
            10 << 20,
            1_048_588,
            Duration.ofMinutes(1),
            Duration.ofDays(7).toMillis(),
            UNLIMITED,
            FlushMode.ASYNC,
            Duration.ofDays(1));

    public LogConfig {
        requirePositive(segmentBytes, "segmentBytes");
        requirePositive(maxMessageBytes, "maxMessageBytes");
        requirePositive(indexMaxBytes / INDEX_ENTRY_BYTES, "indexMaxBytes");
        indexMaxBytes -= indexMaxBytes % INDEX_ENTRY_BYTES;
        if (indexIntervalBytes < 0 || deleteDelay.isNegative() || producerIdExpiration.isNegative()) {
            throw new IllegalArgumentException("index interval, delete delay and producer expiration are not negative");
        }
        if (retentionMs < UNLIMITED || retentionBytes < UNLIMITED) {
            throw new IllegalArgumentException("retention is -1 or a limit");
        }
    }

    /** The same settings with another segment size. */
    public LogConfig withSegmentBytes(int bytes) {
        return new LogConfig(
                bytes,
                indexIntervalBytes,
                indexMaxBytes,
                maxMessageBytes,
                deleteDelay,
                retentionMs,
                retentionBytes,
                flushMode,
                producerIdExpiration);
    }

    /** The same settings with another spacing of index entries and another largest index. */
    public LogConfig withIndex(int intervalBytes, int maxBytes) {
        return new LogConfig(
                segmentBytes,
                intervalBytes,
                maxBytes,
                maxMessageBytes,
                deleteDelay,
                retentionMs,
                retentionBytes,
                flushMode,
                producerIdExpiration);
    }

    /** The same settings with another largest batch. */
    public LogConfig withMaxMessageBytes(int bytes) {
        return new LogConfig(
                segmentBytes,
                indexIntervalBytes,
                indexMaxBytes,
                bytes,
                deleteDelay,
                retentionMs,
                retentionBytes,
                flushMode,
                producerIdExpiration);
    }

    /** The same settings with another delay between rename and unlink. */
    public LogConfig withDeleteDelay(Duration delay) {
        return new LogConfig(
                segmentBytes,
                indexIntervalBytes,
                indexMaxBytes,
                maxMessageBytes,
                delay,
                retentionMs,
                retentionBytes,
                flushMode,
                producerIdExpiration);
    }

    /** The same settings with other retention limits, each -1 for none. */
    public LogConfig withRetention(long limitMs, long limitBytes) {
        return new LogConfig(
                segmentBytes,
                indexIntervalBytes,
                indexMaxBytes,
                maxMessageBytes,
                deleteDelay,
                limitMs,
                limitBytes,
                flushMode,
                producerIdExpiration);
    }

    /** The same settings with another flush mode. */
    public LogConfig withFlushMode(FlushMode mode) {
        return new LogConfig(
                segmentBytes,
                indexIntervalBytes,
                indexMaxBytes,
                maxMessageBytes,
                deleteDelay,
                retentionMs,
                retentionBytes,
                mode,
                producerIdExpiration);
    }

    private static void requirePositive(int value, String name) {
        if (value <= 0) {
            throw new IllegalArgumentException(name + " must be positive: " + value);
        }
    }
}
