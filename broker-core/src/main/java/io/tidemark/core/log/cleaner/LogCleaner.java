package io.tidemark.core.log.cleaner;

import io.tidemark.core.config.CleanerConfig;
import io.tidemark.core.runtime.StorageFailureHandler;
import io.tidemark.runtime.Clock;
import io.tidemark.runtime.EventLoops;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The log cleaner of a broker: compacts logs whose policy says so, each on one of {@code log.cleaner.threads} loops. Thread-safe
 * but for {@link #start} and {@link #close}.
 *
 * <p>A storage failure is handed on; a log that fails in any other way is set aside and shown by the metrics.
 */
public final class LogCleaner {
    private final CleanerConfig config;
    private final World world;
    private final CleanerBoard board;
    private volatile List<CleanerThread> threads = List.of();

    /** Time, threads, and who is told of a storage failure. */
    public record World(Clock clock, EventLoops loops, StorageFailureHandler storageFailures) {}

    /**
     * A cleaner that does nothing yet.
     *
     * @param targets all logs of the broker, asked at each look
     */
    public LogCleaner(CleanerConfig config, World world, Supplier<List<CleanerTarget>> targets) {
        this.config = config;
        this.world = world;
        this.board = new CleanerBoard(targets, world.clock());
    }

    /** Begins to clean. */
    public void start() {
        CleanerThread.Shared shared = new CleanerThread.Shared(
                board,
                new IoThrottle(world.clock(), config.ioMaxBytesPerSecond()),
                config.backoff(),
                world.storageFailures());
        List<CleanerThread> started = new ArrayList<>();
        for (int i = 0; i < config.threads(); i++) {
            CleaningTools tools =
                    new CleaningTools(new OffsetMap(config.dedupeBufferBytes() / config.threads()), ioBufferBytes());
            started.add(new CleanerThread(world.loops().open("tidemark-cleaner-" + i), shared, tools));
        }
        threads = List.copyOf(started);
        threads.forEach(CleanerThread::start);
    }

    /**
     * Ends all passes where they are, each behind its present step; nothing of them is left behind.
     *
     * @param ended run once for each thread that has ended
     */
    public void close(Runnable ended) {
        threads.forEach(thread -> thread.close(ended));
    }

    /** Threads of the cleaner. */
    public int threads() {
        return threads.size();
    }

    /** Logs that are set aside. */
    public int uncleanablePartitions() {
        return board.uncleanablePartitions();
    }

    /** Bytes of the logs that are set aside. */
    public long uncleanableBytes() {
        return board.uncleanableBytes();
    }

    /** The largest dirty ratio among the logs at the last look; a number from 0 to 1. */
    public double maxDirtyRatio() {
        return board.maxDirtyRatio();
    }

    /** Since the logs were last looked through. */
    public long secondsSinceLastRun() {
        return TimeUnit.NANOSECONDS.toSeconds(world.clock().monotonicNs() - board.lastLookNs());
    }

    /** Threads that will never clean again though nobody closed them. */
    public int deadThreads() {
        return (int) threads.stream().filter(CleanerThread::isDead).count();
    }

    /** Passes that came to their end. */
    public long passes() {
        return board.passes();
    }

    /** Checkpoints that did not fit their logs and were set right. */
    public long checkpointResets() {
        return board.resets();
    }

    /** For reading and for writing the same. */
    private int ioBufferBytes() {
        return Math.max(1, config.ioBufferBytes() / Math.max(1, 2 * config.threads()));
    }
}
