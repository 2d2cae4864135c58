package io.tidemark.replication.throttle;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.TimeUnit;

/**
 * What a broker's throttle does: {@code tidemark_reassignment_throttle_bytes}, the rate in force, and by direction what
 * passed under it and for how long nothing could.
 */
public final class ThrottleMetrics {
    private static final double NS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private ThrottleMetrics() {}

    /** All are asked at every scrape. */
    public static void register(MeterRegistry registry, ReplicationThrottle throttle) {
        Gauge.builder("tidemark.reassignment.throttle.bytes", throttle, ReplicationThrottle::bytesPerSecond)
                .description("bytes per second in each direction for throttled replicas; 0 without a throttle")
                .register(registry);
        register(registry, "out", throttle.outgoing());
        register(registry, "in", throttle.incoming());
    }

    private static void register(MeterRegistry registry, String direction, ThrottleLane lane) {
        FunctionCounter.builder("tidemark.reassignment.throttled.bytes", lane, ThrottleLane::passedBytes)
                .description("bytes of batches that were copied under the throttle")
                .tag("dir", direction)
                .register(registry);
        FunctionCounter.builder("tidemark.reassignment.throttled.seconds", lane, each -> each.shutNs() / NS_PER_SECOND)
                .description("time for which the throttle let nothing through")
                .tag("dir", direction)
                .register(registry);
    }
}
