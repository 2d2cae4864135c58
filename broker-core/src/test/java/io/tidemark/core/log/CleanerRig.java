package io.tidemark.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.checkpoint.OffsetCheckpointFile;
import io.tidemark.core.config.CleanerConfig;
import io.tidemark.core.config.CleanupPolicy;
import io.tidemark.core.config.LogConfig;
import io.tidemark.core.log.cleaner.CleanerTarget;
import io.tidemark.core.log.cleaner.LogCleaner;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.ManualEventLoops;
import io.tidemark.model.TopicPartition;
import io.tidemark.record.Codec;
import io.tidemark.record.LogRecord;
import io.tidemark.record.ProducerStamp;
import io.tidemark.record.RecordBatch;
import io.tidemark.record.RecordBatchBuilder;
import io.tidemark.record.RecordBatches;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** A cleaner beside the logs of a {@link LogRig}, on the same clock. */
final class CleanerRig {
    static final Duration BACKOFF = Duration.ofSeconds(15);
    static final CleanerConfig CLEANER = new CleanerConfig(1, 1 << 16, 1_024, Long.MAX_VALUE, BACKOFF);
    private static final int MOST_STEPS = 20_000;

    final LogRig logs;
    final List<KafkaStorageException> storageFailures = new ArrayList<>();
    CleanerConfig config;
    UnaryOperator<List<CleanerTarget>> targets = UnaryOperator.identity();
    LogCleaner cleaner;
    private ManualEventLoops loops;

    CleanerRig(LogRig logs) {
        this(logs, CLEANER);
    }

    CleanerRig(LogRig logs, CleanerConfig config) {
        this.logs = logs;
        this.config = config;
        start();
    }

    /** Compacted, in small segments. */
    static LogConfig compacted(int segmentBytes) {
        LogConfig config = LogConfig.DEFAULTS.withSegmentBytes(segmentBytes).withIndex(1, 1 << 20);
        return config.with(config.compaction().withPolicy(CleanupPolicy.COMPACT).withMinDirtyRatio(0));
    }

    /** Begins with a new cleaner on the logs that there are now. */
    void start() {
        loops = new ManualEventLoops(logs.scheduler, (runner, failure) -> logs.failures.add(failure));
        cleaner = new LogCleaner(
                config,
                new LogCleaner.World(clock(), loops, storageFailures::add),
                () -> targets.apply(logs.directories.cleanerTargets()));
        cleaner.start();
    }

    ManualClock clock() {
        return logs.scheduler.clock();
    }

    /** Lets everything happen that is due up to the cleaner's next look, and that look. */
    void tick() {
        advance(BACKOFF);
    }

    /** Lets everything happen that is due within that time; fails if that does not come to an end. */
    void advance(Duration duration) {
        long endNs = clock().monotonicNs() + duration.toNanos();
        int steps = 0;
        while (step(Duration.ofNanos(endNs - clock().monotonicNs()))) {
            steps++;
            assertThat(steps).as("steps within %s", duration).isLessThan(MOST_STEPS);
        }
        loops.advance(Duration.ofNanos(endNs - clock().monotonicNs()));
    }

    /** Runs what is due now, one timer at most; false if none is. */
    boolean step() {
        return step(Duration.ZERO);
    }

    /** Runs what is due next, within that time, one timer at most; false if none is. */
    boolean step(Duration within) {
        loops.runAll();
        boolean ran = logs.scheduler.runNext(clock().monotonicNs() + within.toNanos());
        loops.runAll();
        return ran;
    }

    /** Nothing went wrong: no log is set aside, no thread is dead, no disk has failed. */
    void requireHealthy() {
        assertThat(cleaner.uncleanablePartitions()).as("logs set aside").isZero();
        assertThat(cleaner.deadThreads()).as("dead threads").isZero();
        assertThat(storageFailures).isEmpty();
        assertThat(logs.failures).isEmpty();
    }

    void stop() {
        cleaner.close(() -> {});
        loops.runAll();
    }

    /** Up to where the partition's log is clean, by the file. */
    OptionalLong checkpoint() {
        Map<TopicPartition, Long> recorded = checkpointFile().peek().value().orElseGet(TreeMap::new);
        Long offset = recorded.get(LogRig.PARTITION);
        return offset == null ? OptionalLong.empty() : OptionalLong.of(offset);
    }

    /** Starts again, cleanly, with that in the file. */
    void recordCheckpoint(long offset) {
        stop();
        logs.directories.closeCleanly();
        checkpointFile().write(Map.of(LogRig.PARTITION, offset));
        logs.start();
        start();
    }

    private OffsetCheckpointFile checkpointFile() {
        return new OffsetCheckpointFile(logs.io, LogRig.DIRECTORY, OffsetCheckpointFile.Kind.CLEANER);
    }

    /** A batch of {@code key=value} records; a key alone is a tombstone. */
    static ByteBuffer batch(Codec codec, ProducerStamp producer, long timestampMs, String... entries) {
        RecordBatchBuilder builder = new RecordBatchBuilder(codec, 1 << 21, 1 << 21);
        for (String entry : entries) {
            int at = entry.indexOf('=');
            ByteBuffer key = bytes(at < 0 ? entry : entry.substring(0, at));
            builder.tryAppend(timestampMs, key, at < 0 ? null : bytes(entry.substring(at + 1)), List.of());
        }
        return builder.build(producer);
    }

    static ByteBuffer batch(String... entries) {
        return batch(Codec.NONE, ProducerStamp.NONE, 1_000, entries);
    }

    /** Appends as the leader of epoch 0, and commits. */
    static void write(Log log, ByteBuffer batch) {
        LogRig.append(log, 0, batch);
        log.committedBound(log.end().offset());
    }

    static void write(Log log, String... entries) {
        write(log, batch(entries));
    }

    /** All batches from the start to the end. */
    static List<RecordBatch> batches(Log log) {
        List<RecordBatch> batches = new ArrayList<>();
        long offset = log.startOffset();
        while (offset < log.end().offset()) {
            ByteBuffer bytes = LogRig.read(log, offset).batches();
            if (!bytes.hasRemaining()) {
                break;
            }
            for (RecordBatch batch : RecordBatches.of(bytes)) {
                batches.add(batch);
                assertThat(batch.nextOffset()).as("behind %s", batch).isGreaterThan(offset);
                offset = batch.nextOffset();
            }
        }
        return batches;
    }

    /** {@code offset:key=value}, or {@code offset:key} for a tombstone, of all records at or above the start. */
    static List<String> records(Log log) {
        List<String> records = new ArrayList<>();
        for (RecordBatch batch : batches(log)) {
            for (LogRecord record : batch.records()) {
                if (record.offset() >= log.startOffset()) {
                    String value = record.value() == null ? "" : "=" + text(record.value());
                    records.add(record.offset() + ":" + text(record.key()) + value);
                }
            }
        }
        return records;
    }

    /** What somebody knows who has read everything. */
    static Map<String, String> replay(Log log) {
        Map<String, String> state = new LinkedHashMap<>();
        for (String record : records(log)) {
            String entry = record.substring(record.indexOf(':') + 1);
            int at = entry.indexOf('=');
            if (at < 0) {
                state.remove(entry);
            } else {
                state.put(entry.substring(0, at), entry.substring(at + 1));
            }
        }
        return state;
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(ByteBuffer bytes) {
        return bytes == null
                ? "null"
                : StandardCharsets.UTF_8.decode(bytes.duplicate()).toString();
    }
}
