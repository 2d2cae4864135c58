package io.tidemark.core.config;

import io.tidemark.core.config.MessageConfig.TimestampType;
import io.tidemark.model.Endpoint;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The keys of a broker's file, with the names and defaults that operators know. */
final class BrokerKeys {
    static final ConfigKey<Integer> BROKER_ID = ConfigKey.integer("broker.id", 0, Integer.MAX_VALUE)
            .doc("Number of this broker, different from all others of the cluster.");
    static final ConfigKey<String> BROKER_RACK = ConfigKey.string("broker.rack")
            .withDefault("")
            .doc("Failure domain; replicas of a partition are spread over racks.");
    static final ConfigKey<List<String>> LOG_DIRS =
            ConfigKey.list("log.dirs").doc("Directories that hold the logs, separated by commas.");

    static final ConfigKey<String> ZOOKEEPER_CONNECT = ConfigKey.of(
                    "zookeeper.connect", "host:port,host:port/chroot", BrokerKeys::connectString)
            .doc("ZooKeeper ensemble, with an optional chroot at the end.");
    static final ConfigKey<Duration> ZOOKEEPER_SESSION_TIMEOUT = ConfigKey.millis("zookeeper.session.timeout.ms", 500)
            .withDefault("6000")
            .doc("How long a broker that is silent keeps its registration.");

    static final ConfigKey<Boolean> CONTROLLER_FAST_DETECTION = ConfigKey.bool("controller.fast.detection")
            .withDefault("true")
            .doc(
                    "Whether a broker whose process has ended is noticed at once, or by the end of its ZooKeeper session.");

    static final ConfigKey<Boolean> AUTO_LEADER_REBALANCE = ConfigKey.bool("auto.leader.rebalance.enable")
            .withDefault("true")
            .doc("Whether leadership goes back to first replicas now and then; the broker that is controller decides.");
    static final ConfigKey<Duration> LEADER_IMBALANCE_CHECK_INTERVAL = ConfigKey.millis(
                    "leader.imbalance.check.interval.ms", 1_000)
            .withDefault("300000")
            .doc("Time between two such elections.");

    static final ConfigKey<Endpoint> LISTENERS =
            listener("listeners", "client", 9092).doc("Where clients connect.");
    static final ConfigKey<Optional<Endpoint>> ADVERTISED_LISTENERS =
            advertised("advertised.listeners", "client").doc("What clients are told to connect to.");
    static final ConfigKey<Endpoint> PEER_LISTENERS =
            listener("peer.listeners", "peer", 9093).doc("Where other brokers and the controller connect.");
    static final ConfigKey<Optional<Endpoint>> PEER_ADVERTISED_LISTENERS =
            advertised("peer.advertised.listeners", "peer").doc("What other brokers are told to connect to.");
    static final ConfigKey<Endpoint> HTTP_LISTENERS =
            listener("http.listeners", "http", 9094).doc("Where /metrics, /healthz and /readyz are served.");
    static final ConfigKey<Optional<Endpoint>> HTTP_ADVERTISED_LISTENERS =
            advertised("http.advertised.listeners", "http").doc("What monitoring is told to connect to.");

    static final ConfigKey<Integer> NUM_PARTITIONS = ConfigKey.integer("num.partitions", 1, 10_000)
            .withDefault("1")
            .doc("Partitions of a topic that is created without a number.");
    static final ConfigKey<Integer> DEFAULT_REPLICATION_FACTOR = ConfigKey.integer("default.replication.factor", 1, 100)
            .withDefault("1")
            .doc("Replicas of a topic that is created without a number.");
    static final ConfigKey<Integer> MIN_INSYNC_REPLICAS = ConfigKey.integer("min.insync.replicas", 1, 100)
            .withDefault("1")
            .doc("Replicas that must have a record before acks=all is answered; a topic may set its own.");
    static final ConfigKey<Boolean> UNCLEAN_LEADER_ELECTION = ConfigKey.bool("unclean.leader.election.enable")
            .withDefault("false")
            .doc("Whether a replica may lead that may lack acknowledged records; a topic may set its own.");

