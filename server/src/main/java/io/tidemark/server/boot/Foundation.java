package io.tidemark.server.boot;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.tidemark.core.config.BrokerConfig;
import io.tidemark.core.config.StorageConfig;
import io.tidemark.core.io.FaultFiles;
import io.tidemark.core.io.FaultPlan;
import io.tidemark.core.io.Files;
import io.tidemark.core.io.HoldingFiles;
import io.tidemark.core.metrics.LogMetrics;
import io.tidemark.core.metrics.LoopMetrics;
import io.tidemark.core.metrics.MeteredFiles;
import io.tidemark.core.runtime.FailureRouter;
import io.tidemark.core.runtime.StorageLatch;
import io.tidemark.core.runtime.SystemEventLoops;
import io.tidemark.core.runtime.SystemScheduler;
import io.tidemark.runtime.Clock;
import io.tidemark.runtime.EventLoops;
import io.tidemark.runtime.Randomness;
import io.tidemark.runtime.SystemClock;
import io.tidemark.runtime.SystemRandomness;
import io.tidemark.server.rpc.LoopPasses;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What everything else stands on: clock, chance, threads, files, meters, and what happens when a task fails. */
final class Foundation implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Foundation.class);
    private static final int SCHEDULER_THREADS = 2;
    private static final long MAX_HELD_BYTES_PER_FILE = 1L << 30;

    private final Clock clock = new SystemClock();
    private final Randomness randomness = new SystemRandomness();
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final StorageHalt storageHalt;
    private final StorageLatch storageFailures;
    private final FailureRouter failures;
    private final SystemScheduler scheduler;
    private final SystemEventLoops loops;
    private final Files files;
    private final LoopPasses passes = new LoopPasses();

    Foundation(BrokerConfig config, Files disk, IntConsumer halt) {
        storageHalt = new StorageHalt(halt);
        storageFailures = new StorageLatch(storageHalt);
        failures = new FailureRouter(storageFailures, broken -> {
            LOG.error("the process is not to be trusted any more: halting", broken);
            System.err.println("tidemark-server: " + broken + "; halting with status " + ExitStatus.FAILED);
            halt.accept(ExitStatus.FAILED);
        });
        scheduler = new SystemScheduler("tidemark-scheduler", SCHEDULER_THREADS, failures);
        loops = new SystemEventLoops(clock, failures, new LoopMetrics(registry));
        files = new MeteredFiles(files(config.storage(), disk), new LogMetrics(registry), clock);
    }

    private static Files files(StorageConfig config, Files disk) {
        Files files = disk;
        if (config.holdUnforcedWrites()) {
            files = new HoldingFiles(files, MAX_HELD_BYTES_PER_FILE);
        }
        return config.fileFaults().isEmpty()
                ? files
                : new FaultFiles(
                        files, FaultPlan.parse(config.fileFaults()), delay -> LockSupport.parkNanos(delay.toNanos()));
    }

    Clock clock() {
        return clock;
    }

    Randomness randomness() {
        return randomness;
    }

    PrometheusMeterRegistry prometheus() {
        return registry;
    }

    MeterRegistry registry() {
        return registry;
    }

    /** What ends the process; whoever meets a failure reports it to {@link #storageFailures}. */
    StorageHalt storageHalt() {
        return storageHalt;
    }

    /** To be told of every storage failure, by every part of the process. */
    StorageLatch storageFailures() {
        return storageFailures;
    }

    FailureRouter failures() {
        return failures;
    }

    SystemScheduler scheduler() {
        return scheduler;
    }

    EventLoops loops() {
        return loops;
    }

    /** Of the listeners' loops, once they are open. */
    LoopPasses passes() {
        return passes;
    }

    Files files() {
        return files;
    }

    @Override
    public void close() {
        scheduler.close();
        loops.close();
        registry.close();
    }
}
