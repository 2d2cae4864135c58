package io.tidemark.bench.micro;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.io.DiskFiles;
import io.tidemark.core.log.AppendResult;
import io.tidemark.core.log.LoadProgress;
import io.tidemark.core.log.Log;
import io.tidemark.core.log.LogDirectories;
import io.tidemark.core.runtime.SystemScheduler;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import io.tidemark.record.Codec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Appends of a leader to a log on the disk, to the page cache that is: nothing is forced. An invocation appends 256 batches to
 * an empty log, which bounds what lies on the disk; the figures are per batch. {@code java.io.tmpdir} says on which disk.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class LogAppendBenchmark {
    private static final int APPENDS = 256;
    private static final int RECORD_BYTES = 100;
    private static final int VALUES = 1_000;
    private static final int EPOCH = 1;
    private static final TopicPartition PARTITION = new TopicPartition("benchmark", 0);

    @Param({"1024", "16384", "262144"})
    private int batchBytes;

    private Path directory;
    private SystemScheduler scheduler;
    private LogDirectories logs;
    private Log log;
    private ByteBuffer batch;

    /** Opens a log in a directory of its own. */
    @Setup
    public void open() throws IOException {
        directory = Files.createTempDirectory("tidemark-append");
        scheduler = new SystemScheduler("benchmark", 1, (runner, failure) -> failure.printStackTrace());
        LogConfig config = LogConfig.DEFAULTS.withDeleteDelay(Duration.ZERO);
        LogDirectories.Settings settings = LogDirectories.Settings.of(List.of(directory), config);
        logs = LogDirectories.load(new DiskFiles(), scheduler, settings, Runnable::run, LoadProgress.SILENT);
        log = logs.open(PARTITION, new TopicId(1, 1), config);
        log.becomeLeader(EPOCH);
        batch = SampleBatches.batch(Codec.NONE, batchBytes, SampleBatches.values(VALUES, RECORD_BYTES));
    }

    /** Empties the log. */
    @Setup(Level.Invocation)
    public void empty() {
        log.truncateFullyAndStartAt(0);
    }

    /** Appends the same batch again and again: the log gives it its next offsets each time. */
    @Benchmark
    @OperationsPerInvocation(APPENDS)
    public long append() {
        for (int i = 0; i < APPENDS; i++) {
            if (!(log.appendAsLeader(batch, EPOCH) instanceof AppendResult.Appended)) {
                throw new IllegalStateException("the log refused a batch");
            }
        }
        return log.end().offset();
    }

    /** Closes the log and removes what it wrote. */
    @TearDown
    public void remove() throws IOException {
        logs.closeAtOnce();
        scheduler.close();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
