package io.tidemark.sim;

import io.tidemark.core.config.CleanerConfig;
import io.tidemark.core.config.MaintenanceConfig;
import java.time.Duration;

/**
 * What simulated brokers do to their logs now and then.
 *
 * @param cleaner of compacted logs; each process has buffers of its own, so they are small
 * @param maintenance retention and scrubbing
 */
public record SimUpkeep(CleanerConfig cleaner, MaintenanceConfig maintenance) {
    private static final int BUFFER_BYTES = 64 * 1024;
    private static final Duration RETENTION_CHECK = Duration.ofMinutes(5);

    /** As operators have it, but for the buffers; and nothing is scrubbed, since it would be all that happens in most runs. */
    public static final SimUpkeep DEFAULTS =
            new SimUpkeep(cleaner(Duration.ofSeconds(15)), new MaintenanceConfig(RETENTION_CHECK, 0));

    /** The same with another sleep of the cleaner ({@code log.cleaner.backoff.ms}). */
    public SimUpkeep withCleanerBackoff(Duration backoff) {
        return new SimUpkeep(cleaner(backoff), maintenance);
    }

    private static CleanerConfig cleaner(Duration backoff) {
        return new CleanerConfig(1, BUFFER_BYTES, BUFFER_BYTES, Long.MAX_VALUE, backoff);
    }
}
