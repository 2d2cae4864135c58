package io.tidemark.bench.micro;

import io.tidemark.record.BatchValidation;
import io.tidemark.record.BatchValidator;
import io.tidemark.record.Codec;
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

/** The one pass that a broker makes over a batch's bytes: as heap bytes, and in a mapped or network buffer. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class CrcBenchmark {
    private static final int RECORD_BYTES = 100;
    private static final int VALUES = 1_000;

    @Param({"16384", "262144", "1048576"})
    private int batchBytes;

    private ByteBuffer heap;
    private ByteBuffer direct;

    /** Makes the same batch twice. */
    @Setup
    public void prepare() {
        heap = SampleBatches.batch(Codec.NONE, batchBytes, SampleBatches.values(VALUES, RECORD_BYTES));
        direct = ByteBuffer.allocateDirect(heap.remaining());
        direct.put(heap.duplicate()).flip();
    }

    /** CRC-32C of a batch on the heap. */
    @Benchmark
    public boolean heapCrc() {
        return RecordBatch.at(heap, 0).isCrcValid();
    }

    /** CRC-32C of a batch outside the heap. */
    @Benchmark
    public boolean directCrc() {
        return RecordBatch.at(direct, 0).isCrcValid();
    }

    /** All that a leader checks of a produced batch. */
    @Benchmark
    public BatchValidation validateProduced() {
        return BatchValidator.validateProduced(heap, heap.remaining());
    }
}