    static final ConfigKey<Duration> REPLICA_LAG_TIME_MAX = ConfigKey.millis("replica.lag.time.max.ms", 1)
            .withDefault("30000")
            .doc("A follower that was not caught up for so long leaves the ISR.");
    static final ConfigKey<Integer> NUM_REPLICA_FETCHERS =
            ConfigKey.integer("num.replica.fetchers", 1, 64).withDefault("1").doc("Fetcher loops per leader.");
    static final ConfigKey<Integer> REPLICA_FETCH_MAX_BYTES = ConfigKey.integer(
                    "replica.fetch.max.bytes", 1, Integer.MAX_VALUE)
            .withDefault("1048576")
            .doc("Bytes per partition in a follower's fetch; the first batch is returned whole.");
    static final ConfigKey<Integer> REPLICA_FETCH_RESPONSE_MAX_BYTES = ConfigKey.integer(
                    "replica.fetch.response.max.bytes", 1, Integer.MAX_VALUE)
            .withDefault("10485760")
            .doc("Bytes in the answer to a follower's fetch.");
    static final ConfigKey<Duration> REPLICA_FETCH_WAIT_MAX = ConfigKey.millis("replica.fetch.wait.max.ms", 1)
            .withDefault("500")
            .doc("Longest time that a follower's fetch waits at the leader for new records.");
    static final ConfigKey<Integer> REPLICA_FETCH_MIN_BYTES = ConfigKey.integer(
                    "replica.fetch.min.bytes", 1, Integer.MAX_VALUE)
            .withDefault("1")
            .doc("Bytes that end the wait of a follower's fetch.");
    static final ConfigKey<Duration> REPLICA_FETCH_BACKOFF = ConfigKey.millis("replica.fetch.backoff.ms", 0)
            .withDefault("1000")
            .doc("Pause after a follower's fetch that failed.");
    static final ConfigKey<TruncationMode> REPLICA_TRUNCATION = ConfigKey.oneOf(
                    "replica.truncation", TruncationMode.class)
            .withDefault("leader-epoch")
            .doc("Where a new follower cuts its log; high-watermark loses acknowledged records.");
    static final ConfigKey<Duration> HIGH_WATERMARK_CHECKPOINT_INTERVAL = ConfigKey.millis(
                    "replica.high.watermark.checkpoint.interval.ms", 1)
            .withDefault("5000")
            .doc("Between two writes of the high watermarks; log.flush.interval.ms if only that is set.");

