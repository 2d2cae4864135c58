package io.tidemark.core.config;

import java.time.Duration;

/**
 * Whether and when a log is compacted. Keys of a topic in parentheses.
 *
 * @param policy what happens to old records ({@code cleanup.policy})
 * @param minDirtyRatio part of the cleanable log that must not have been cleaned before it is worth a pass, from 0 to 1 ({@code
 *     min.cleanable.dirty.ratio})
 * @param minLag a record younger than this is not compacted ({@code min.compaction.lag.ms})
 * @param maxLag a log with an uncleaned record older than this is cleaned whatever its ratio ({@code
 *     max.compaction.lag.ms})
 * @param deleteRetention time for which a tombstone stays, from when the cleaner first kept it (KAFKA-4529; {@code
 *     delete.retention.ms})
 */
public record CompactionConfig(
        CleanupPolicy policy, double minDirtyRatio, Duration minLag, Duration maxLag, Duration deleteRetention) {
    /** In place of no limit: longer than any log lives. */
    public static final Duration FOREVER = Duration.ofMillis(ConfigKey.LONGEST_AGE_MS);

    /** What a broker without any configured value uses. */
    public static final CompactionConfig DEFAULTS =
            new CompactionConfig(CleanupPolicy.DELETE, 0.5, Duration.ZERO, FOREVER, Duration.ofDays(1));

    /** Refuses what is no ratio and no time. */
    public CompactionConfig {
        if (!(minDirtyRatio >= 0 && minDirtyRatio <= 1)) {
            throw new IllegalArgumentException("the dirty ratio is from 0 to 1: " + minDirtyRatio);
        }
        if (minLag.isNegative() || maxLag.compareTo(minLag) < 0 || deleteRetention.isNegative()) {
            throw new IllegalArgumentException("compaction lags are not negative, the largest not below the least");
        }
    }

    /** The same with another policy. */
    public CompactionConfig withPolicy(CleanupPolicy changed) {
        return new CompactionConfig(changed, minDirtyRatio, minLag, maxLag, deleteRetention);
    }

    /** The same with another ratio. */
    public CompactionConfig withMinDirtyRatio(double ratio) {
        return new CompactionConfig(policy, ratio, minLag, maxLag, deleteRetention);
    }

    /** The same with other lags. */
    public CompactionConfig withLags(Duration least, Duration largest) {
        return new CompactionConfig(policy, minDirtyRatio, least, largest, deleteRetention);
    }

    /** The same with another life of tombstones. */
    public CompactionConfig withDeleteRetention(Duration retention) {
        return new CompactionConfig(policy, minDirtyRatio, minLag, maxLag, retention);
    }
}
