package io.tidemark.core.config;

import io.tidemark.core.io.FaultPlan;
import io.tidemark.model.Endpoint;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;

/** The configuration of a broker, by subject. Immutable; made by {@link #parse} from what stands in its file. */
public final class BrokerConfig {
    private static final Set<String> WILDCARDS = Set.of("0.0.0.0", "::", "0:0:0:0:0:0:0:0");

    private final Config config;

    private BrokerConfig(Config config) {
        this.config = config;
    }

    /** The keys of a broker's file. */
    public static ConfigDef definition() {
        return BrokerKeys.ALL;
    }

    /** Reads a file's content. */
    public static ConfigOutcome<BrokerConfig> parse(Properties properties) {
        Map<String, String> texts = new TreeMap<>();
        properties.stringPropertyNames().forEach(key -> texts.put(key, properties.getProperty(key)));
        return parse(texts);
    }

    /** Reads texts by key; unknown keys are refused and all errors are collected. */
    public static ConfigOutcome<BrokerConfig> parse(Map<String, String> texts) {
        List<String> errors = new ArrayList<>();
        Config values = BrokerKeys.ALL.parse(texts, errors);
        if (errors.isEmpty()) {
            BrokerConfig config = new BrokerConfig(values);
            config.check(errors);
            if (errors.isEmpty()) {
                return new ConfigOutcome.Valid<>(config);
            }
        }
        return new ConfigOutcome.Invalid<>(errors);
    }

    private void check(List<String> errors) {
        refuseShorter(errors, BrokerKeys.REPLICA_LAG_TIME_MAX, BrokerKeys.REPLICA_FETCH_WAIT_MAX);
        refuseSmaller(errors, BrokerKeys.REPLICA_FETCH_RESPONSE_MAX_BYTES, BrokerKeys.REPLICA_FETCH_MAX_BYTES);
        refuseShorter(errors, BrokerKeys.LOG_ROLL, BrokerKeys.LOG_ROLL_JITTER);
        refuseShorter(errors, BrokerKeys.LOG_CLEANER_MAX_COMPACTION_LAG, BrokerKeys.LOG_CLEANER_MIN_COMPACTION_LAG);
        refuseSmaller(errors, BrokerKeys.QUEUED_MAX_REQUEST_BYTES, BrokerKeys.MESSAGE_MAX_BYTES);
        checkAdvertised(errors, BrokerKeys.LISTENERS, BrokerKeys.ADVERTISED_LISTENERS);
        checkAdvertised(errors, BrokerKeys.PEER_LISTENERS, BrokerKeys.PEER_ADVERTISED_LISTENERS);
        checkAdvertised(errors, BrokerKeys.HTTP_LISTENERS, BrokerKeys.HTTP_ADVERTISED_LISTENERS);
        checkPorts(errors);
        checkFaults(errors);
    }

    private void refuseShorter(List<String> errors, ConfigKey<Duration> longer, ConfigKey<Duration> shorter) {
        refuseLess(
                errors,
                longer,
                config.value(longer).toMillis(),
                shorter,
                config.value(shorter).toMillis());
    }

    private void refuseSmaller(
            List<String> errors, ConfigKey<? extends Number> larger, ConfigKey<? extends Number> smaller) {
        refuseLess(
                errors,
                larger,
                config.value(larger).longValue(),
                smaller,
                config.value(smaller).longValue());
    }

    private static void refuseLess(
            List<String> errors, ConfigKey<?> larger, long largerValue, ConfigKey<?> smaller, long smallerValue) {
        if (largerValue < smallerValue) {
            errors.add("\"" + larger + "\" (" + largerValue + ") must not be less than \"" + smaller + "\" ("
                    + smallerValue + ")");
        }
    }

    private void checkAdvertised(
            List<String> errors, ConfigKey<Endpoint> bind, ConfigKey<Optional<Endpoint>> advertised) {
        boolean wildcard = WILDCARDS.contains(config.value(bind).host());
        Optional<Endpoint> told = config.value(advertised);
        if (wildcard && told.isEmpty()) {
            errors.add("\"" + advertised + "\" is needed because \"" + bind + "\" listens at all addresses");
        }
        if (told.isPresent()
                && (WILDCARDS.contains(told.get().host()) || told.get().port() == 0)) {
            errors.add("\"" + advertised + "\" must name one address and a port that others can connect to");
        }
    }

