package io.tidemark.bench.compare;

import io.tidemark.runtime.Clock;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** What measuring needs of the machine. */
record Instruments(Clock clock, ProcFs proc, CpuMeter.Machine machine, Settings.Quiet quiet) {
    private static final Duration LOOK = Duration.ofSeconds(1);

    CpuMeter meter(Supplier<? extends Collection<Long>> cluster) throws IOException {
        return new CpuMeter(proc, clock, machine, cluster);
    }

    /** Waits until others leave the cores alone, or no longer than the settings say. */
    void awaitQuiet(Supplier<? extends Collection<Long>> cluster) throws IOException {
        long startNs = clock.monotonicNs();
        double other = quiet.percent() + 1;
        while (other > quiet.percent()
                && clock.monotonicNs() - startNs
                        < Duration.ofSeconds(quiet.waitSeconds()).toNanos()) {
            CpuMeter meter = meter(cluster);
            LockSupport.parkNanos(LOOK.toNanos());
            other = meter.usage().otherPercent();
        }
    }
}
