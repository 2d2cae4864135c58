package io.tidemark.bench.micro;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.log.ReadRequest;
import io.tidemark.core.log.ReadResult;
import io.tidemark.record.Codec;
import io.tidemark.record.RecordBatch;
import io.tidemark.record.RecordBatches;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
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
 * Reads of a log of 2,048 batches of 16 KiB in segments of 8 MiB, out of the page cache: from front to back by 1 MiB, and one
 * batch at a time at random offsets. With {@code indexed} the offset index has its usual spacing, without it has no entry, so that each
 * look-up walks the headers from the front of its segment. The figures are per batch.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class LogReadBenchmark {
    private static final int BATCHES = 2_048;
    private static final int BATCH_BYTES = 16 * 1024;
    private static final int SEGMENT_BYTES = 8 << 20;
    private static final int FETCH_BYTES = 1 << 20;
    private static final int RECORD_BYTES = 100;
    private static final int VALUES = 1_000;
    private static final int INDEX_MAX_BYTES = 10 << 20;
    /** Of Knuth's 64-bit linear congruential generator. */
    private static final long MULTIPLIER = 6364136223846793005L;

    private static final long INCREMENT = 1442695040888963407L;

    @Param({"true", "false"})
    private boolean indexed;

    private ScratchLog scratch;
    private long state;

    /** Fills a log in a directory of its own. */
    @Setup
    public void fill() throws IOException {
        LogConfig segments = LogConfig.DEFAULTS.withSegmentBytes(SEGMENT_BYTES);
        scratch = new ScratchLog(indexed ? segments : segments.withIndex(Integer.MAX_VALUE, INDEX_MAX_BYTES));
        ByteBuffer batch = SampleBatches.batch(Codec.NONE, BATCH_BYTES, SampleBatches.values(VALUES, RECORD_BYTES));
        scratch.append(batch, BATCHES);
    }

    /** Reads everything, as a follower or a consumer does that is far behind. */
    @Benchmark
    @OperationsPerInvocation(BATCHES)
    public long sequential() {
        long bytes = 0;
        long offset = 0;
        while (offset < scratch.log().end().offset()) {
            ByteBuffer batches = read(offset, FETCH_BYTES);
            bytes += batches.remaining();
            for (RecordBatch batch : RecordBatches.of(batches)) {
                offset = batch.nextOffset();
            }
        }
        return bytes;
    }

    /** Reads the batch that holds some offset. */
    @Benchmark
    public int random() {
        state = state * MULTIPLIER + INCREMENT;
        long offset = Long.remainderUnsigned(state >>> 16, scratch.log().end().offset());
        return read(offset, BATCH_BYTES).remaining();
    }

    private ByteBuffer read(long offset, int maxBytes) {
        ReadResult result = scratch.log()
                .read(new ReadRequest(offset, maxBytes, ReadRequest.TO_END, ReadRequest.Minimum.ONE_BATCH));
        if (!(result instanceof ReadResult.Data data) || !data.batches().hasRemaining()) {
            throw new IllegalStateException("nothing is found at " + offset + ": " + result);
        }
        return data.batches();
    }

    /** Closes the log and removes what it wrote. */
    @TearDown
    public void remove() throws IOException {
        scratch.close();
    }
}
