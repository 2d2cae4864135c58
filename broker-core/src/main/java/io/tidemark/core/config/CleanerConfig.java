package io.tidemark.core.config;

import java.time.Duration;

/**
 * The log cleaner of a broker. Keys in parentheses.
 *
 * @param threads logs that are cleaned at the same time; 0 for no cleaner ({@code log.cleaner.threads})
 * @param dedupeBufferBytes memory for offset maps, all threads together ({@code log.cleaner.dedupe.buffer.size})
 * @param ioBufferBytes memory for reading and writing, all threads together; it grows for one larger batch ({@code
 *     log.cleaner.io.buffer.size})
 * @param ioMaxBytesPerSecond read and written, all threads together; {@code Long.MAX_VALUE} for no limit ({@code
 *     log.cleaner.io.max.bytes.per.second})
 * @param backoff sleep when there is nothing to clean ({@code log.cleaner.backoff.ms})
 */
public record CleanerConfig(
        int threads, long dedupeBufferBytes, int ioBufferBytes, long ioMaxBytesPerSecond, Duration backoff) {}
