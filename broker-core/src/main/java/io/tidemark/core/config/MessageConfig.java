package io.tidemark.core.config;

import java.time.Duration;

/**
 * What a leader accepts from producers. Keys of a topic in parentheses. Stored batches may be otherwise.
 *
 * @param maxBytes largest batch ({@code max.message.bytes})
 * @param timestampType whose time a record carries ({@code message.timestamp.type})
 * @param timestampAfterMax with {@code CREATE_TIME}: a record dated so far beyond the broker's wall clock is refused, for one
 *     record of the far future would keep its segment for ever ({@code message.timestamp.after.max.ms}, KAFKA-14991)
 */
public record MessageConfig(int maxBytes, TimestampType timestampType, Duration timestampAfterMax) {
    /** What a broker without any configured value uses. */
    public static final MessageConfig DEFAULTS =
            new MessageConfig(1_048_588, TimestampType.CREATE_TIME, Duration.ofHours(1));

    /** Whose time a record carries. */
    public enum TimestampType {
        /** The producer's. */
        CREATE_TIME,
        /** That of the leader when it appends; what the producer wrote has no influence. */
        LOG_APPEND_TIME
    }

    /** Refuses what accepts nothing. */
    public MessageConfig {
        if (maxBytes <= 0 || timestampAfterMax.isNegative()) {
            throw new IllegalArgumentException(
                    "the largest batch is positive, the limit of timestamps not negative: " + maxBytes);
        }
    }

    /** The latest timestamp that is accepted when the broker's wall clock shows {@code nowMs}; Long.MAX_VALUE if any is. */
    public long latestTimestampMs(long nowMs) {
        long afterMaxMs = timestampAfterMax.toMillis();
        boolean isUnlimited =
                timestampType == TimestampType.LOG_APPEND_TIME || afterMaxMs >= Long.MAX_VALUE - Math.max(0, nowMs);
        return isUnlimited ? Long.MAX_VALUE : nowMs + afterMaxMs;
    }

    /** The same with another largest batch. */
    public MessageConfig withMaxBytes(int limitBytes) {
        return new MessageConfig(limitBytes, timestampType, timestampAfterMax);
    }

    /** The same with other timestamps. */
    public MessageConfig withTimestamps(TimestampType type, Duration afterMax) {
        return new MessageConfig(maxBytes, type, afterMax);
    }
}
