package io.tidemark.server.rpc;

import io.micrometer.core.instrument.MeterRegistry;
import io.tidemark.runtime.Clock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Meters of requests by rpc: {@code tidemark_requests_total} and {@code tidemark_request_seconds}. Thread-safe. */
public final class RequestMeters {
    private final MeterRegistry registry;
    private final Clock clock;
    private final Map<String, RequestMeter> byRpc = new ConcurrentHashMap<>();

    public RequestMeters(MeterRegistry registry, Clock clock) {
        this.registry = registry;
        this.clock = clock;
    }

    /** @param rpc the method's name, which becomes the label */
    RequestMeter of(String rpc) {
        return byRpc.computeIfAbsent(rpc, name -> new RequestMeter(registry, clock, name));
    }
}