    static final ConfigKey<Integer> LOG_SEGMENT_BYTES = ConfigKey.integer("log.segment.bytes", 1_024, Integer.MAX_VALUE)
            .withDefault("1073741824")
            .doc("Size at which a new segment is started.");
    static final ConfigKey<Integer> LOG_INDEX_INTERVAL_BYTES = ConfigKey.integer(
                    "log.index.interval.bytes", 0, Integer.MAX_VALUE)
            .withDefault("4096")
            .doc("Log bytes between two entries of an index.");
    static final ConfigKey<Integer> LOG_INDEX_SIZE_MAX_BYTES = ConfigKey.integer(
                    "log.index.size.max.bytes", 8, Integer.MAX_VALUE)
            .withDefault("10485760")
            .doc("Largest file of either index; a segment ends when one of its indexes is full.");
    static final ConfigKey<Integer> MESSAGE_MAX_BYTES = ConfigKey.integer("message.max.bytes", 1, Integer.MAX_VALUE)
            .withDefault("1048588")
            .doc("Largest batch that a producer may send.");
    static final ConfigKey<Duration> LOG_SEGMENT_DELETE_DELAY = ConfigKey.millis("log.segment.delete.delay.ms", 0)
            .withDefault("60000")
            .doc("Between the rename of a segment to .deleted and its unlink.");
    static final ConfigKey<Long> LOG_RETENTION_MS = ConfigKey.longInteger("log.retention.ms", -1, Long.MAX_VALUE)
            .withDefault("604800000")
            .doc("Age in milliseconds beyond which segments may go; -1 for no limit.");
    static final ConfigKey<Long> LOG_RETENTION_BYTES = ConfigKey.longInteger("log.retention.bytes", -1, Long.MAX_VALUE)
            .withDefault("-1")
            .doc("Size of a partition beyond which its oldest segments may go; -1 for no limit.");
    static final ConfigKey<Duration> LOG_ROLL = ConfigKey.age("log.roll.ms", 1)
            .withDefault("604800000")
            .doc("A segment ends when the time of a record is so far beyond that of its first.");
    static final ConfigKey<Duration> LOG_ROLL_JITTER = ConfigKey.age("log.roll.jitter.ms", 0)
            .withDefault("0")
            .doc("Up to so much is taken off log.roll.ms, another part for each segment.");
    static final ConfigKey<TimestampType> LOG_TIMESTAMP_TYPE = ConfigKey.of(
                    "log.message.timestamp.type", "CreateTime or LogAppendTime", BrokerKeys::timestampType)
            .withDefault("CreateTime")
            .doc("Whether records carry the producer's time or that of the append.");
    static final ConfigKey<Duration> LOG_TIMESTAMP_AFTER_MAX = ConfigKey.age("log.message.timestamp.after.max.ms", 0)
            .withDefault("3600000")
            .doc("A record dated so far in the future is refused.");
    static final ConfigKey<CleanupPolicy> LOG_CLEANUP_POLICY = ConfigKey.of(
                    "log.cleanup.policy", "delete, compact or compact,delete", CleanupPolicy::parse)
            .withDefault("delete")
            .doc(
                    "What happens to old records: segments go by age and size, or all but the last record of a key go, or both.");
    static final ConfigKey<Double> LOG_CLEANER_MIN_CLEANABLE_RATIO = ConfigKey.ratio("log.cleaner.min.cleanable.ratio")
            .withDefault("0.5")
            .doc("Part of a log that must not have been cleaned before it is worth a pass.");
    static final ConfigKey<Duration> LOG_CLEANER_MIN_COMPACTION_LAG = ConfigKey.age(
                    "log.cleaner.min.compaction.lag.ms", 0)
            .withDefault("0")
            .doc("Records younger than this are not compacted.");
    static final ConfigKey<Duration> LOG_CLEANER_MAX_COMPACTION_LAG = ConfigKey.age(
                    "log.cleaner.max.compaction.lag.ms", 1)
            .withDefault(Long.toString(ConfigKey.LONGEST_AGE_MS))
            .doc("A log with an uncleaned record older than this is cleaned whatever its ratio.");
    static final ConfigKey<Duration> LOG_CLEANER_DELETE_RETENTION = ConfigKey.age("log.cleaner.delete.retention.ms", 0)
            .withDefault("86400000")
            .doc("How long a tombstone stays after the cleaner first kept it.");
    static final ConfigKey<Integer> LOG_CLEANER_THREADS =
            ConfigKey.integer("log.cleaner.threads", 0, 64).withDefault("1").doc("Logs cleaned at the same time.");
    static final ConfigKey<Long> LOG_CLEANER_DEDUPE_BUFFER = ConfigKey.longInteger(
                    "log.cleaner.dedupe.buffer.size", 1 << 20, 64L << 30)
            .withDefault("134217728")
            .doc("Memory for the keys of one pass, all cleaner threads together.");
    static final ConfigKey<Integer> LOG_CLEANER_IO_BUFFER = ConfigKey.integer(
                    "log.cleaner.io.buffer.size", 512, 1 << 30)
            .withDefault("524288")
            .doc("Memory for reading and writing, all cleaner threads together; it grows for a larger batch.");
    static final ConfigKey<Long> LOG_CLEANER_IO_MAX_BYTES_PER_SECOND = ConfigKey.longInteger(
                    "log.cleaner.io.max.bytes.per.second", 1, Long.MAX_VALUE)
            .withDefault(Long.toString(Long.MAX_VALUE))
            .doc("Bytes that the cleaner reads and writes in a second, all threads together.");
    static final ConfigKey<Duration> LOG_CLEANER_BACKOFF = ConfigKey.millis("log.cleaner.backoff.ms", 0)
            .withDefault("15000")
            .doc("Sleep of the cleaner when there is nothing to clean.");
    static final ConfigKey<Duration> LOG_RETENTION_CHECK_INTERVAL = ConfigKey.millis(
                    "log.retention.check.interval.ms", 1)
            .withDefault("300000")
            .doc("Between two looks for segments that may go.");
    static final ConfigKey<Long> LOG_SCRUB_BYTES_PER_SECOND = ConfigKey.longInteger(
                    "log.scrub.bytes.per.second", 0, Long.MAX_VALUE)
            .withDefault("1048576")
            .doc("Rate at which sealed segments are read and checked; 0 for never.");
    static final ConfigKey<Long> LOG_FLUSH_INTERVAL_MESSAGES = ConfigKey.longInteger(
                    "log.flush.interval.messages", 1, Long.MAX_VALUE)
            .withDefault(Long.toString(Long.MAX_VALUE))
            .doc("Records after which a log is forced in the background.");
    static final ConfigKey<FlushMode> LOG_FLUSH_MODE = ConfigKey.oneOf("log.flush.mode", FlushMode.class)
            .withDefault("async")
            .doc(
                    "Whether a replica counts, for acks=all, with what it appended (async) or with what it forced (sync).");
    static final ConfigKey<Optional<Duration>> LOG_FLUSH_INTERVAL = ConfigKey.optionalMillis("log.flush.interval.ms", 1)
            .withDefault("")
            .doc("Longest time that a record is not forced; empty leaves it to the operating system.");
    static final ConfigKey<Duration> LOG_FLUSH_OFFSET_CHECKPOINT_INTERVAL = ConfigKey.millis(
                    "log.flush.offset.checkpoint.interval.ms", 1)
            .withDefault("60000")
            .doc("Between two writes of the recovery points.");
    static final ConfigKey<Integer> NUM_RECOVERY_THREADS = ConfigKey.integer("num.recovery.threads.per.data.dir", 1, 64)
            .withDefault("1")
            .doc("Logs of a directory that are checked at the same time after a crash.");
    static final ConfigKey<Duration> PRODUCER_ID_EXPIRATION = ConfigKey.millis("producer.id.expiration.ms", 1)
            .withDefault("86400000")
            .doc("How long the state of a producer that is silent is kept.");

