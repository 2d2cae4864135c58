package io.tidemark.bench.micro;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemark.core.metrics.PurgatoryMetrics;
import io.tidemark.core.purgatory.DelayedOperation;
import io.tidemark.core.purgatory.Purgatory;
import io.tidemark.core.runtime.SystemScheduler;
import io.tidemark.model.TopicPartition;
import io.tidemark.runtime.SystemClock;

/** A purgatory with a timer of its own. */
final class ScratchPurgatory<O extends DelayedOperation> implements AutoCloseable {
    private final SystemScheduler scheduler =
            new SystemScheduler("benchmark", 1, (runner, failure) -> failure.printStackTrace());
    private final Purgatory<TopicPartition, O> purgatory = new Purgatory<>(
            "benchmark",
            new SystemClock(),
            scheduler,
            (runner, failure) -> failure.printStackTrace(),
            new PurgatoryMetrics(new SimpleMeterRegistry(), "benchmark"));

    Purgatory<TopicPartition, O> purgatory() {
        return purgatory;
    }

    /** Ends the timer's thread. */
    @Override
    public void close() {
        scheduler.close();
    }
}
