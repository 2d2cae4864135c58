package io.tidemark.server.rpc;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.tidemark.model.ErrorCode;
import io.tidemark.runtime.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Counts and times the requests of one rpc. Thread-safe. */
final class RequestMeter {
    private static final Duration[] BUCKETS = {
        Duration.ofMillis(1),
        Duration.ofMillis(2),
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(20),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(200),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofSeconds(5),
        Duration.ofSeconds(30)
    };

    private final MeterRegistry registry;
    private final Clock clock;
    private final String rpc;
    private final Timer total;
    private volatile @Nullable Timer local;
    private volatile @Nullable Timer remote;
    private final Map<ErrorCode, Counter> requests = new ConcurrentHashMap<>();

    RequestMeter(MeterRegistry registry, Clock clock, String rpc) {
        this.registry = registry;
        this.clock = clock;
        this.rpc = rpc;
        this.total = phase("total");
        requests.put(ErrorCode.NONE, counter(ErrorCode.NONE));
    }

    String rpc() {
        return rpc;
    }

    /** When a request begins, for {@link #answered}. */
    long nowNs() {
        return clock.monotonicNs();
    }

    /** @param error the first error of the request's parts, or NONE */
    void answered(long begunAtNs, ErrorCode error) {
        total.record(Duration.ofNanos(Math.max(0, clock.monotonicNs() - begunAtNs)));
        requests.computeIfAbsent(error, this::counter).increment();
    }

    /**
     * What is done at once, on the transport's thread, is done: phase {@code local}.
     *
     * @return now, for {@link #waited}
     */
    long handled(long begunAtNs) {
        Timer timer = local;
        if (timer == null) {
            timer = phase("local");
            local = timer;
        }
        long nowNs = clock.monotonicNs();
        timer.record(Duration.ofNanos(Math.max(0, nowNs - begunAtNs)));
        return nowNs;
    }

    /** What a request waited for, other brokers above all, is there: phase {@code remote}. */
    void waited(long handledAtNs) {
        Timer timer = remote;
        if (timer == null) {
            timer = phase("remote");
            remote = timer;
        }
        timer.record(Duration.ofNanos(Math.max(0, clock.monotonicNs() - handledAtNs)));
    }

    private Timer phase(String phase) {
        return Timer.builder("tidemark.request")
                .description("time of requests, in all and by what it was spent on")
                .tag("rpc", rpc)
                .tag("phase", phase)
                .serviceLevelObjectives(BUCKETS)
                .register(registry);
    }

    private Counter counter(ErrorCode error) {
        return Counter.builder("tidemark.requests")
                .description("requests answered, by the first error of their parts")
                .tag("rpc", rpc)
                .tag("error", error.name())
                .register(registry);
    }
}
