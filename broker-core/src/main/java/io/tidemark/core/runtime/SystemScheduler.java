package io.tidemark.core.runtime;

import io.tidemark.runtime.Cancellable;
import io.tidemark.runtime.Scheduler;
import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Runs tasks on daemon threads of its own, by the monotonic clock of the machine.
 *
 * <p>A task that throws is handed to the {@link TaskFailureHandler}; a periodic one is run again all the same. Cancelled
 * tasks leave the queue at once. Tasks that are not due when the scheduler closes are dropped, as are later ones.
 */
public final class SystemScheduler implements Scheduler, AutoCloseable {
    private final String name;
    private final TaskFailureHandler failures;
    private final ScheduledThreadPoolExecutor executor;

    /**
     * @param name of its threads, with a number
     * @param threads how many tasks run at the same time; tasks that are slow (unlinking, forcing) need one each
     */
    public SystemScheduler(String name, int threads, TaskFailureHandler failures) {
        this.name = name;
        this.failures = failures;
        this.executor = new ScheduledThreadPoolExecutor(
                threads, new NamedDaemons(name), new ThreadPoolExecutor.DiscardPolicy());
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        executor.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
    }

    @Override
    public Cancellable schedule(Duration delay, Runnable task) {
        var future = executor.schedule(guarded(task), delay.toNanos(), TimeUnit.NANOSECONDS);
        return () -> future.cancel(false);
    }

    @Override
    public Cancellable scheduleEvery(Duration period, Runnable task) {
        long periodNs = period.toNanos();
        var future = executor.scheduleAtFixedRate(guarded(task), periodNs, periodNs, TimeUnit.NANOSECONDS);
        return () -> future.cancel(false);
    }

    /** Tasks that wait for their time. */
    public int size() {
        return executor.getQueue().size();
    }

    /** Starts nothing further; what runs goes on. Idempotent; does not wait. */
    @Override
    public void close() {
        executor.shutdown();
    }

    /** Waits until the tasks that ran at {@link #close} have ended; false if they did not in time. */
    public boolean awaitStopped(Duration timeout) throws InterruptedException {
        return executor.awaitTermination(timeout.toNanos(), TimeUnit.NANOSECONDS);
    }

    private Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (Throwable failure) {
                failures.onTaskFailure(name, failure);
            }
        };
    }
}
