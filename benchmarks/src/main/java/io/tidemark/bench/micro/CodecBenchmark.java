package io.tidemark.bench.micro;

import io.tidemark.record.Codec;
import io.tidemark.record.LogRecord;
import io.tidemark.record.RecordBatch;
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
import org.openjdk.jmh.annotations.Warmup;

/** A batch of 100-byte records: made by a producer, read by a consumer, looked at by a broker. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class CodecBenchmark {
    private static final int RECORD_BYTES = 100;
    private static final int VALUES = 1_000;

    @Param
    private Codec codec = Codec.NONE;

    @Param({"16384", "262144"})
    private int batchBytes;

    private ByteBuffer[] values;
    private ByteBuffer batch;

    /** Makes what is read. */
    @Setup
    public void prepare() {
        values = SampleBatches.values(VALUES, RECORD_BYTES);
        batch = SampleBatches.batch(codec, batchBytes, values);
    }

    /** Records to bytes, compressed and with their CRC. */
    @Benchmark
    public ByteBuffer build() {
        return SampleBatches.batch(codec, batchBytes, values);
    }

    /** Bytes to records; answers the bytes of all values. */
    @Benchmark
    public long iterate() {
        long bytes = 0;
        for (LogRecord record : RecordBatch.at(batch, 0).records()) {
            ByteBuffer value = record.value();
            bytes += value == null ? 0 : value.remaining();
        }
        return bytes;
    }

    /** What a broker reads of a batch that it passes on. */
    @Benchmark
    public long viewHeader() {
        RecordBatch view = RecordBatch.at(batch, 0);
        return view.lastOffset() + view.partitionLeaderEpoch() + view.recordCount() + view.sizeBytes();
    }
}
