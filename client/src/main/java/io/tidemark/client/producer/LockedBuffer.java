package io.tidemark.client.producer;

import io.tidemark.model.TopicPartition;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The accumulator as the sender sees it, under its producer's lock. */
final class LockedBuffer implements Sender.Buffer {
    private final BatchAccumulator accumulator;
    private final ReentrantLock lock;
    private final Condition changed;

    /** @param changed signalled when room was given back */
    LockedBuffer(BatchAccumulator accumulator, ReentrantLock lock, Condition changed) {
        this.accumulator = accumulator;
        this.lock = lock;
        this.changed = changed;
    }

    @Override
    public List<TopicPartition> partitions() {
        return locked(accumulator::partitions);
    }

    @Override
    public @Nullable PendingBatch takeReady(TopicPartition partition, long nowNs) {
        lock.lock();
        try {
            return accumulator.takeReady(partition, nowNs);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public List<PendingBatch> takeExpired(long createdBeforeNs) {
        return locked(() -> accumulator.takeExpired(createdBeforeNs));
    }

    @Override
    public List<PendingBatch> takeAll() {
        return locked(accumulator::takeAll);
    }

    @Override
    public long nextReadyInNs(long nowNs) {
        return locked(() -> accumulator.nextReadyInNs(nowNs));
    }

    @Override
    public void release(PendingBatch batch) {
        lock.lock();
        try {
            accumulator.release(batch);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private <T> T locked(Supplier<T> action) {
        lock.lock();
        try {
            return action.get();
        } finally {
            lock.unlock();
        }
    }
}
