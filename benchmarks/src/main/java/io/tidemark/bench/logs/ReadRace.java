package io.tidemark.bench.logs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Reads of a log in the page cache, of batches of 16 KiB in sealed segments. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 4, time = 2)
@Measurement(iterations = 5, time = 2)
public class ReadRace {
    private static final int BATCH_BYTES = 16 << 10;
    private static final int SEQUENTIAL_BYTES = 1 << 20;
    private static final int SEED = 42;

    @Param({"kafka", "tidemark"})
    private String system = "tidemark";

    @Param("256")
    private int mebibytes;

    private RaceTrack track;
    private MeasuredLog log;
    private int batchBytes;
    private int batchRecords;
    private int endOffset;
    private int firstSegmentOffsets;
    private Sequence sequence;

    /** Writes the log. */
    @Setup
    public void write() throws IOException {
        track = RaceTrack.open();
        LogShape shape = RaceTrack.shape(mebibytes, LogShape.Policy.DELETE);
        log = LogSystem.of(system).open(track.fresh("read"), shape, LogSystem.Stop.CLEAN);
        ByteBuffer batch = new Batches(BATCH_BYTES).plain();
        batchBytes = batch.remaining();
        batchRecords = Batches.records(batch);
        int batches = RaceTrack.batches(mebibytes, batch);
        for (int i = 0; i < batches; i++) {
            Batches.asSent(batch);
            log.append(batch);
        }
        log.settle();
        endOffset = Math.toIntExact(log.endOffset());
        firstSegmentOffsets = shape.segmentBytes() / batchBytes * batchRecords;
        sequence = new Sequence(SEED);
    }

    /** The whole log, from front to end, up to 1 MiB at a time. */
    @Benchmark
    public long sequential() throws IOException {
        long offset = 0;
        while (offset < endOffset) {
            int whole = log.read(offset, SEQUENTIAL_BYTES).remaining() / batchBytes;
            offset += (long) whole * batchRecords;
        }
        return offset;
    }

    /** The batch that holds an offset, which may be any. */
    @Benchmark
    public ByteBuffer random() throws IOException {
        return log.read(sequence.next(endOffset), batchBytes);
    }

    /** The index of a sealed segment alone. */
    @Benchmark
    public int lookUp() throws IOException {
        return log.lookUp(sequence.next(firstSegmentOffsets));
    }

    /** Closes the log and removes what it wrote. */
    @TearDown
    public void remove() throws IOException {
        log.close();
        track.close();
    }
}
