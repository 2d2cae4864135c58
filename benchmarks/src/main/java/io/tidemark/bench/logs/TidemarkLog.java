package io.tidemark.bench.logs;

import io.tidemark.bench.disk.DiskLogs;
import io.tidemark.core.config.CleanupPolicy;
import io.tidemark.core.config.LogConfig;
import io.tidemark.core.io.DiskFiles;
import io.tidemark.core.log.AppendResult;
import io.tidemark.core.log.LoadProgress;
import io.tidemark.core.log.Log;
import io.tidemark.core.log.LogDirectories;
import io.tidemark.core.log.ReadRequest;
import io.tidemark.core.log.ReadResult;
import io.tidemark.core.log.cleaner.LogCleaner;
import io.tidemark.core.log.segment.Segment;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import io.tidemark.record.BatchValidation;
import io.tidemark.record.BatchValidator;
import io.tidemark.record.DecodeLimits;
import io.tidemark.record.ProducedLimits;
import io.tidemark.runtime.Clock;
import io.tidemark.runtime.SystemClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Ours: the log of a broker's only log directory, with the checks of its produce handler in front. */
final class TidemarkLog implements MeasuredLog {
    private static final TopicPartition PARTITION = new TopicPartition("bench", 0);
    private static final TopicId TOPIC_ID = new TopicId(1, 1);

    private final HeldTasks tasks;
    private final LogDirectories logs;
    private final Log log;
    private final LogConfig config;
    private final Clock clock = new SystemClock();
    private final HeldTasks cleanerSteps = new HeldTasks();
    private final LogCleaner cleaner;
    private @Nullable Segment first;

    private TidemarkLog(HeldTasks tasks, LogDirectories logs, LogConfig config) {
        this.tasks = tasks;
        this.logs = logs;
        this.log = logs.open(PARTITION, TOPIC_ID, config);
        this.config = config;
        this.cleaner = new LogCleaner(
                DiskLogs.CLEANER,
                new LogCleaner.World(clock, name -> cleanerSteps.loop(), failure -> {
                    throw failure;
                }),
                logs::cleanerTargets);
        log.becomeLeader(EPOCH);
    }

    /** Opens the log in a log directory, or makes one. */
    static TidemarkLog open(Path directory, LogShape shape) {
        LogConfig config = LogConfig.DEFAULTS.withSegmentBytes(shape.segmentBytes());
        if (shape.policy() == LogShape.Policy.COMPACT) {
            config = config.with(config.compaction().withPolicy(CleanupPolicy.COMPACT));
        }
        HeldTasks tasks = new HeldTasks();
        LogDirectories logs = LogDirectories.load(
                new DiskFiles(),
                tasks,
                LogDirectories.Settings.of(List.of(directory), config),
                Runnable::run,
                LoadProgress.SILENT);
        return new TidemarkLog(tasks, logs, config);
    }

    @Override
    public void append(ByteBuffer batch) {
        BatchValidation validation = BatchValidator.validateProduced(batch, limits());
        if (!validation.isValid()) {
            throw new IllegalStateException(validation.toString());
        }
        AppendResult result = log.appendAsLeader(batch, EPOCH);
        if (!(result instanceof AppendResult.Appended)) {
            throw new IllegalStateException(result.toString());
        }
    }

    private ProducedLimits limits() {
        return new ProducedLimits(
                config.messages().maxBytes(),
                config.messages().latestTimestampMs(clock.wallMs()),
                config.compaction().policy().compacts() ? ProducedLimits.Keys.REQUIRED : ProducedLimits.Keys.OPTIONAL,
                DecodeLimits.DEFAULT);
    }

    @Override
    public long endOffset() {
        return log.end().offset();
    }

    @Override
    public ByteBuffer read(long offset, int maxBytes) {
        ReadResult result =
                log.read(new ReadRequest(offset, maxBytes, ReadRequest.TO_END, ReadRequest.Minimum.ONE_BATCH));
        if (result instanceof ReadResult.Data data) {
            return data.batches();
        }
        throw new IllegalStateException(result.toString());
    }

    @Override
    public int lookUp(long offset) throws IOException {
        Segment segment = first;
        if (segment == null) {
            segment = logs.cleanerTargets()
                    .get(0)
                    .log()
                    .snapshot()
                    .orElseThrow()
                    .segments()
                    .get(0);
            first = segment;
        }
        return segment.scanStart(offset);
    }

    @Override
    public void empty() {
        log.truncateFullyAndStartAt(0);
        first = null;
    }

    @Override
    public void compact() {
        log.committedBound(log.end().offset());
        cleaner.start();
        while (cleaner.passes() == 0 && cleanerSteps.runNext()) {
            // A pass is many short steps.
        }
        if (cleaner.passes() != 1) {
            throw new IllegalStateException("the log was not cleaned");
        }
    }

    @Override
    public void settle() {
        tasks.runAll();
    }

    @Override
    public void abandon() {
        logs.closeAtOnce();
    }

    @Override
    public void close() {
        settle();
        logs.closeCleanly();
    }
}
