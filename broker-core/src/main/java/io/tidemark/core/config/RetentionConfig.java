package io.tidemark.core.config;

import java.time.Duration;

/**
 * How long old segments stay. Keys of a topic in parentheses.
 *
 * @param maxAgeMs age, of a segment's largest record time, beyond which it may go; {@link #UNLIMITED} for no limit ({@code
 *     retention.ms})
 * @param maxBytes size of the log beyond which its oldest segments may go; {@link #UNLIMITED} for no limit ({@code
 *     retention.bytes})
 * @param deleteDelay time between the rename to {@code *.deleted} and the unlink (S45); zero allowed ({@code
 *     file.delete.delay.ms})
 */
public record RetentionConfig(long maxAgeMs, long maxBytes, Duration deleteDelay) {
    /** No limit. */
    public static final long UNLIMITED = -1;

    /** What a broker without any configured value uses. */
    public static final RetentionConfig DEFAULTS =
            new RetentionConfig(Duration.ofDays(7).toMillis(), UNLIMITED, Duration.ofMinutes(1));

    /** Refuses limits that are none. */
    public RetentionConfig {
        if (maxAgeMs < UNLIMITED || maxBytes < UNLIMITED || deleteDelay.isNegative()) {
            throw new IllegalArgumentException("retention is -1 or a limit, the delete delay not negative: " + maxAgeMs
                    + ", " + maxBytes + ", " + deleteDelay);
        }
    }

    /** The same with other limits, each {@link #UNLIMITED} for none. */
    public RetentionConfig withLimits(long ageMs, long bytes) {
        return new RetentionConfig(ageMs, bytes, deleteDelay);
    }

    /** The same with another delay between rename and unlink. */
    public RetentionConfig withDeleteDelay(Duration delay) {
        return new RetentionConfig(maxAgeMs, maxBytes, delay);
    }
}
