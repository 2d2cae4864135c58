package io.tidemark.server.rpc;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Publish calls that are not answered yet, so that a stop lets them be. Thread-safe. */
final class OpenPublishes {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition answered = lock.newCondition();
    private final Set<PublishStream> streams = new LinkedHashSet<>();
    private int unary;
    private boolean stopping;

    /** Counts a unary call in; false if the broker is stopping. */
    boolean tryBegin() {
        lock.lock();
        try {
            if (!stopping) {
                unary++;
            }
            return !stopping;
        } finally {
            lock.unlock();
        }
    }

    void end() {
        lock.lock();
        try {
            unary--;
            answered.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Counts a stream in; one that comes while the broker is stopping is told to finish. */
    void add(PublishStream stream) {
        boolean late;
        lock.lock();
        try {
            streams.add(stream);
            late = stopping;
        } finally {
            lock.unlock();
        }
        if (late) {
            stream.finish(Errors.shuttingDown());
        }
    }

    void remove(PublishStream stream) {
        lock.lock();
        try {
            streams.remove(stream);
            answered.signalAll();
        } finally {
            lock.unlock();
        }
    }

    int count() {
        lock.lock();
        try {
            return unary + streams.size();
        } finally {
            lock.unlock();
        }
    }

    /** Takes nothing new, and waits until everything is answered, at most {@code limit}. */
    void stop(Duration limit) {
        List<PublishStream> open;
        lock.lock();
        try {
            stopping = true;
            open = new ArrayList<>(streams);
        } finally {
            lock.unlock();
        }
        open.forEach(stream -> stream.finish(Errors.shuttingDown()));
        awaitNone(limit);
    }

    private void awaitNone(Duration limit) {
        lock.lock();
        try {
            long leftNs = limit.toNanos();
            while (unary + streams.size() > 0 && leftNs > 0) {
                leftNs = answered.awaitNanos(leftNs);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }
}
