package io.tidemark.client.net;

import io.tidemark.runtime.Cancellable;
import io.tidemark.runtime.EventLoop;
import io.tidemark.runtime.SystemClock;
import io.tidemark.runtime.SystemRandomness;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The system's clock, chance and one daemon thread: what a client in an application runs on. */
public final class ClientThread implements EventLoop, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClientThread.class);

    private final ScheduledThreadPoolExecutor executor;
    /** None before the first task. */
    private volatile @Nullable Thread thread;

    public ClientThread(String name) {
        executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread created = new Thread(task, name);
            created.setDaemon(true);
            thread = created;
            return created;
        });
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        executor.setRejectedExecutionHandler((task, pool) -> {});
    }

    /** This thread with the system's clocks and a seed of the system's. */
    public ClientRuntime runtime() {
        return new ClientRuntime(this, new SystemClock(), new SystemRandomness());
    }

    @Override
    public void execute(Runnable task) {
        executor.execute(guarded(task));
    }

    @Override
    public boolean inLoop() {
        return Thread.currentThread() == thread;
    }

    @Override
    public Cancellable schedule(Duration delay, Runnable task) {
        ScheduledFuture<?> future = executor.schedule(guarded(task), delay.toNanos(), TimeUnit.NANOSECONDS);
        return () -> future.cancel(false);
    }

    @Override
    public Cancellable scheduleEvery(Duration period, Runnable task) {
        ScheduledFuture<?> future =
                executor.scheduleAtFixedRate(guarded(task), period.toNanos(), period.toNanos(), TimeUnit.NANOSECONDS);
        return () -> future.cancel(false);
    }

    @Override
    public void close() {
        executor.shutdown();
    }

    private static Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException e) {
                LOG.error("a task of the client failed", e);
            }
        };
    }
}
