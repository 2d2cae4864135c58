package io.tidemark.bench.micro;

import io.tidemark.core.config.LogConfig;
import io.tidemark.record.Codec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
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

    @Param({"1024", "16384", "262144"})
    private int batchBytes;

    private ScratchLog scratch;
    private ByteBuffer batch;

    /** Opens a log in a directory of its own. */
    @Setup
    public void open() throws IOException {
        scratch = new ScratchLog(LogConfig.DEFAULTS);
        batch = SampleBatches.batch(Codec.NONE, batchBytes, SampleBatches.values(VALUES, RECORD_BYTES));
    }

    /** Empties the log. */
    @Setup(Level.Invocation)
    public void empty() {
        scratch.log().truncateFullyAndStartAt(0);
    }

    /** Appends the same batch again and again: the log gives it its next offsets each time. */
    @Benchmark
    @OperationsPerInvocation(APPENDS)
    public long append() {
        scratch.append(batch, APPENDS);
        return scratch.log().end().offset();
    }

    /** Closes the log and removes what it wrote. */
    @TearDown
    public void remove() throws IOException {
        scratch.close();
    }
}