    static final ConfigKey<Long> QUEUED_MAX_REQUEST_BYTES = ConfigKey.longInteger(
                    "queued.max.request.bytes", 1, Long.MAX_VALUE)
            .withDefault("67108864")
            .doc("Request bytes of clients in memory; at the limit the broker reads no more.");
    static final ConfigKey<Long> PEER_QUEUED_MAX_REQUEST_BYTES = ConfigKey.longInteger(
                    "peer.queued.max.request.bytes", 1, Long.MAX_VALUE)
            .withDefault("67108864")
            .doc("Request bytes of brokers and the controller in memory; at the limit the broker reads no more.");
    static final ConfigKey<Integer> FETCH_MAX_BYTES = ConfigKey.integer("fetch.max.bytes", 1_024, Integer.MAX_VALUE)
            .withDefault("57671680")
            .doc("Largest answer to a consumer's fetch.");

    static final ConfigKey<Boolean> CONTROLLED_SHUTDOWN_ENABLE = ConfigKey.bool("controlled.shutdown.enable")
            .withDefault("true")
            .doc("Whether a broker hands its leaders over before it stops.");
    static final ConfigKey<Integer> CONTROLLED_SHUTDOWN_MAX_RETRIES = ConfigKey.integer(
                    "controlled.shutdown.max.retries", 0, 100)
            .withDefault("3")
            .doc("Attempts to hand leaders over after the first.");
    static final ConfigKey<Duration> CONTROLLED_SHUTDOWN_RETRY_BACKOFF = ConfigKey.millis(
                    "controlled.shutdown.retry.backoff.ms", 0)
            .withDefault("5000")
            .doc("Pause between two attempts to hand leaders over.");

    static final ConfigKey<String> FILE_FAULTS = ConfigKey.string("internal.file.faults")
            .withDefault("")
            .hidden()
            .doc("For tests: file operations that go wrong.");
    static final ConfigKey<Boolean> HOLD_UNFORCED_WRITES = ConfigKey.bool("internal.file.hold.unforced")
            .withDefault("false")
            .hidden()
            .doc("For tests: unforced writes die with the process.");

