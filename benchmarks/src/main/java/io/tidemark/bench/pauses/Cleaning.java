package io.tidemark.bench.pauses;

import io.tidemark.bench.disk.DiskLogs;
import io.tidemark.core.log.cleaner.LogCleaner;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The cleaner, with one thread and without a throttle, cleans the log to which is appended. */
final class Cleaning implements Disturbance {
    private static final Duration LOOK_AGAIN = Duration.ofMillis(5);
    private static final long STOP_LIMIT_SECONDS = 60;

    private final AppendedLog appended;
    private final DiskLogs disk;
    private final long bytes;

    /** @param bytes that are there to be cleaned */
    Cleaning(AppendedLog appended, DiskLogs disk, long bytes) {
        this.appended = appended;
        this.disk = disk;
        this.bytes = bytes;
    }

    @Override
    public String what() {
        return "the cleaner goes through " + (bytes >> 20) + " MiB";
    }

    @Override
    public AppendedLog log() {
        return appended;
    }

    @Override
    public void prepare() {
        appended.fill(bytes);
    }

    @Override
    public void run() {
        LogCleaner cleaner = new LogCleaner(
                DiskLogs.CLEANER,
                new LogCleaner.World(disk.clock(), disk.loops(), failure -> {
                    throw failure;
                }),
                disk.logs()::cleanerTargets);
        cleaner.start();
        while (cleaner.passes() == 0 && cleaner.uncleanablePartitions() == 0) {
            LockSupport.parkNanos(LOOK_AGAIN.toNanos());
        }
        CountDownLatch running = new CountDownLatch(cleaner.threads());
        cleaner.close(running::countDown);
        if (!awaitEnd(running) || cleaner.passes() == 0) {
            throw new IllegalStateException("the log was not cleaned");
        }
    }

    private static boolean awaitEnd(CountDownLatch running) {
        try {
            return running.await(STOP_LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
