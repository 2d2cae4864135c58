package io.tidemark.runtime;

import java.util.concurrent.Executor;

/**
 * One thread at a time, in order: the home of a component that has state and no locks.
 *
 * <p>What runs on a loop never blocks and never waits on a future: answers, timers and changes arrive as further tasks.
 * {@link #execute} may be called from any thread, also from the loop itself, and never runs the task inline. Its timers
 * ({@link #schedule}, {@link #scheduleEvery}) run on the loop.
 */
public interface EventLoop extends Executor, Scheduler {
    /** Queues {@code task} behind what is queued already. Dropped silently once the loop is closed. */
    @Override
    void execute(Runnable task);

    /** Whether the calling code runs on this loop. */
    boolean inLoop();
}
