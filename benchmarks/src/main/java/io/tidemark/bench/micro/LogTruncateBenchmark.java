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
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Truncations of a log of 64 batches of 16 KiB to the middle of it: inside its only segment, and across eight of sixteen, whose
 * files are renamed and the directory forced. Setting the log up again is not measured. The figures are per truncation.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class LogTruncateBenchmark {
    private static final int BATCHES = 64;
    private static final int BATCH_BYTES = 16 * 1024;
    private static final int RECORD_BYTES = 100;
    private static final int VALUES = 1_000;

    @Param({"1", "16"})
    private int segments;

    private ScratchLog scratch;
    private ByteBuffer batch;

    /** Opens a log in a directory of its own. */
    @Setup
    public void open() throws IOException {
        scratch = new ScratchLog(LogConfig.DEFAULTS.withSegmentBytes(BATCHES / segments * BATCH_BYTES));
        batch = SampleBatches.batch(Codec.NONE, BATCH_BYTES, SampleBatches.values(VALUES, RECORD_BYTES));
    }

    /** Fills the log anew. */
    @Setup(Level.Invocation)
    public void fill() {
        scratch.log().truncateFullyAndStartAt(0);
        scratch.append(batch, BATCHES);
    }

    /** Drops the later half. */
    @Benchmark
    public long truncate() {
        return scratch.log().truncateTo(scratch.log().end().offset() / 2).offset();
    }

    /** Closes the log and removes what it wrote. */
    @TearDown
    public void remove() throws IOException {
        scratch.close();
    }
}
