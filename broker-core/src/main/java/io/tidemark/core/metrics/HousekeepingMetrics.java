package io.tidemark.core.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Collection;
import java.util.SortedMap;
import java.util.TreeMap;

/** What retention and the expiry of producers took away. Thread-safe. */
public final class HousekeepingMetrics {
    private final SortedMap<String, Taken> byReason = new TreeMap<>();
    private final Counter expiredProducers;
    private final Counter failures;

    /** What went for one reason. */
    private record Taken(Counter segments, Counter bytes) {}

    /** @param reasons all for which segments go */
    public HousekeepingMetrics(MeterRegistry registry, Collection<String> reasons) {
        for (String reason : reasons) {
            byReason.put(
                    reason,
                    new Taken(
                            Counter.builder("tidemark.log.retention.deleted.segments")
                                    .description("segments that retention took away")
                                    .tag("reason", reason)
                                    .register(registry),
                            Counter.builder("tidemark.log.retention.deleted.bytes")
                                    .description("bytes of batches that retention took away")
                                    .tag("reason", reason)
                                    .register(registry)));
        }
        expiredProducers = Counter.builder("tidemark.log.producers.expired")
                .description("states of idempotent producers that were forgotten for their silence")
                .register(registry);
        failures = Counter.builder("tidemark.log.housekeeping.failures")
                .description("logs that a pass of retention and expiry could not tend")
                .register(registry);
    }

    /** Segments went for one of the reasons. */
    public void removed(String reason, int segments, long sizeBytes) {
        Taken taken = byReason.get(reason);
        if (taken == null) {
            throw new IllegalArgumentException("a reason that was not announced: " + reason);
        }
        taken.segments().increment(segments);
        taken.bytes().increment((double) sizeBytes);
    }

    /** Producers were forgotten. */
    public void expired(int producers) {
        expiredProducers.increment(producers);
    }

    /** A log could not be tended. */
    public void failed() {
        failures.increment();
    }
}
