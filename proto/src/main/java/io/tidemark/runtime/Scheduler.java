package io.tidemark.runtime;

import java.time.Duration;

/**
 * Runs tasks later, on threads of its own choice, by the monotonic clock. Thread-safe; never blocks the caller.
 *
 * <p>Tasks due at the same time run in the order in which they were scheduled. A task may schedule tasks (S52). A task
 * that throws is reported by the scheduler and does not stop it.
 */
public interface Scheduler {
    /** Runs {@code task} once, {@code delay} from now; a zero or negative delay means as soon as possible. */
    Cancellable schedule(Duration delay, Runnable task);

    /** Runs {@code task} every {@code period}, first after one period; each run is due at the last due time + period (S53). */
    Cancellable scheduleEvery(Duration period, Runnable task);
}
