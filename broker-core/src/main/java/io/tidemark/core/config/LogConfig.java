package io.tidemark.core.config;

import java.time.Duration;

/**
 * The settings that one log runs with: a topic's own over the broker's defaults. Immutable.
 *
 * @param segments when a new segment begins, and how it is indexed
 * @param messages what a leader accepts from producers
 * @param retention how long old segments stay
 * @param compaction whether and when the log is compacted
 * @param flush when the log is forced to disk
 * @param producerIdExpiration how long the state of a silent producer is kept ({@code producer.id.expiration.ms})
 */
public record LogConfig(
        SegmentConfig segments,
        MessageConfig messages,
        RetentionConfig retention,
        CompactionConfig compaction,
        FlushConfig flush,
        Duration producerIdExpiration) {
    /** What a broker without any configured value uses. */
    public static final LogConfig DEFAULTS = new LogConfig(
            SegmentConfig.DEFAULTS,
            MessageConfig.DEFAULTS,
            RetentionConfig.DEFAULTS,
            CompactionConfig.DEFAULTS,
            FlushConfig.DEFAULTS,
            Duration.ofDays(1));

    /** Refuses a time that is none. */
    public LogConfig {
        if (producerIdExpiration.isNegative()) {
            throw new IllegalArgumentException("the expiration of producers is not negative: " + producerIdExpiration);
        }
    }

    /** The same with other segments. */
    public LogConfig with(SegmentConfig changed) {
        return new LogConfig(changed, messages, retention, compaction, flush, producerIdExpiration);
    }

    /** The same with other limits of what is accepted. */
    public LogConfig with(MessageConfig changed) {
        return new LogConfig(segments, changed, retention, compaction, flush, producerIdExpiration);
    }

    /** The same with another retention. */
    public LogConfig with(RetentionConfig changed) {
        return new LogConfig(segments, messages, changed, compaction, flush, producerIdExpiration);
    }

    /** The same with another compaction. */
    public LogConfig with(CompactionConfig changed) {
        return new LogConfig(segments, messages, retention, changed, flush, producerIdExpiration);
    }

    /** The same with other flushes. */
    public LogConfig with(FlushConfig changed) {
        return new LogConfig(segments, messages, retention, compaction, changed, producerIdExpiration);
    }

    /** The same with another segment size. */
    public LogConfig withSegmentBytes(int bytes) {
        return with(segments.withBytes(bytes));
    }

    /** The same with another spacing of index entries and another largest index. */
    public LogConfig withIndex(int intervalBytes, int maxBytes) {
        return with(segments.withIndex(intervalBytes, maxBytes));
    }

    /** The same with another delay between rename and unlink. */
    public LogConfig withDeleteDelay(Duration delay) {
        return with(retention.withDeleteDelay(delay));
    }

    /** The same with another expiration of silent producers. */
    public LogConfig withProducerIdExpiration(Duration expiration) {
        return new LogConfig(segments, messages, retention, compaction, flush, expiration);
    }
}