    private void checkPorts(List<String> errors) {
        Map<Endpoint, ConfigKey<Endpoint>> taken = new HashMap<>();
        for (ConfigKey<Endpoint> key :
                List.of(BrokerKeys.LISTENERS, BrokerKeys.PEER_LISTENERS, BrokerKeys.HTTP_LISTENERS)) {
            Endpoint bind = config.value(key);
            ConfigKey<Endpoint> other = bind.port() == 0 ? null : taken.put(bind, key);
            if (other != null) {
                errors.add("\"" + key + "\" and \"" + other + "\" are both " + bind);
            }
        }
    }

    private void checkFaults(List<String> errors) {
        try {
            FaultPlan.parse(config.value(BrokerKeys.FILE_FAULTS));
        } catch (IllegalArgumentException e) {
            errors.add("\"" + BrokerKeys.FILE_FAULTS + "\": " + e.getMessage());
        }
    }

    public int brokerId() {
        return config.value(BrokerKeys.BROKER_ID);
    }

    /** Failure domain, or empty. */
    public String rack() {
        return config.value(BrokerKeys.BROKER_RACK);
    }

    public ZooKeeperConfig zooKeeper() {
        return new ZooKeeperConfig(
                config.value(BrokerKeys.ZOOKEEPER_CONNECT), config.value(BrokerKeys.ZOOKEEPER_SESSION_TIMEOUT));
    }

    /** Whether ended processes are noticed before their sessions end ({@code controller.fast.detection}). */
    public boolean fastDetection() {
        return config.value(BrokerKeys.CONTROLLER_FAST_DETECTION);
    }

    /** How often leadership goes back to first replicas; empty for never ({@code auto.leader.rebalance.enable}). */
    public Optional<Duration> leaderRebalanceInterval() {
        return config.value(BrokerKeys.AUTO_LEADER_REBALANCE)
                ? Optional.of(config.value(BrokerKeys.LEADER_IMBALANCE_CHECK_INTERVAL))
                : Optional.empty();
    }

    public Listener clientListener() {
        return listener(BrokerKeys.LISTENERS, BrokerKeys.ADVERTISED_LISTENERS);
    }

    public Listener peerListener() {
        return listener(BrokerKeys.PEER_LISTENERS, BrokerKeys.PEER_ADVERTISED_LISTENERS);
    }

    public Listener httpListener() {
        return listener(BrokerKeys.HTTP_LISTENERS, BrokerKeys.HTTP_ADVERTISED_LISTENERS);
    }

    private Listener listener(ConfigKey<Endpoint> bind, ConfigKey<Optional<Endpoint>> advertised) {
        return new Listener(config.value(bind), config.value(advertised));
    }

    public StorageConfig storage() {
        List<Path> directories = config.value(BrokerKeys.LOG_DIRS).stream()
                .map(directory -> Path.of(directory).toAbsolutePath().normalize())
                .toList();
        return new StorageConfig(
                directories,
                config.value(BrokerKeys.NUM_RECOVERY_THREADS),
                config.value(BrokerKeys.LOG_FLUSH_INTERVAL),
                config.value(BrokerKeys.LOG_FLUSH_OFFSET_CHECKPOINT_INTERVAL),
                config.value(BrokerKeys.FILE_FAULTS),
                config.value(BrokerKeys.HOLD_UNFORCED_WRITES));
    }

    /** What a log runs with whose topic sets nothing of its own. */
    public LogConfig log() {
        return new LogConfig(
                new SegmentConfig(
                        config.value(BrokerKeys.LOG_SEGMENT_BYTES),
                        config.value(BrokerKeys.LOG_ROLL),
                        config.value(BrokerKeys.LOG_ROLL_JITTER),
                        config.value(BrokerKeys.LOG_INDEX_INTERVAL_BYTES),
                        config.value(BrokerKeys.LOG_INDEX_SIZE_MAX_BYTES)),
                new MessageConfig(
                        config.value(BrokerKeys.MESSAGE_MAX_BYTES),
                        config.value(BrokerKeys.LOG_TIMESTAMP_TYPE),
                        config.value(BrokerKeys.LOG_TIMESTAMP_AFTER_MAX)),
                new RetentionConfig(
                        config.value(BrokerKeys.LOG_RETENTION_MS),
                        config.value(BrokerKeys.LOG_RETENTION_BYTES),
                        config.value(BrokerKeys.LOG_SEGMENT_DELETE_DELAY)),
                compaction(),
                new FlushConfig(
                        config.value(BrokerKeys.LOG_FLUSH_MODE),
                        config.value(BrokerKeys.LOG_FLUSH_INTERVAL_MESSAGES),
                        config.value(BrokerKeys.LOG_FLUSH_INTERVAL)),
                config.value(BrokerKeys.PRODUCER_ID_EXPIRATION));
    }

