package io.tidemark.server.boot;

import io.tidemark.core.config.BrokerConfig;
import io.tidemark.core.log.LogDirectories;
import io.tidemark.core.log.cleaner.LogCleaner;
import io.tidemark.core.metrics.CleanerMetrics;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The log cleaner of this broker. For the thread that starts and stops. */
final class CleanerRoom {
    private static final Logger LOG = LoggerFactory.getLogger(CleanerRoom.class);
    private static final long STOP_LIMIT_MS = 10_000;

    private final LogCleaner cleaner;

    CleanerRoom(BrokerConfig config, Foundation foundation, LogDirectories logs) {
        cleaner = new LogCleaner(
                config.cleaner(),
                new LogCleaner.World(foundation.clock(), foundation.loops(), foundation.storageFailures()),
                logs::cleanerTargets);
        CleanerMetrics.register(
                foundation.registry(),
                new CleanerMetrics.Sources(
                        cleaner::uncleanablePartitions,
                        cleaner::uncleanableBytes,
                        cleaner::maxDirtyRatio,
                        cleaner::secondsSinceLastRun,
                        cleaner::deadThreads));
    }

    void open() {
        cleaner.start();
    }

    /** Waits for the present steps; a pass that is broken off leaves the log as it was. */
    void close() throws InterruptedException {
        CountDownLatch running = new CountDownLatch(cleaner.threads());
        cleaner.close(running::countDown);
        if (!running.await(STOP_LIMIT_MS, TimeUnit.MILLISECONDS)) {
            LOG.warn("the cleaner did not stop in time; the logs are closed under it");
        }
    }
}
