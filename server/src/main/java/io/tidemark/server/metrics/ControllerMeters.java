package io.tidemark.server.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.tidemark.coordination.cluster.Notice;
import java.util.EnumMap;
import java.util.Map;

/** What this broker did as the controller that is worth counting. Thread-safe. */
public final class ControllerMeters {
    private final Map<Notice.Kind, Counter> notices = new EnumMap<>(Notice.Kind.class);
    private final Counter unclean;

    public ControllerMeters(MeterRegistry registry) {
        for (Notice.Kind kind : Notice.Kind.values()) {
            notices.put(
                    kind,
                    Counter.builder("tidemark.controller.notices")
                            .description("what the controller did out of the ordinary")
                            .tag("kind", kind.name())
                            .register(registry));
        }
        unclean = Counter.builder("tidemark.controller.unclean.elections")
                .description("replicas that lead though they may lack acknowledged records (I14)")
                .register(registry);
    }

    public void noticed(Notice notice) {
        Counter counter = notices.get(notice.kind());
        if (counter != null) {
            counter.increment();
        }
        if (notice.kind() == Notice.Kind.UNCLEAN_ELECTION) {
            unclean.increment();
        }
    }
}
