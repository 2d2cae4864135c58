package io.tidemark.server.http;

import com.sun.management.UnixOperatingSystemMXBean;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import java.lang.management.ManagementFactory;

/** Meters of the process itself: {@code jvm_*}, {@code process_*}, {@code system_*}. */
public final class JvmMeters implements AutoCloseable {
    private final JvmGcMetrics gc = new JvmGcMetrics();

    public JvmMeters(MeterRegistry registry) {
        new ClassLoaderMetrics().bindTo(registry);
        new JvmMemoryMetrics().bindTo(registry);
        gc.bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        files(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
    }

    /** Under the names that dashboards know, and only where the system counts descriptors. */
    private static void files(MeterRegistry registry) {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
            Gauge.builder("process.open.fds", system, UnixOperatingSystemMXBean::getOpenFileDescriptorCount)
                    .description("file descriptors that are open")
                    .register(registry);
            Gauge.builder("process.max.fds", system, UnixOperatingSystemMXBean::getMaxFileDescriptorCount)
                    .description("file descriptors that may be open")
                    .register(registry);
        }
    }

    /** Listens to the collector no more. */
    @Override
    public void close() {
        gc.close();
    }
}
