package io.tidemark.core.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** How far the scrubber of a broker has come. Thread-safe. */
public final class ScrubMetrics {
    private final Counter scrubbedBytes;

    public ScrubMetrics(MeterRegistry registry) {
        scrubbedBytes = Counter.builder("tidemark.log.scrubbed.bytes")
                .description("bytes of sealed segments that the scrubber has read and checked")
                .register(registry);
    }

    public void scrubbed(long sizeBytes) {
        scrubbedBytes.increment((double) sizeBytes);
    }
}