    static final ConfigDef ALL = new ConfigDef(List.of(
            BROKER_ID,
            BROKER_RACK,
            LOG_DIRS,
            ZOOKEEPER_CONNECT,
            ZOOKEEPER_SESSION_TIMEOUT,
            CONTROLLER_FAST_DETECTION,
            AUTO_LEADER_REBALANCE,
            LEADER_IMBALANCE_CHECK_INTERVAL,
            LISTENERS,
            ADVERTISED_LISTENERS,
            PEER_LISTENERS,
            PEER_ADVERTISED_LISTENERS,
            HTTP_LISTENERS,
            HTTP_ADVERTISED_LISTENERS,
            NUM_PARTITIONS,
            DEFAULT_REPLICATION_FACTOR,
            MIN_INSYNC_REPLICAS,
            UNCLEAN_LEADER_ELECTION,
            REPLICA_LAG_TIME_MAX,
            NUM_REPLICA_FETCHERS,
            REPLICA_FETCH_MAX_BYTES,
            REPLICA_FETCH_RESPONSE_MAX_BYTES,
            REPLICA_FETCH_WAIT_MAX,
            REPLICA_FETCH_MIN_BYTES,
            REPLICA_FETCH_BACKOFF,
            REPLICA_TRUNCATION,
            HIGH_WATERMARK_CHECKPOINT_INTERVAL,
            LOG_SEGMENT_BYTES,
            LOG_INDEX_INTERVAL_BYTES,
            LOG_INDEX_SIZE_MAX_BYTES,
            MESSAGE_MAX_BYTES,
            LOG_SEGMENT_DELETE_DELAY,
            LOG_RETENTION_MS,
            LOG_RETENTION_BYTES,
            LOG_ROLL,
            LOG_ROLL_JITTER,
            LOG_TIMESTAMP_TYPE,
            LOG_TIMESTAMP_AFTER_MAX,
            LOG_CLEANUP_POLICY,
            LOG_CLEANER_MIN_CLEANABLE_RATIO,
            LOG_CLEANER_MIN_COMPACTION_LAG,
            LOG_CLEANER_MAX_COMPACTION_LAG,
            LOG_CLEANER_DELETE_RETENTION,
            LOG_CLEANER_THREADS,
            LOG_CLEANER_DEDUPE_BUFFER,
            LOG_CLEANER_IO_BUFFER,
            LOG_CLEANER_IO_MAX_BYTES_PER_SECOND,
            LOG_CLEANER_BACKOFF,
            LOG_RETENTION_CHECK_INTERVAL,
            LOG_SCRUB_BYTES_PER_SECOND,
            LOG_FLUSH_INTERVAL_MESSAGES,
            LOG_FLUSH_MODE,
            LOG_FLUSH_INTERVAL,
            LOG_FLUSH_OFFSET_CHECKPOINT_INTERVAL,
            NUM_RECOVERY_THREADS,
            PRODUCER_ID_EXPIRATION,
            QUEUED_MAX_REQUEST_BYTES,
            PEER_QUEUED_MAX_REQUEST_BYTES,
            FETCH_MAX_BYTES,
            CONTROLLED_SHUTDOWN_ENABLE,
            CONTROLLED_SHUTDOWN_MAX_RETRIES,
            CONTROLLED_SHUTDOWN_RETRY_BACKOFF,
            FILE_FAULTS,
            HOLD_UNFORCED_WRITES));

    private BrokerKeys() {}

    /** From a key's text, in the spelling that operators know. */
    static TimestampType timestampType(String text) {
        return switch (text) {
            case "CreateTime" -> TimestampType.CREATE_TIME;
            case "LogAppendTime" -> TimestampType.LOG_APPEND_TIME;
            default -> throw new IllegalArgumentException("expected CreateTime or LogAppendTime");
        };
    }

    private static ConfigKey<Endpoint> listener(String name, String scheme, int defaultPort) {
        return ConfigKey.of(name, scheme + "://host:port", text -> endpoint(text, scheme))
                .withDefault(scheme + "://127.0.0.1:" + defaultPort);
    }

    private static ConfigKey<Optional<Endpoint>> advertised(String name, String scheme) {
        return ConfigKey.of(
                        name,
                        scheme + "://host:port",
                        text -> text.isEmpty() ? Optional.<Endpoint>empty() : Optional.of(endpoint(text, scheme)))
                .withDefault("");
    }

    private static Endpoint endpoint(String text, String scheme) {
        String prefix = scheme + "://";
        if (!text.startsWith(prefix)) {
            throw new IllegalArgumentException("expected " + prefix + "host:port");
        }
        return Endpoint.parse(text.substring(prefix.length()));
    }

    private static String connectString(String text) {
        int slash = text.indexOf('/');
        String chroot = slash < 0 ? "" : text.substring(slash);
        if (chroot.endsWith("/") || chroot.contains("//")) {
            throw new IllegalArgumentException("expected a chroot like /path after the hosts");
        }
        Arrays.stream((slash < 0 ? text : text.substring(0, slash)).split(",", -1))
                .forEach(server -> Endpoint.parse(server.trim()));
        return text;
    }
}
