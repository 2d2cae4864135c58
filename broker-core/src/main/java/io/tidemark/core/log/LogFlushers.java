package io.tidemark.core.log;

import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.core.runtime.StorageFailureHandler;
import io.tidemark.runtime.EventLoops;
import io.tidemark.runtime.Scheduler;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * The flushers of one broker: a thread for each log directory that forces logs in the background, so that nobody who handles
 * requests waits for a disk (DESIGN sections 5 and 7). Logs ask by themselves, by {@code log.flush.mode}, by count and by time;
 * followers in sync mode ask for what they have copied.
 *
 * <p>The first force that fails is the last: its log is fenced, the {@link StorageFailureHandler} is told, and nobody hears of a
 * forced end any more, of whatever directory (S15). Thread-safe; nothing waits.
 */
public final class LogFlushers implements AutoCloseable {
    private final StorageFailureHandler failures;
    private final SortedMap<Path, LogFlusher> byDirectory = new TreeMap<>();
    private final List<EventLoops.Loop> loops = new ArrayList<>();
    private volatile Consumer<Log> listener = log -> {};
    private volatile boolean over;

    private LogFlushers(StorageFailureHandler failures) {
        this.failures = failures;
    }

    /**
     * Flushers of those log directories with a loop each, named {@code log-flusher-0} and so on. The disk blocks these loops.
     */
    public static LogFlushers onLoops(List<Path> directories, EventLoops loops, StorageFailureHandler failures) {
        LogFlushers flushers = new LogFlushers(failures);
        for (Path directory : directories) {
            EventLoops.Loop loop = loops.open("log-flusher-" + flushers.loops.size());
            flushers.loops.add(loop);
            flushers.add(directory, loop);
        }
        return flushers;
    }

    /** Flushers of those log directories without threads of their own: the scheduler works for them, and hears of failures. */
    static LogFlushers onScheduler(List<Path> directories, Scheduler scheduler) {
        LogFlushers flushers = new LogFlushers(failure -> {
            throw failure;
        });
        directories.forEach(directory -> flushers.add(directory, task -> scheduler.schedule(Duration.ZERO, task)));
        return flushers;
    }

    private void add(Path directory, Executor thread) {
        byDirectory.put(directory, new LogFlusher(thread, new Told()));
    }

    /**
     * Who hears of each log that was forced here, on the flusher's thread and with no lock held: its {@link Log#forcedEnd()} may have
     * moved. One listener; it must not block.
     */
    public void onForced(Consumer<Log> told) {
        listener = told;
    }

    /**
     * Makes the ends of these logs, as they are now, durable.
     *
     * @param done called once, on any thread, when all of them are on disk or were closed; never after a storage failure
     */
    public void force(Collection<Log> logs, Runnable done) {
        if (logs.isEmpty()) {
            done.run();
            return;
        }
        AtomicInteger left = new AtomicInteger(logs.size());
        Runnable one = () -> {
            if (left.decrementAndGet() == 0) {
                done.run();
            }
        };
        logs.forEach(log -> of(log.logDirectory()).request(log, one));
    }

    /** The flusher of a log directory. */
    LogFlusher of(Path directory) {
        LogFlusher flusher = byDirectory.get(directory);
        if (flusher == null) {
            throw new IllegalArgumentException("not one of the log directories: " + directory);
        }
        return flusher;
    }

    /** Forces nothing more; a force that runs finishes, and nobody is told of it. Idempotent; does not wait. */
    @Override
    public void close() {
        over = true;
        loops.forEach(EventLoops.Loop::close);
    }

    /** What each flusher reports. */
    private final class Told implements LogFlusher.Outcomes {
        @Override
        public boolean isOver() {
            return over;
        }

        @Override
        public void onForced(Log log) {
            if (!over) {
                listener.accept(log);
            }
        }

        @Override
        public void onFailure(KafkaStorageException failure) {
            over = true;
            failures.onStorageFailure(failure);
        }
    }
}
