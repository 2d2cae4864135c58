package io.tidemark.core.config;

import java.time.Duration;

/**
 * What a broker does to its logs now and then. Keys in parentheses.
 *
 * @param retentionCheckInterval between two looks for segments that may go ({@code log.retention.check.interval.ms})
 * @param scrubBytesPerSecond rate at which sealed segments are read and checked, all logs together; 0 for never ({@code
 *     log.scrub.bytes.per.second})
 */
public record MaintenanceConfig(Duration retentionCheckInterval, long scrubBytesPerSecond) {}
