package io.tidemark.bench.logs;

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
 * What a leader does with produced batches: checks them, gives them offsets, appends them. An operation fills an empty log; nothing
 * is forced, and no segment is rolled.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 5, time = 2)
public class AppendRace {
    private static final int SEGMENT_BYTES = 1 << 30;

    @Param({"kafka", "tidemark"})
    private String system = "tidemark";

    @Param({"16384", "1048576"})
    private int batchBytes;

    @Param("64")
    private int mebibytes;

    private RaceTrack track;
    private MeasuredLog log;
    private ByteBuffer batch;
    private int batches;

    /** Opens a log in a directory of its own. */
    @Setup
    public void open() throws IOException {
        track = RaceTrack.open();
        LogShape shape = new LogShape(SEGMENT_BYTES, LogShape.Policy.DELETE);
        log = LogSystem.of(system).open(track.fresh("append"), shape, LogSystem.Stop.CLEAN);
        batch = new Batches(batchBytes).plain();
        batches = RaceTrack.batches(mebibytes, batch);
    }

    /** Empties the log, and lets it do what it puts off. */
    @Setup(Level.Invocation)
    public void empty() {
        log.empty();
        log.settle();
    }

    /** Appends the same bytes again and again. */
    @Benchmark
    public long append() {
        for (int i = 0; i < batches; i++) {
            Batches.asSent(batch);
            log.append(batch);
        }
        return log.endOffset();
    }

    /** Closes the log and removes what it wrote. */
    @TearDown
    public void remove() throws IOException {
        log.close();
        track.close();
    }
}
