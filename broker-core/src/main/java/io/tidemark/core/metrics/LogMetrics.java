package io.tidemark.core.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;

/** What the logs of a broker do to its disks. Thread-safe. */
public final class LogMetrics {
    private static final Duration[] BUCKETS = {
        Duration.ofNanos(100_000),
        Duration.ofMillis(1),
        Duration.ofMillis(5),
        Duration.ofMillis(20),
        Duration.ofMillis(100),
        Duration.ofMillis(500),
        Duration.ofSeconds(2),
        Duration.ofSeconds(10)
    };

    private final Counter appendedBytes;
    private final Timer appends;
    private final Timer flushes;

    public LogMetrics(MeterRegistry registry) {
        appendedBytes = Counter.builder("tidemark.log.appended.bytes")
                .description("bytes appended, as leader or follower")
                .register(registry);
        appends = timer(registry, "tidemark.log.append", "time to hand an append to the file system");
        flushes = timer(registry, "tidemark.log.flush", "time to force a segment to disk");
    }

    private static Timer timer(MeterRegistry registry, String name, String description) {
        return Timer.builder(name)
                .description(description)
                .serviceLevelObjectives(BUCKETS)
                .register(registry);
    }

    public void appended(long sizeBytes, Duration duration) {
        appendedBytes.increment((double) sizeBytes);
        appends.record(duration);
    }

    public void flushed(Duration duration) {
        flushes.record(duration);
    }
}
