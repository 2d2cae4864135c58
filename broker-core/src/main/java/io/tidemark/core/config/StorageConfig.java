package io.tidemark.core.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The log directories of a broker. Keys in parentheses.
 *
 * @param logDirectories absolute, no two equal ({@code log.dirs})
 * @param recoveryThreadsPerDirectory logs checked at the same time ({@code num.recovery.threads.per.data.dir})
 * @param flushInterval between two forces of each log; empty leaves it to the operating system
 *     ({@code log.flush.interval.ms})
 * @param offsetCheckpointInterval between two writes of recovery points and log starts
 *     ({@code log.flush.offset.checkpoint.interval.ms})
 * @param fileFaults faults of the file system as in {@link io.tidemark.core.io.FaultPlan#parse}; empty but in tests
 * @param holdUnforcedWrites whether unforced writes die with the process; false but in tests
 */
public record StorageConfig(
        List<Path> logDirectories,
        int recoveryThreadsPerDirectory,
        Optional<Duration> flushInterval,
        Duration offsetCheckpointInterval,
        String fileFaults,
        boolean holdUnforcedWrites) {
    public StorageConfig {
        logDirectories = List.copyOf(logDirectories);
    }
}
