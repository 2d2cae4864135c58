package io.tidemark.core.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemark.core.io.FileHandle;
import io.tidemark.core.io.Files;
import io.tidemark.core.io.SimDisk;
import io.tidemark.core.testkit.ManualClock;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class MetersTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @Test
    void shouldCountWhatLogsDoToTheDisks() {
        // given
        LogMetrics metrics = new LogMetrics(registry);

        // when
        metrics.appended(300, Duration.ofMillis(2));
        metrics.appended(50, Duration.ofMillis(1));
        metrics.flushed(Duration.ofMillis(7));

        // then
        assertThat(registry.get("tidemark.log.appended.bytes").counter().count())
                .isEqualTo(350);
        assertThat(registry.get("tidemark.log.append").timer().totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(3);
        assertThat(registry.get("tidemark.log.flush").timer().totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(7);
    }

    @Test
    void shouldCountWhatWentByReason() {
        // given
        HousekeepingMetrics metrics = new HousekeepingMetrics(registry, List.of("time", "size"));

        // when
        metrics.removed("time", 2, 300);
        metrics.expired(4);
        metrics.failed();

        // then
        assertThat(registry.get("tidemark.log.retention.deleted.segments")
                        .tag("reason", "time")
                        .counter()
                        .count())
                .isEqualTo(2);
        assertThat(registry.get("tidemark.log.retention.deleted.bytes")
                        .tag("reason", "time")
                        .counter()
                        .count())
                .isEqualTo(300);
        assertThat(registry.get("tidemark.log.retention.deleted.bytes")
                        .tag("reason", "size")
                        .counter()
                        .count())
                .isZero();
        assertThat(registry.get("tidemark.log.producers.expired").counter().count())
                .isEqualTo(4);
        assertThat(registry.get("tidemark.log.housekeeping.failures").counter().count())
                .isEqualTo(1);
        assertThatThrownBy(() -> metrics.removed("age", 1, 1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldMeasureAppendsToSegmentsAlone() throws Exception {
        // given
        ManualClock clock = new ManualClock();
        Files files = new MeteredFiles(new SimDisk(), new LogMetrics(registry), clock);
        files.createDirectory(Path.of("/d"));

        // when
        try (FileHandle segment = files.openForAppend(Path.of("/d/00000000000000000000.log"));
                FileHandle index = files.openForAppend(Path.of("/d/00000000000000000000.index"))) {
            segment.append(ByteBuffer.allocate(10), ByteBuffer.allocate(5));
            segment.force();
            index.append(ByteBuffer.allocate(8));
            index.force();
            assertThat(segment.size()).isEqualTo(15);
        }

        // then
        assertThat(registry.get("tidemark.log.appended.bytes").counter().count())
                .isEqualTo(15);
        assertThat(registry.get("tidemark.log.append").timer().count()).isEqualTo(1);
        assertThat(registry.get("tidemark.log.flush").timer().count()).isEqualTo(1);
    }

    @Test
    void shouldShowALoopWhileItRuns() {
        // given
        LoopMetrics metrics = new LoopMetrics(registry);
        int[] queued = {3};

        // when
        metrics.opened("fetcher-1", () -> queued[0]);

        // then
        assertThat(registry.get("tidemark.executor.queue.size")
                        .tag("pool", "fetcher-1")
                        .gauge()
                        .value())
                .isEqualTo(3);
        queued[0] = 0;
        assertThat(registry.get("tidemark.executor.queue.size").gauge().value()).isZero();
        metrics.closed("fetcher-1");
        metrics.closed("fetcher-1");
        assertThat(registry.find("tidemark.executor.queue.size").gauge()).isNull();
    }
}
