package io.tidemark.core.log;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.log.segment.BadStretch;
import io.tidemark.core.log.segment.Segment;
import io.tidemark.core.log.segment.SegmentSpace;
import io.tidemark.core.runtime.Invariant;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.model.TopicPartition;
import io.tidemark.runtime.Scheduler;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the parts of one log share: the published view, the lock that every writer holds, and the fence.
 *
 * <p>What has to happen outside the log (scheduling, above all) is put off while the lock is held and done by {@link #unlock()}
 * (DESIGN section 2, rule 5).
 */
final class LogState {
    private static final Logger LOG = LoggerFactory.getLogger(LogState.class);

    final TopicPartition partition;
    final SegmentSpace space;
    final Scheduler scheduler;
    final ProducerStates producers;
    final LogHealth health = new LogHealth();

    private final ReentrantLock lock = new ReentrantLock();
    private final Queue<Runnable> putOff = new ArrayDeque<>();
    private volatile LogView view;
    private volatile LogConfig config;
    private volatile long truncations;
    private volatile long committedBound;
    private volatile @Nullable KafkaStorageException failure;
    private volatile boolean closed;

    /** A log that nobody knows yet, as it was loaded. */
    LogState(LogContext context, LogView view, ProducerStates producers) {
        this.partition = context.partition();
        this.space = context.space();
        this.scheduler = context.scheduler();
        this.config = context.config();
        this.producers = producers;
        this.view = view;
        this.committedBound = view.startOffset();
        for (Segment segment : view.segments().all()) {
            for (BadStretch bad : segment.bad()) {
                health.add(view, segment, LogHealth.damage(segment, bad), () -> true);
            }
        }
    }

    void lock() {
        lock.lock();
    }

    /** Releases the lock, then does what was put off meanwhile. */
    void unlock() {
        if (putOff.isEmpty()) {
            lock.unlock();
            return;
        }
        Queue<Runnable> tasks = new ArrayDeque<>(putOff);
        putOff.clear();
        lock.unlock();
        tasks.forEach(Runnable::run);
    }

    /** Has {@code task} run once the lock is released. */
    void afterUnlock(Runnable task) {
        requireLocked();
        putOff.add(task);
    }

    void requireLocked() {
        Invariant.check(lock.isHeldByCurrentThread(), "the log's lock is held");
    }

    /** The published view of a log that works. */
    LogView view() {
        requireUsable();
        return view;
    }

    /** The published view, whatever became of the log. */
    LogView lastView() {
        return view;
    }

    void publish(LogView next) {
        requireLocked();
        view = next;
    }

    long truncations() {
        return truncations;
    }

    /** Says that bytes of the view published before are about to change; after the view without them was published. */
    void countTruncation() {
        requireLocked();
        long count = truncations;
        truncations = count + 1;
    }

    long committedBound() {
        return committedBound;
    }

    void committedBound(long offset) {
        committedBound = offset;
    }

    LogConfig config() {
        return config;
    }

    void config(LogConfig changed) {
        config = changed;
    }

    boolean isClosed() {
        return closed;
    }

    void markClosed() {
        requireLocked();
        closed = true;
    }

    /** Throws if the log is fenced by a storage failure, or closed. */
    void requireUsable() {
        KafkaStorageException fence = failure;
        if (fence != null) {
            throw new KafkaStorageException("log " + partition + " is fenced since: " + fence.getMessage());
        }
        if (closed) {
            throw new LogClosedException(partition);
        }
    }

    /**
     * Fences the log: nothing works any more (KAFKA-10778). For whatever broke off a change half-way, bugs included. Once the log is
     * closed its files may be gone, and what fails then is no failure of the disk.
     *
     * @return what the caller, who holds the lock, throws
     */
    RuntimeException fence(String action, Exception cause) {
        requireLocked();
        if (cause instanceof LogClosedException late) {
            return late;
        }
        if (closed && (cause instanceof IOException || cause instanceof KafkaStorageException)) {
            LOG.debug("{} was closed meanwhile: {}", partition, action, cause);
            return new LogClosedException(partition);
        }
        KafkaStorageException storageFailure = cause instanceof KafkaStorageException known
                ? known
                : new KafkaStorageException(action, space.directory(), cause);
        if (failure == null) {
            failure = storageFailure;
        }
        return cause instanceof RuntimeException unchecked ? unchecked : storageFailure;
    }

    /** As {@link #fence}, for a caller without the lock. */
    RuntimeException fenceUnlocked(String action, Exception cause) {
        lock();
        try {
            return fence(action, cause);
        } finally {
            unlock();
        }
    }
}