    private CompactionConfig compaction() {
        return new CompactionConfig(
                config.value(BrokerKeys.LOG_CLEANUP_POLICY),
                config.value(BrokerKeys.LOG_CLEANER_MIN_CLEANABLE_RATIO),
                config.value(BrokerKeys.LOG_CLEANER_MIN_COMPACTION_LAG),
                config.value(BrokerKeys.LOG_CLEANER_MAX_COMPACTION_LAG),
                config.value(BrokerKeys.LOG_CLEANER_DELETE_RETENTION));
    }

    public CleanerConfig cleaner() {
        return new CleanerConfig(
                config.value(BrokerKeys.LOG_CLEANER_THREADS),
                config.value(BrokerKeys.LOG_CLEANER_DEDUPE_BUFFER),
                config.value(BrokerKeys.LOG_CLEANER_IO_BUFFER),
                config.value(BrokerKeys.LOG_CLEANER_IO_MAX_BYTES_PER_SECOND),
                config.value(BrokerKeys.LOG_CLEANER_BACKOFF));
    }

    public MaintenanceConfig maintenance() {
        return new MaintenanceConfig(
                config.value(BrokerKeys.LOG_RETENTION_CHECK_INTERVAL),
                config.value(BrokerKeys.LOG_SCRUB_BYTES_PER_SECOND));
    }

    public TopicDefaults topicDefaults() {
        return new TopicDefaults(
                config.value(BrokerKeys.NUM_PARTITIONS),
                config.value(BrokerKeys.DEFAULT_REPLICATION_FACTOR),
                config.value(BrokerKeys.MIN_INSYNC_REPLICAS),
                config.value(BrokerKeys.UNCLEAN_LEADER_ELECTION));
    }

    public ReplicationConfig replication() {
        return new ReplicationConfig(
                config.value(BrokerKeys.REPLICA_LAG_TIME_MAX),
                config.value(BrokerKeys.NUM_REPLICA_FETCHERS),
                config.value(BrokerKeys.REPLICA_FETCH_MAX_BYTES),
                config.value(BrokerKeys.REPLICA_FETCH_RESPONSE_MAX_BYTES),
                config.value(BrokerKeys.REPLICA_FETCH_WAIT_MAX),
                config.value(BrokerKeys.REPLICA_FETCH_MIN_BYTES),
                config.value(BrokerKeys.REPLICA_FETCH_BACKOFF),
                config.value(BrokerKeys.REPLICA_TRUNCATION),
                highWatermarkCheckpointInterval());
    }

    /** S58: the flush interval stands in for a checkpoint interval that is not given. */
    private Duration highWatermarkCheckpointInterval() {
        return config.given(BrokerKeys.HIGH_WATERMARK_CHECKPOINT_INTERVAL)
                .or(() -> config.value(BrokerKeys.LOG_FLUSH_INTERVAL))
                .orElseGet(() -> config.value(BrokerKeys.HIGH_WATERMARK_CHECKPOINT_INTERVAL));
    }

    public RequestConfig requests() {
        return new RequestConfig(
                config.value(BrokerKeys.QUEUED_MAX_REQUEST_BYTES),
                config.value(BrokerKeys.PEER_QUEUED_MAX_REQUEST_BYTES),
                config.value(BrokerKeys.FETCH_MAX_BYTES));
    }

    public ControlledShutdownConfig controlledShutdown() {
        return new ControlledShutdownConfig(
                config.value(BrokerKeys.CONTROLLED_SHUTDOWN_ENABLE),
                config.value(BrokerKeys.CONTROLLED_SHUTDOWN_MAX_RETRIES),
                config.value(BrokerKeys.CONTROLLED_SHUTDOWN_RETRY_BACKOFF));
    }
}
