package io.tidemark.bench.logs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import kafka.log.Cleaner;
import kafka.log.LogToClean;
import kafka.log.UnifiedLog;
import kafka.server.BrokerTopicStats;
import kafka.server.RequestLocal;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.FileRecords;
import org.apache.kafka.common.record.MemoryRecords;
import org.apache.kafka.common.record.Records;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.common.MetadataVersion;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.CleanerConfig;
import org.apache.kafka.storage.internals.log.FetchIsolation;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.apache.kafka.storage.internals.log.LogOffsetsListener;
import org.apache.kafka.storage.internals.log.LogSegment;
import org.apache.kafka.storage.internals.log.OffsetMap;
import org.apache.kafka.storage.internals.log.ProducerStateManagerConfig;
import org.apache.kafka.storage.internals.log.SkimpyOffsetMap;
import org.apache.kafka.storage.internals.log.VerificationGuard;
import org.apache.kafka.storage.internals.utils.Throttler;
import org.jspecify.annotations.Nullable;
import scala.Option;
import scala.runtime.BoxedUnit;

/** Kafka 3.9.1's: a {@code UnifiedLog} as its {@code LogManager} makes one, and a {@code Cleaner} as its {@code LogCleaner} does. */
final class KafkaLog implements MeasuredLog {
    private static final TopicPartition PARTITION = new TopicPartition("bench", 0);
    private static final int TRANSACTION_TIMEOUT_MS = (int) TimeUnit.MINUTES.toMillis(15);
    private static final int PRODUCER_EXPIRATION_MS = (int) TimeUnit.DAYS.toMillis(1);
    private static final int PRODUCER_CHECK_MS = (int) TimeUnit.MINUTES.toMillis(10);
    private static final int FAILED_DIRECTORIES = 1;
    private static final long THROTTLE_CHECK_MS = 300;

    private final KafkaTasks tasks;
    private final UnifiedLog log;
    private final RequestLocal requestLocal = RequestLocal.withThreadConfinedCaching();
    private final @Nullable Cleaner cleaner;
    private @Nullable LogSegment first;

    private KafkaLog(KafkaTasks tasks, UnifiedLog log) {
        this.tasks = tasks;
        this.log = log;
        this.cleaner = log.config().compact ? cleaner(log.config()) : null;
    }

    /** Opens the log in a log directory, or makes one. */
    static KafkaLog open(Path directory, LogShape shape, LogSystem.Stop stop) {
        KafkaTasks tasks = new KafkaTasks();
        UnifiedLog log = UnifiedLog.apply(
                directory.resolve(PARTITION.toString()).toFile(),
                config(shape),
                0,
                0,
                tasks,
                new BrokerTopicStats(false),
                Time.SYSTEM,
                TRANSACTION_TIMEOUT_MS,
                new ProducerStateManagerConfig(PRODUCER_EXPIRATION_MS, false),
                PRODUCER_CHECK_MS,
                new LogDirFailureChannel(FAILED_DIRECTORIES),
                stop == LogSystem.Stop.CLEAN,
                Option.empty(),
                true,
                new ConcurrentHashMap<>(),
                false,
                LogOffsetsListener.NO_OP_OFFSETS_LISTENER);
        return new KafkaLog(tasks, log);
    }

    private static LogConfig config(LogShape shape) {
        return new LogConfig(Map.of(
                "segment.bytes",
                shape.segmentBytes(),
                "cleanup.policy",
                shape.policy() == LogShape.Policy.COMPACT ? "compact" : "delete"));
    }

    /** As {@code LogCleaner} makes the one of its only thread. */
    private static Cleaner cleaner(LogConfig config) {
        return new Cleaner(
                0,
                CleanerMemory.MAP,
                CleanerConfig.LOG_CLEANER_IO_BUFFER_SIZE / 2,
                config.maxMessageSize(),
                CleanerConfig.LOG_CLEANER_DEDUPE_BUFFER_LOAD_FACTOR,
                new Throttler(Double.MAX_VALUE, THROTTLE_CHECK_MS, "cleaner-io", "bytes", Time.SYSTEM),
                Time.SYSTEM,
                partition -> BoxedUnit.UNIT);
    }

    /** The map of a cleaner's thread, which is made once and lives as long as the process. */
    private static final class CleanerMemory {
        static final OffsetMap MAP = map();

        private static OffsetMap map() {
            try {
                return new SkimpyOffsetMap((int) CleanerConfig.LOG_CLEANER_DEDUPE_BUFFER_SIZE);
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every Java platform has MD5", e);
            }
        }
    }

    @Override
    public void append(ByteBuffer batch) {
        log.appendAsLeader(
                MemoryRecords.readableRecords(batch.duplicate()),
                EPOCH,
                AppendOrigin.CLIENT,
                MetadataVersion.LATEST_PRODUCTION,
                requestLocal,
                VerificationGuard.SENTINEL);
    }

    @Override
    public long endOffset() {
        return log.logEndOffset();
    }

    @Override
    public ByteBuffer read(long offset, int maxBytes) throws IOException {
        Records records = log.read(offset, maxBytes, FetchIsolation.LOG_END, true).records;
        ByteBuffer bytes = ByteBuffer.allocate(records.sizeInBytes());
        if (records instanceof FileRecords inFile) {
            inFile.readInto(bytes, 0);
        }
        return bytes;
    }

    @Override
    public int lookUp(long offset) throws IOException {
        LogSegment segment = first;
        if (segment == null) {
            segment = log.logSegments().iterator().next();
            first = segment;
        }
        return segment.offsetIndex().lookup(offset).position;
    }

    @Override
    public void empty() {
        log.truncateFullyAndStartAt(0, Option.empty());
        first = null;
    }

    @Override
    public void compact() {
        Objects.requireNonNull(cleaner)
                .clean(new LogToClean(PARTITION, log, 0, log.activeSegment().baseOffset(), false));
    }

    @Override
    public void settle() {
        tasks.runAll();
    }

    @Override
    public void abandon() {
        log.removeLogMetrics();
        log.closeHandlers();
    }

    @Override
    public void close() {
        settle();
        log.removeLogMetrics();
        log.flush(true);
        log.close();
    }
}
