package io.tidemark.core.log;

import io.tidemark.core.runtime.KafkaStorageException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Forces the logs of one log directory, one after the other, on one thread (DESIGN section 5, "Sync mode").
 *
 * <p>Group commit: a log that is asked for several times while it waits is forced once, and what is asked for while its force runs
 * joins the next one. So there is at most one entry for each log, and each force covers everything that was appended before it
 * began. Logs are served in the order in which they were asked for; one that is asked for again goes to the end.
 *
 * <p>Thread-safe; asking never waits. Nothing is called while the monitor is held.
 */
final class LogFlusher {
    private final Executor thread;
    private final Outcomes outcomes;

    /** What is to be forced, with those who want to hear of each. Guarded by this, as is {@code running}. */
    private final Map<Log, List<Runnable>> waiting = new LinkedHashMap<>();

    private boolean running;

    /** Who hears what became of a force; called on the flusher's thread. */
    interface Outcomes {
        /** Whether nothing is forced and nobody told any more: a disk has failed. */
        boolean isOver();

        /** The log's {@link Log#forcedEnd()} covers whatever was appended before the force was asked for. */
        void onForced(Log log);

        /** The log is fenced; what it was asked to force is not certainly on disk. */
        void onFailure(KafkaStorageException failure);
    }

    /** What is forced next. */
    private record Next(Log log, List<Runnable> interested) {}

    /**
     * A flusher that has nothing to do.
     *
     * @param thread runs one task at a time, in order, and may be blocked by the disk
     */
    LogFlusher(Executor thread, Outcomes outcomes) {
        this.thread = thread;
        this.outcomes = outcomes;
    }

    /** Has everything forced that the log holds now. */
    void request(Log log) {
        enqueue(log, null);
    }

    /**
     * As {@link #request}.
     *
     * @param done called once, on the flusher's thread, when it is on disk or the log was closed; never after a storage failure
     */
    void request(Log log, Runnable done) {
        enqueue(log, done);
    }

    private void enqueue(Log log, @Nullable Runnable done) {
        synchronized (this) {
            List<Runnable> interested = waiting.computeIfAbsent(log, first -> new ArrayList<>(1));
            if (done != null) {
                interested.add(done);
            }
            if (running) {
                return;
            }
            running = true;
        }
        thread.execute(this::forceNext);
    }

    /** Each pass forces one log, so that whoever closes the thread finds an end soon. */
    private void forceNext() {
        try {
            Next next = take();
            if (!outcomes.isOver()) {
                force(next);
            }
        } finally {
            if (hasMore()) {
                thread.execute(this::forceNext);
            }
        }
    }

    private synchronized Next take() {
        Map.Entry<Log, List<Runnable>> first = waiting.entrySet().iterator().next();
        Next next = new Next(first.getKey(), first.getValue());
        waiting.remove(next.log);
        return next;
    }

    private synchronized boolean hasMore() {
        running = !waiting.isEmpty();
        return running;
    }

    private void force(Next next) {
        try {
            next.log.force();
        } catch (LogClosedException e) {
            // Deleted or closed meanwhile: it counts for nothing any more, and nobody is to be kept waiting for it.
            next.interested.forEach(Runnable::run);
            return;
        } catch (KafkaStorageException e) {
            outcomes.onFailure(e);
            return;
        } catch (RuntimeException e) {
            // A force that broke off half-way fences its log, whatever broke it off.
            outcomes.onFailure(new KafkaStorageException("force", next.log.logDirectory(), e));
            return;
        }
        outcomes.onForced(next.log);
        next.interested.forEach(Runnable::run);
    }
}
