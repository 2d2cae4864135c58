package io.tidemark.core.config;

import io.tidemark.core.config.MessageConfig.TimestampType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What a topic sets for itself over the defaults of its brokers; the keys are Kafka's. Immutable.
 */
public final class TopicConfig {
    private static final ConfigKey<CleanupPolicy> CLEANUP_POLICY = ConfigKey.of(
                    "cleanup.policy", "delete, compact or compact,delete", CleanupPolicy::parse)
            .withoutDefault()
            .doc("As log.cleanup.policy of the broker.");
    private static final ConfigKey<Duration> DELETE_RETENTION = ConfigKey.age("delete.retention.ms", 0)
            .withoutDefault()
            .doc("As log.cleaner.delete.retention.ms of the broker.");
    private static final ConfigKey<Long> FLUSH_MESSAGES = ConfigKey.longInteger("flush.messages", 1, Long.MAX_VALUE)
            .withoutDefault()
            .doc("As log.flush.interval.messages of the broker.");
    private static final ConfigKey<Duration> FLUSH_INTERVAL =
            ConfigKey.millis("flush.ms", 1).withoutDefault().doc("As log.flush.interval.ms of the broker.");
    private static final ConfigKey<Duration> MAX_COMPACTION_LAG = ConfigKey.age("max.compaction.lag.ms", 1)
            .withoutDefault()
            .doc("As log.cleaner.max.compaction.lag.ms of the broker.");
    private static final ConfigKey<Duration> MIN_COMPACTION_LAG = ConfigKey.age("min.compaction.lag.ms", 0)
            .withoutDefault()
            .doc("As log.cleaner.min.compaction.lag.ms of the broker.");
    private static final ConfigKey<Double> MIN_DIRTY_RATIO = ConfigKey.ratio("min.cleanable.dirty.ratio")
            .withoutDefault()
            .doc("As log.cleaner.min.cleanable.ratio of the broker.");
    private static final ConfigKey<TimestampType> TIMESTAMP_TYPE = ConfigKey.of(
                    "message.timestamp.type", "CreateTime or LogAppendTime", BrokerKeys::timestampType)
            .withoutDefault()
            .doc("As log.message.timestamp.type of the broker.");
    private static final ConfigKey<Duration> TIMESTAMP_AFTER_MAX = ConfigKey.age("message.timestamp.after.max.ms", 0)
            .withoutDefault()
            .doc("As log.message.timestamp.after.max.ms of the broker.");
    private static final ConfigKey<Duration> SEGMENT_AGE =
            ConfigKey.age("segment.ms", 1).withoutDefault().doc("As log.roll.ms of the broker.");
    private static final ConfigKey<Duration> SEGMENT_JITTER =
            ConfigKey.age("segment.jitter.ms", 0).withoutDefault().doc("As log.roll.jitter.ms of the broker.");
    private static final ConfigKey<Duration> FILE_DELETE_DELAY = ConfigKey.millis("file.delete.delay.ms", 0)
            .withoutDefault()
            .doc("As log.segment.delete.delay.ms of the broker.");
    private static final ConfigKey<Integer> INDEX_INTERVAL_BYTES = ConfigKey.integer(
                    "index.interval.bytes", 0, Integer.MAX_VALUE)
            .withoutDefault()
            .doc("As log.index.interval.bytes of the broker.");
    private static final ConfigKey<Integer> MAX_MESSAGE_BYTES = ConfigKey.integer(
                    "max.message.bytes", 1, Integer.MAX_VALUE)
            .withoutDefault()
            .doc("As message.max.bytes of the broker.");
    private static final ConfigKey<Integer> MIN_INSYNC_REPLICAS = ConfigKey.integer("min.insync.replicas", 1, 100)
            .withoutDefault()
            .doc("As min.insync.replicas of the broker.");
    private static final ConfigKey<Long> RETENTION_BYTES = ConfigKey.longInteger("retention.bytes", -1, Long.MAX_VALUE)
            .withoutDefault()
            .doc("As log.retention.bytes of the broker.");
    private static final ConfigKey<Long> RETENTION_MS = ConfigKey.longInteger("retention.ms", -1, Long.MAX_VALUE)
            .withoutDefault()
            .doc("As log.retention.ms of the broker.");
    private static final ConfigKey<Integer> SEGMENT_BYTES = ConfigKey.integer("segment.bytes", 1_024, Integer.MAX_VALUE)
            .withoutDefault()
            .doc("As log.segment.bytes of the broker.");
    private static final ConfigKey<Boolean> UNCLEAN_LEADER_ELECTION = ConfigKey.bool("unclean.leader.election.enable")
            .withoutDefault()
            .doc("As unclean.leader.election.enable of the broker.");

