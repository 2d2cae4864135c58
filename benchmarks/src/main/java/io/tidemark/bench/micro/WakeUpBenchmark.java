package io.tidemark.bench.micro;

import io.tidemark.core.purgatory.Completion;
import io.tidemark.core.purgatory.DelayedOperation;
import io.tidemark.core.purgatory.Purgatory;
import io.tidemark.model.TopicPartition;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.SynchronousQueue;
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

/**
 * How long a fetch that waits takes to hear of a record: one thread parks the fetch, another moves the number and signals, the first
 * runs again. Each sample has both hand-overs between the threads in it, so it is an upper bound. Wanted: p99 below 2 ms.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class WakeUpBenchmark {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Duration FOR_EVER = Duration.ofHours(1);
    private static final TopicPartition PARTITION = new TopicPartition("benchmark", 0);
    private static final long PATIENCE_S = 10;

    /** Fetches that wait for the same partition, and for more than comes. */
    @Param({"0", "1000"})
    private int others;

    private final SynchronousQueue<Completion> woken = new SynchronousQueue<>();

    private ScratchPurgatory<Wait> scratch;
    private Purgatory<TopicPartition, Wait> purgatory;
    private ExecutorService appender;
    private volatile long highWatermark;

    /** Opens a purgatory in which the others wait. */
    @Setup
    public void open() {
        scratch = new ScratchPurgatory<>();
        appender = Executors.newSingleThreadExecutor();
        purgatory = scratch.purgatory();
        for (int i = 0; i < others; i++) {
            purgatory.checkAndMaybeWatch(new Wait(Long.MAX_VALUE, FOR_EVER), List.of(PARTITION));
        }
    }

    /** From the append, which is another thread's, to the fetch's answer on this one. */
    @Benchmark
    public Completion wakeUp() throws InterruptedException {
        long wanted = highWatermark + 1;
        purgatory.checkAndMaybeWatch(new Wait(wanted, TIMEOUT), List.of(PARTITION));
        appender.execute(() -> {
            highWatermark = wanted;
            purgatory.signal(PARTITION);
        });
        Completion completion = woken.poll(PATIENCE_S, TimeUnit.SECONDS);
        if (completion == null || completion.ending() != Completion.Ending.SATISFIED) {
            throw new IllegalStateException("ended by " + completion);
        }
        return completion;
    }

    /** Ends the threads. */
    @TearDown
    public void close() {
        appender.shutdown();
        scratch.close();
    }

    private final class Wait extends DelayedOperation {
        private final long wanted;

        Wait(long wanted, Duration timeout) {
            super(timeout);
            this.wanted = wanted;
        }

        @Override
        protected boolean isSatisfied() {
            return highWatermark >= wanted;
        }

        @Override
        protected void onComplete(Completion completion) {
            try {
                woken.put(completion);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
