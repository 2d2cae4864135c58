package io.tidemark.core.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class MetersTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @Test
    void shouldCountWhatLogsDoToTheDisks() {
        // given
        LogMetrics metrics = new LogMetrics(registry);

        // when
        metrics.appended(2, 300);
        metrics.appended(1, 50);
        metrics.flushed(Duration.ofMillis(7));
        metrics.storageFailed();

        // then
        assertThat(registry.get("tidemark.log.appended.batches").counter().count())
                .isEqualTo(3);
        assertThat(registry.get("tidemark.log.appended.bytes").counter().count())
                .isEqualTo(350);
        assertThat(registry.get("tidemark.log.flushes").timer().totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(7);
        assertThat(registry.get("tidemark.log.storage.failures").counter().count())
                .isEqualTo(1);
    }

    @Test
    void shouldShowALoopWhileItRuns() {
        // given
        LoopMetrics metrics = new LoopMetrics(registry);
        int[] queued = {3};

        // when
        metrics.opened("fetcher-1", () -> queued[0]);

        // then
        assertThat(registry.get("tidemark.loop.queued")
                        .tag("loop", "fetcher-1")
                        .gauge()
                        .value())
                .isEqualTo(3);
        queued[0] = 0;
        assertThat(registry.get("tidemark.loop.queued").gauge().value()).isZero();
        metrics.closed("fetcher-1");
        metrics.closed("fetcher-1");
        assertThat(registry.find("tidemark.loop.queued").gauge()).isNull();
    }
}
