package io.tidemark.replication.fetch;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.io.FileHandle;
import io.tidemark.core.io.SimDisk;
import io.tidemark.core.log.LoadProgress;
import io.tidemark.core.log.Log;
import io.tidemark.core.log.LogDirectories;
import io.tidemark.core.log.LogRegistry;
import io.tidemark.core.log.ReadRequest;
import io.tidemark.core.log.ReadResult;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import io.tidemark.record.Codec;
import io.tidemark.record.ProducerStamp;
import io.tidemark.record.RecordBatch;
import io.tidemark.record.RecordBatchBuilder;
import io.tidemark.record.RecordBatches;
import io.tidemark.runtime.Scheduler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Logs on a simulated disk, in small segments, and what goes into them. */
public final class TestLogs {
    public static final TopicId TOPIC_ID = new TopicId(7, 7);

    private static final LogConfig SMALL_SEGMENTS =
            LogConfig.DEFAULTS.withSegmentBytes(512).withIndex(64, 1 << 10);

    private final SimDisk disk = new SimDisk();
    private LogRegistry registry;

    public TestLogs(Scheduler scheduler) {
        registry = load(scheduler);
    }

    private LogRegistry load(Scheduler scheduler) {
        LogDirectories.Settings settings = LogDirectories.Settings.of(List.of(Path.of("/logs")), SMALL_SEGMENTS);
        return LogDirectories.load(disk, scheduler, settings, Runnable::run, LoadProgress.SILENT);
    }

    /** A new process reads the logs again; nothing that was appended is lost. */
    public void restart(Scheduler scheduler) {
        disk.processCrash();
        registry = load(scheduler);
    }

    public Log open(TopicPartition partition) {
        return registry.open(partition, TOPIC_ID, SMALL_SEGMENTS);
    }

    public List<Log> all() {
        return registry.logs();
    }

    /** From now on appends fail. */
    public void fillDisk() {
        disk.limitCapacity(0);
    }

    /** The second half of a log's first segment is gone, as after a crash before it was forced. */
    public void loseHalf(TopicPartition partition) {
        try (FileHandle handle = disk.openForAppend(firstSegment(partition))) {
            handle.truncate(handle.size() / 2);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path firstSegment(TopicPartition partition) {
        return Path.of("/logs").resolve(partition.toString()).resolve("00000000000000000000.log");
    }

    /** Changes one bit of the first segment of a log. */
    public void flip(TopicPartition partition, int position) {
        try (FileHandle handle = disk.openForAppend(firstSegment(partition))) {
            ByteBuffer content = ByteBuffer.allocate((int) handle.size());
            handle.read(content, 0);
            content.put(position, (byte) (content.get(position) ^ 1));
            handle.truncate(0);
            handle.append(content.flip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A batch of records as a producer sends it. */
    public static ByteBuffer batch(String... values) {
        RecordBatchBuilder builder = new RecordBatchBuilder(Codec.NONE, 1 << 22, 1 << 22);
        for (String value : values) {
            builder.tryAppend(0, null, ByteBuffer.wrap(value.getBytes(StandardCharsets.UTF_8)), List.of());
        }
        return builder.build(ProducerStamp.NONE);
    }

    /** Everything in a log. */
    public static List<RecordBatch> batches(Log log) {
        ReadRequest all =
                new ReadRequest(log.startOffset(), 1 << 28, ReadRequest.TO_END, ReadRequest.Minimum.ONE_BATCH);
        List<RecordBatch> batches = new ArrayList<>();
        while (all.offset() < log.end().offset()) {
            ByteBuffer bytes = ((ReadResult.Data) log.read(all)).batches();
            RecordBatches.of(bytes).forEach(batches::add);
            long next = batches.get(batches.size() - 1).nextOffset();
            all = new ReadRequest(next, all.maxBytes(), all.limitOffset(), all.minimum());
        }
        return batches;
    }
}
