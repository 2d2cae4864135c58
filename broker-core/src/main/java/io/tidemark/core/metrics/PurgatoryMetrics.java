package io.tidemark.core.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.IntSupplier;

/** The waiting operations of one purgatory (S42). Thread-safe. */
public final class PurgatoryMetrics {
    private final MeterRegistry registry;
    private final String purgatory;
    private final Counter satisfied;
    private final Counter expired;
    private final Counter cancelled;
    private final Counter failed;
    private final Counter expiredTotal;

    /**
     * @param purgatory what waits in it, for example {@code produce}
     */
    public PurgatoryMetrics(MeterRegistry registry, String purgatory) {
        this.registry = registry;
        this.purgatory = purgatory;
        this.satisfied = ending("satisfied");
        this.expired = ending("expired");
        this.cancelled = ending("cancelled");
        this.failed = ending("failed");
        this.expiredTotal = Counter.builder("tidemark.purgatory.expired")
                .description("operations that ran out of time")
                .tag("op", purgatory)
                .register(registry);
    }

    private Counter ending(String ending) {
        return Counter.builder("tidemark.purgatory.completed")
                .description("operations that waited or were satisfied at once, by how it ended")
                .tag("op", purgatory)
                .tag("ending", ending)
                .register(registry);
    }

    /** Both sizes are asked at every scrape. */
    public void watch(IntSupplier watched, IntSupplier delayed) {
        Gauge.builder("tidemark.purgatory.watched", watched::getAsInt)
                .description("entries in watch lists: operations times the keys that they watch")
                .tag("op", purgatory)
                .register(registry);
        Gauge.builder("tidemark.purgatory.size", delayed::getAsInt)
                .description("operations that wait")
                .tag("op", purgatory)
                .register(registry);
    }

    /** An operation reached its number. */
    public void satisfied() {
        satisfied.increment();
    }

    /** An operation ran out of time. */
    public void expired() {
        expired.increment();
        expiredTotal.increment();
    }

    /** The caller of an operation vanished. */
    public void cancelled() {
        cancelled.increment();
    }

    /** An operation ended with an error. */
    public void failed() {
        failed.increment();
    }
}
