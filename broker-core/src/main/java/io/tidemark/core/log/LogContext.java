package io.tidemark.core.log;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.log.segment.SegmentSpace;
import io.tidemark.model.SafetyRules;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import io.tidemark.runtime.Randomness;
import io.tidemark.runtime.Scheduler;
import java.nio.file.Path;

/**
 * What a log is given by its directory.
 *
 * @param logDirectory that holds the partition's own
 * @param space the partition's directory, and the shared caches
 * @param randomness the jitter of segments
 * @param recoveryPoints told before a truncation cuts below what was recorded as durable
 * @param flusher of the log directory; asked after appends, as {@link FlushTrigger} decides
 * @param rules that are kept
 */
record LogContext(
        TopicPartition partition,
        TopicId topicId,
        Path logDirectory,
        SegmentSpace space,
        Scheduler scheduler,
        Randomness randomness,
        LogConfig config,
        RecoveryPoints recoveryPoints,
        LogFlusher flusher,
        SafetyRules rules) {}
