package io.tidemark.bench.logs;

import io.tidemark.bench.disk.Workspace;
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
 * One pass of the cleaner over a log that was never cleaned, in batches of 16 KiB, each key about ten times: the offset map, the
 * copy, and its swap, forced as both systems do.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 4)
@Measurement(iterations = 5, time = 4)
public class CleanRace {
    private static final int BATCH_BYTES = 16 << 10;
    private static final int TIMES_EACH_KEY = 10;

    @Param({"kafka", "tidemark"})
    private String system = "tidemark";

    @Param("256")
    private int mebibytes;

    private RaceTrack track;
    private LogShape shape;
    private Path template;
    private MeasuredLog log;

    /** Writes the log, and closes it. */
    @Setup
    public void write() throws IOException {
        track = RaceTrack.open();
        shape = RaceTrack.shape(mebibytes, LogShape.Policy.COMPACT);
        template = track.fresh("template");
        Batches batches = new Batches(BATCH_BYTES);
        ByteBuffer first = batches.keyed(1);
        int count = RaceTrack.batches(mebibytes, first);
        int keys = Math.max(1, count * Batches.records(first) / TIMES_EACH_KEY);
        try (MeasuredLog written = LogSystem.of(system).open(template, shape, LogSystem.Stop.CLEAN)) {
            for (int i = 0; i < count; i++) {
                written.append(batches.keyed(keys));
            }
        }
    }

    /** Opens a copy of it. */
    @Setup(Level.Invocation)
    public void open() throws IOException {
        Path copy = track.fresh("copy");
        Workspace.copy(template, copy);
        log = LogSystem.of(system).open(copy, shape, LogSystem.Stop.CLEAN);
    }

    /** Cleans it. */
    @Benchmark
    public void clean() {
        log.compact();
    }

    /** Leaves it. */
    @TearDown(Level.Invocation)
    public void abandon() {
        log.abandon();
    }

    /** Removes everything. */
    @TearDown
    public void remove() throws IOException {
        track.close();
    }
}
