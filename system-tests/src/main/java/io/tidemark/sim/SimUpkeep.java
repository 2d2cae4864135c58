package io.tidemark.sim;

import io.tidemark.core.config.CleanerConfig;
import java.time.Duration;

/**
 * What simulated brokers do to their logs now and then.
 *
 * @param cleaner of compacted logs; its buffers are the process's, so that they are small
 * @param retentionCheckInterval between two looks for segments that may go ({@code log.retention.check.interval.ms})
 */
public record SimUpkeep(CleanerConfig cleaner, Duration retentionCheckInterval) {
    private static final int BUFFER_BYTES = 64 * 1024;

    /** As operators have it, but for the buffers. */
    public static final SimUpkeep DEFAULTS = new SimUpkeep(cleaner(Duration.ofSeconds(15)), Duration.ofMinutes(5));

    /** The same with another sleep of the cleaner ({@code log.cleaner.backoff.ms}). */
    public SimUpkeep withCleanerBackoff(Duration backoff) {
        return new SimUpkeep(cleaner(backoff), retentionCheckInterval);
    }

    private static CleanerConfig cleaner(Duration backoff) {
        return new CleanerConfig(1, BUFFER_BYTES, BUFFER_BYTES, Long.MAX_VALUE, backoff);
    }
}
