package io.tidemark.bench.disk;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemark.core.config.CleanerConfig;
import io.tidemark.core.config.LogConfig;
import io.tidemark.core.io.DiskFiles;
import io.tidemark.core.log.LoadProgress;
import io.tidemark.core.log.LogDirectories;
import io.tidemark.core.log.LogFlushers;
import io.tidemark.core.metrics.LoopMetrics;
import io.tidemark.core.runtime.SystemEventLoops;
import io.tidemark.core.runtime.SystemScheduler;
import io.tidemark.runtime.Clock;
import io.tidemark.runtime.EventLoops;
import io.tidemark.runtime.SystemClock;
import io.tidemark.runtime.SystemRandomness;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The logs of one directory with the threads that a broker has for them. */
public final class DiskLogs implements AutoCloseable {
    /** The cleaner of a broker without any configured value: one thread, 128 MiB for its map, no throttle. */
    public static final CleanerConfig CLEANER =
            new CleanerConfig(1, 128L << 20, 512 << 10, Long.MAX_VALUE, Duration.ofSeconds(15));

    private static final int SCHEDULER_THREADS = 2;

    private final Clock clock = new SystemClock();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final SystemScheduler scheduler;
    private final SystemEventLoops loops;
    private final LogFlushers flushers;
    private final LogDirectories logs;

    /**
     * Loads what is there.
     *
     * @param config of each log that is there
     * @param loading runs the loading of each
     */
    public DiskLogs(Path directory, LogConfig config, Executor loading) {
        scheduler = new SystemScheduler("scheduler", SCHEDULER_THREADS, this::failed);
        loops = new SystemEventLoops(clock, this::failed, new LoopMetrics(new SimpleMeterRegistry()));
        flushers = LogFlushers.onLoops(List.of(directory), loops, cause -> failed("flusher", cause));
        logs = LogDirectories.load(
                new LogDirectories.World(new DiskFiles(), scheduler, new SystemRandomness(), flushers),
                LogDirectories.Settings.of(List.of(directory), config),
                loading,
                LoadProgress.SILENT);
    }

    /** The logs. */
    public LogDirectories logs() {
        return logs;
    }

    /** Loops with threads of their own. */
    public EventLoops loops() {
        return loops;
    }

    /** The clock of all this. */
    public Clock clock() {
        return clock;
    }

    /** Throws what went wrong on a thread in the background, if anything did. */
    public void requireSound() {
        Throwable cause = failure.get();
        if (cause != null) {
            throw new IllegalStateException("a task in the background failed", cause);
        }
    }

    /** Stops as a broker that is told to. */
    public void closeCleanly() {
        requireSound();
        flushers.close();
        logs.closeCleanly();
        close();
    }

    /** Lets go of everything as it is. Idempotent. */
    @Override
    public void close() {
        flushers.close();
        logs.closeAtOnce();
        scheduler.close();
        loops.close();
    }

    private void failed(String runner, Throwable cause) {
        failure.compareAndSet(null, cause);
        System.err.println(runner + ": " + cause);
    }
}
