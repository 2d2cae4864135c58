package io.tidemark.core.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Supplier;

/** How the log cleaner is doing: {@code tidemark_cleaner_*}. */
public final class CleanerMetrics {
    private CleanerMetrics() {}

    /**
     * What is asked at every scrape.
     *
     * @param uncleanablePartitions logs that are set aside
     * @param uncleanableBytes of these logs
     * @param maxDirtyRatio from 0 to 1
     * @param secondsSinceLastRun since the logs were last looked through
     * @param deadThreads threads that clean no more
     */
    public record Sources(
            Supplier<Number> uncleanablePartitions,
            Supplier<Number> uncleanableBytes,
            Supplier<Number> maxDirtyRatio,
            Supplier<Number> secondsSinceLastRun,
            Supplier<Number> deadThreads) {}

    /** Registers the gauges. */
    public static void register(MeterRegistry registry, Sources sources) {
        gauge(
                registry,
                "uncleanable.partitions",
                "logs that could not be cleaned and are set aside",
                sources.uncleanablePartitions());
        gauge(registry, "uncleanable.bytes", "bytes of the logs that are set aside", sources.uncleanableBytes());
        gauge(registry, "max.dirty.ratio", "largest dirty part among the compacted logs", sources.maxDirtyRatio());
        gauge(
                registry,
                "seconds.since.last.run",
                "time since the cleaner last looked for work",
                sources.secondsSinceLastRun());
        gauge(registry, "dead.threads", "threads of the cleaner that clean no more", sources.deadThreads());
    }

    private static void gauge(MeterRegistry registry, String name, String description, Supplier<Number> source) {
        Gauge.builder("tidemark.cleaner." + name, source)
                .description(description)
                .register(registry);
    }
}
