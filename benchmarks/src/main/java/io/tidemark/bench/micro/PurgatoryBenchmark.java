package io.tidemark.bench.micro;

import io.tidemark.core.purgatory.Completion;
import io.tidemark.core.purgatory.DelayedOperation;
import io.tidemark.core.purgatory.Purgatory;
import io.tidemark.model.TopicPartition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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

/** The way of an acks=all produce through the purgatory: it waits for a number, the number moves, it is answered. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class PurgatoryBenchmark {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    @Param({"1", "6"})
    private int keys;

    private List<TopicPartition> partitions;
    private ScratchPurgatory<Wait> scratch;
    private Purgatory<TopicPartition, Wait> purgatory;
    private volatile long highWatermark;

    /** Opens an empty purgatory. */
    @Setup
    public void open() {
        scratch = new ScratchPurgatory<>();
        purgatory = scratch.purgatory();
        partitions = new ArrayList<>();
        for (int i = 0; i < keys; i++) {
            partitions.add(new TopicPartition("benchmark", i));
        }
    }

    /** Waits under every key, and is completed by a signal to the last. */
    @Benchmark
    public boolean watchAndComplete() {
        Wait wait = new Wait(highWatermark + 1);
        purgatory.checkAndMaybeWatch(wait, partitions);
        highWatermark = wait.wanted;
        purgatory.signal(partitions.get(keys - 1));
        return requireCompleted(wait);
    }

    /** Needs no waiting: the number was reached before. */
    @Benchmark
    public boolean satisfiedAtOnce() {
        Wait wait = new Wait(highWatermark);
        purgatory.checkAndMaybeWatch(wait, partitions);
        return requireCompleted(wait);
    }

    private static boolean requireCompleted(Wait wait) {
        if (!wait.isCompleted()) {
            throw new IllegalStateException("the operation still waits");
        }
        return true;
    }

    /** Ends the timer's thread. */
    @TearDown
    public void close() {
        scratch.close();
    }

    /** Waits for the high watermark. */
    private final class Wait extends DelayedOperation {
        private final long wanted;

        Wait(long wanted) {
            super(TIMEOUT);
            this.wanted = wanted;
        }

        @Override
        protected boolean isSatisfied() {
            return highWatermark >= wanted;
        }

        @Override
        protected void onComplete(Completion completion) {
            if (completion.ending() != Completion.Ending.SATISFIED) {
                throw new IllegalStateException("ended by " + completion);
            }
        }
    }
}
