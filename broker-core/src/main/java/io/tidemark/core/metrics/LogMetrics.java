package io.tidemark.core.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;

/** What the logs of a broker do to its disks. Thread-safe. */
public final class LogMetrics {
    private final Counter appendedBatches;
    private final Counter appendedBytes;
    private final Counter storageFailures;
    private final Timer flushes;

    public LogMetrics(MeterRegistry registry) {
        appendedBatches = Counter.builder("tidemark.log.appended.batches")
                .description("batches appended, as leader or follower")
                .register(registry);
        appendedBytes = Counter.builder("tidemark.log.appended.bytes")
                .description("bytes appended, as leader or follower")
                .baseUnit("bytes")
                .register(registry);
        storageFailures = Counter.builder("tidemark.log.storage.failures")
                .description("disk errors under a log, index or checkpoint")
                .register(registry);
        flushes = Timer.builder("tidemark.log.flushes")
                .description("time to force a log to disk")
                .register(registry);
    }

    public void appended(int batches, int sizeBytes) {
        appendedBatches.increment(batches);
        appendedBytes.increment(sizeBytes);
    }

    public void flushed(Duration duration) {
        flushes.record(duration);
    }

    public void storageFailed() {
        storageFailures.increment();
    }
}
