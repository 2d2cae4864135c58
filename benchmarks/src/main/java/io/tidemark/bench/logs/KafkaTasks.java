package io.tidemark.bench.logs;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Delayed;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.server.util.Scheduler;

/** What {@link HeldTasks} is, to Kafka. For one thread. */
final class KafkaTasks implements Scheduler {
    private final Queue<Held> held = new ArrayDeque<>();

    @Override
    public void startup() {
        // There is no thread to start.
    }

    @Override
    public void shutdown() {
        held.clear();
    }

    @Override
    public ScheduledFuture<?> schedule(String name, Runnable task, long delayMs, long periodMs) {
        Held future = new Held(task);
        if (periodMs < 0) {
            held.add(future);
        }
        return future;
    }

    @Override
    public void resizeThreadPool(int threads) {
        // There is no pool.
    }

    /** Runs all that wait, and what they add. */
    void runAll() {
        Held next = held.poll();
        while (next != null) {
            next.runNow();
            next = held.poll();
        }
    }

    private static final class Held extends FutureTask<Boolean> implements ScheduledFuture<Boolean> {
        Held(Runnable task) {
            super(task, true);
        }

        void runNow() {
            run();
            try {
                if (!isCancelled()) {
                    get();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (ExecutionException e) {
                throw new IllegalStateException(e.getCause());
            }
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return 0;
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
        }
    }
}
