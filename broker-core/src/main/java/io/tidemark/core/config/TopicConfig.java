package io.tidemark.core.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What a topic sets for itself over the defaults of its brokers. Immutable. Known keys, each as in Kafka: {@code
 * cleanup.policy} (only {@code delete} so far), {@code file.delete.delay.ms}, {@code index.interval.bytes}, {@code
 * max.message.bytes}, {@code min.insync.replicas}, {@code retention.bytes}, {@code retention.ms}, {@code
 * segment.bytes}, {@code unclean.leader.election.enable}.
 */
public final class TopicConfig {
    private static final ConfigKey<CleanupPolicy> CLEANUP_POLICY = ConfigKey.oneOf(
                    "cleanup.policy", CleanupPolicy.class)
            .withoutDefault()
            .doc("What happens to old segments.");
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
            FILE_DELETE_DELAY,
            INDEX_INTERVAL_BYTES,
            MAX_MESSAGE_BYTES,
            MIN_INSYNC_REPLICAS,
            RETENTION_BYTES,
            RETENTION_MS,
            SEGMENT_BYTES,
            UNCLEAN_LEADER_ELECTION));

    /** What happens to segments that are old. */
    private enum CleanupPolicy {
        DELETE
    }

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
        return errors.isEmpty()
                ? new ConfigOutcome.Valid<>(new TopicConfig(values))
                : new ConfigOutcome.Invalid<>(errors);
    }

    /** What its logs run with on a broker with these defaults. */
    public LogConfig log(LogConfig defaults) {
        return new LogConfig(
                config.given(SEGMENT_BYTES).orElse(defaults.segmentBytes()),
                config.given(INDEX_INTERVAL_BYTES).orElse(defaults.indexIntervalBytes()),
                defaults.indexMaxBytes(),
                config.given(MAX_MESSAGE_BYTES).orElse(defaults.maxMessageBytes()),
                config.given(FILE_DELETE_DELAY).orElse(defaults.deleteDelay()),
                config.given(RETENTION_MS).orElse(defaults.retentionMs()),
                config.given(RETENTION_BYTES).orElse(defaults.retentionBytes()),
                defaults.flushMode(),
                defaults.producerIdExpiration());
    }
}
