package io.tidemark.core.config;

import java.time.Duration;
import java.util.Optional;

/**
 * When a log is forced to disk. Keys of a topic in parentheses.
 *
 * @param mode whether a replica counts with its forced end (a broker's {@code log.flush.mode})
 * @param messages records after which the log is forced in the background; {@code Long.MAX_VALUE} leaves it to the operating
 *     system ({@code flush.messages})
 * @param interval longest time that a record is not forced; empty leaves it to the operating system ({@code flush.ms})
 */
public record FlushConfig(FlushMode mode, long messages, Optional<Duration> interval) {
    /** What a broker without any configured value uses. */
    public static final FlushConfig DEFAULTS = new FlushConfig(FlushMode.ASYNC, Long.MAX_VALUE, Optional.empty());

    /** Refuses a count and a time that are none. */
    public FlushConfig {
        if (messages <= 0
                || interval.map(time -> time.isNegative() || time.isZero()).orElse(false)) {
            throw new IllegalArgumentException(
                    "flush.messages and flush.ms are positive: " + messages + ", " + interval);
        }
    }

    /** The same with another mode. */
    public FlushConfig withMode(FlushMode changed) {
        return new FlushConfig(changed, messages, interval);
    }

    /** The same with another count and time. */
    public FlushConfig withEvery(long count, Optional<Duration> time) {
        return new FlushConfig(mode, count, time);
    }
}