    private static final ConfigDef ALL = new ConfigDef(List.of(
            CLEANUP_POLICY,
            DELETE_RETENTION,
            FILE_DELETE_DELAY,
            FLUSH_INTERVAL,
            FLUSH_MESSAGES,
            INDEX_INTERVAL_BYTES,
            MAX_COMPACTION_LAG,
            MAX_MESSAGE_BYTES,
            MIN_COMPACTION_LAG,
            MIN_DIRTY_RATIO,
            MIN_INSYNC_REPLICAS,
            RETENTION_BYTES,
            RETENTION_MS,
            SEGMENT_AGE,
            SEGMENT_BYTES,
            SEGMENT_JITTER,
            TIMESTAMP_AFTER_MAX,
            TIMESTAMP_TYPE,
            UNCLEAN_LEADER_ELECTION));

    private final Config config;

    private TopicConfig(Config config) {
        this.config = config;
    }

    /** The keys that a topic may set. */
    public static ConfigDef definition() {
        return ALL;
    }

    /** Reads texts by key; unknown keys are refused and all errors are collected. */
    public static ConfigOutcome<TopicConfig> parse(Map<String, String> texts) {
        List<String> errors = new ArrayList<>();
        Config values = ALL.parse(texts, errors);
        values.given(MIN_COMPACTION_LAG)
                .ifPresent(least -> values.given(MAX_COMPACTION_LAG)
                        .filter(largest -> largest.compareTo(least) < 0)
                        .ifPresent(largest -> errors.add("\"" + MAX_COMPACTION_LAG + "\" must not be less than \""
                                + MIN_COMPACTION_LAG + "\"")));
        return errors.isEmpty()
                ? new ConfigOutcome.Valid<>(new TopicConfig(values))
                : new ConfigOutcome.Invalid<>(errors);
    }

    /** What its logs run with on a broker with these defaults. */
    public LogConfig log(LogConfig defaults) {
        return new LogConfig(
                segments(defaults.segments()),
                messages(defaults.messages()),
                new RetentionConfig(
                        config.given(RETENTION_MS).orElse(defaults.retention().maxAgeMs()),
                        config.given(RETENTION_BYTES)
                                .orElse(defaults.retention().maxBytes()),
                        config.given(FILE_DELETE_DELAY)
                                .orElse(defaults.retention().deleteDelay())),
                compaction(defaults.compaction()),
                new FlushConfig(
                        defaults.flush().mode(),
                        config.given(FLUSH_MESSAGES).orElse(defaults.flush().messages()),
                        config.given(FLUSH_INTERVAL).or(defaults.flush()::interval)),
                defaults.producerIdExpiration());
    }

    private SegmentConfig segments(SegmentConfig defaults) {
        return new SegmentConfig(
                config.given(SEGMENT_BYTES).orElse(defaults.bytes()),
                config.given(SEGMENT_AGE).orElse(defaults.age()),
                config.given(SEGMENT_JITTER).orElse(defaults.jitter()),
                config.given(INDEX_INTERVAL_BYTES).orElse(defaults.indexIntervalBytes()),
                defaults.indexMaxBytes());
    }

    private MessageConfig messages(MessageConfig defaults) {
        return new MessageConfig(
                config.given(MAX_MESSAGE_BYTES).orElse(defaults.maxBytes()),
                config.given(TIMESTAMP_TYPE).orElse(defaults.timestampType()),
                config.given(TIMESTAMP_AFTER_MAX).orElse(defaults.timestampAfterMax()));
    }

    /** A topic's own lag counts where it contradicts the broker's other one. */
    private CompactionConfig compaction(CompactionConfig defaults) {
        Duration minLag = config.given(MIN_COMPACTION_LAG).orElse(defaults.minLag());
        Duration maxLag = config.given(MAX_COMPACTION_LAG).orElse(defaults.maxLag());
        if (maxLag.compareTo(minLag) < 0) {
            minLag = config.given(MIN_COMPACTION_LAG).isEmpty() ? maxLag : minLag;
            maxLag = minLag;
        }
        return new CompactionConfig(
                config.given(CLEANUP_POLICY).orElse(defaults.policy()),
                config.given(MIN_DIRTY_RATIO).orElse(defaults.minDirtyRatio()),
                minLag,
                maxLag,
                config.given(DELETE_RETENTION).orElse(defaults.deleteRetention()));
    }
}
