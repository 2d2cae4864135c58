package io.tidemark.core.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;

/** How far each event loop is behind: {@code tidemark_executor_queue_size} by pool. Thread-safe. */
public final class LoopMetrics {
    private final MeterRegistry registry;
    private final Map<String, Gauge> queued = new ConcurrentHashMap<>();

    public LoopMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    /** A loop of that name runs from now on; {@code queuedTasks} is asked at every scrape. */
    public void opened(String loop, IntSupplier queuedTasks) {
        queued.computeIfAbsent(
                loop,
                name -> Gauge.builder("tidemark.executor.queue.size", queuedTasks::getAsInt)
                        .description("tasks that wait for a thread")
                        .tag("pool", name)
                        .register(registry));
    }

    /** The loop has ended. */
    public void closed(String loop) {
        Gauge gauge = queued.remove(loop);
        if (gauge != null) {
            registry.remove(gauge);
        }
    }
}
