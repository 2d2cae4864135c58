package io.tidemark.server;

import io.tidemark.runtime.Cancellable;
import io.tidemark.runtime.EventLoop;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A loop with a real thread, for integration tests. */
public final class TestLoop implements EventLoop, AutoCloseable {
    private final ScheduledThreadPoolExecutor executor;
    private volatile Thread thread;

    public TestLoop(String name) {
        this.executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread made = new Thread(task, name);
            made.setDaemon(true);
            thread = made;
            return made;
        });
        executor.setRemoveOnCancelPolicy(true);
    }

    @Override
    public void execute(Runnable task) {
        executor.execute(task);
    }

    @Override
    public boolean inLoop() {
        return Thread.currentThread() == thread;
    }

    @Override
    public Cancellable schedule(Duration delay, Runnable task) {
        Future<?> future = executor.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
        return () -> future.cancel(false);
    }

    @Override
    public Cancellable scheduleEvery(Duration period, Runnable task) {
        Future<?> future = executor.scheduleAtFixedRate(task, period.toNanos(), period.toNanos(), TimeUnit.NANOSECONDS);
        return () -> future.cancel(false);
    }

    /** Timers and tasks that have not run. */
    public int size() {
        return executor.getQueue().size();
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
