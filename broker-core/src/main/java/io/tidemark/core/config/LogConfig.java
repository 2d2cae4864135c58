package io.tidemark.core.config;

import java.time.Duration;

/**
 * The settings of one log: the topic's overrides on the broker's defaults.
 *
 * @param segmentBytes a segment rolls before it would pass this ({@code segment.bytes})
 * @param indexIntervalBytes bytes between two index entries ({@code index.interval.bytes})
 * @param indexMaxBytes an index is full at this size, and its segment rolls ({@code segment.index.bytes})
 * @param maxMessageBytes largest batch that a producer may send ({@code max.message.bytes})
 * @param fileDeleteDelay between the rename to {@code .deleted} and the unlink ({@code file.delete.delay.ms}, S45)
 * @param minInsyncReplicas configured; the effective value is the controller's ({@code min.insync.replicas})
 */
public record LogConfig(
        int segmentBytes,
        int indexIntervalBytes,
        int indexMaxBytes,
        int maxMessageBytes,
        Duration fileDeleteDelay,
        int minInsyncReplicas) {
    /** The defaults that operators know. */
    public static final LogConfig DEFAULT =
            new LogConfig(1 << 30, 4_096, 10 << 20, 1_048_588, Duration.ofSeconds(60), 1);
}
