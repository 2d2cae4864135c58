package io.tidemark.bench.logs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
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
 * Opens a log of which nothing is known to be durable: every batch is checked, and the indexes are made anew. The files are in the
 * page cache. Ours also forces what it has checked.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 3)
@Measurement(iterations = 5, time = 3)
public class RecoveryRace {
    @Param({"kafka", "tidemark"})
    private String system = "tidemark";

    @Param("16384")
    private int batchBytes;

    @Param("256")
    private int mebibytes;

    private RaceTrack track;
    private LogShape shape;
    private Path directory;
    private long endOffset;
    private MeasuredLog log;

    /** Writes the log, and leaves it. */
    @Setup
    public void write() throws IOException {
        track = RaceTrack.open();
        shape = RaceTrack.shape(mebibytes, LogShape.Policy.DELETE);
        directory = track.fresh("recovery");
        log = LogSystem.of(system).open(directory, shape, LogSystem.Stop.CLEAN);
        ByteBuffer batch = new Batches(batchBytes).plain();
        int batches = RaceTrack.batches(mebibytes, batch);
        for (int i = 0; i < batches; i++) {
            Batches.asSent(batch);
            log.append(batch);
        }
        log.settle();
        endOffset = log.endOffset();
        log.abandon();
    }

    /** Recovers it. */
    @Benchmark
    public long recover() throws IOException {
        log = LogSystem.of(system).open(directory, shape, LogSystem.Stop.UNCLEAN);
        return log.endOffset();
    }

    /** Leaves it again. */
    @TearDown(Level.Invocation)
    public void abandon() {
        if (log.endOffset() != endOffset) {
            throw new IllegalStateException("of " + endOffset + " records " + log.endOffset() + " were recovered");
        }
        log.abandon();
    }

    /** Removes it. */
    @TearDown
    public void remove() throws IOException {
        track.close();
    }
}
