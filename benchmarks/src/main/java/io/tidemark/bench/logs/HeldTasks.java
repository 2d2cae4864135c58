package io.tidemark.bench.logs;

import io.tidemark.runtime.Cancellable;
import io.tidemark.runtime.EventLoops;
import io.tidemark.runtime.Scheduler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Holds tasks until it is told to run them, on the caller's thread, in the order in which they came. Delays count as none, and a task
 * that is to come again and again never comes. For one thread.
 */
final class HeldTasks implements Scheduler {
    private final Queue<Runnable> held = new ArrayDeque<>();

    @Override
    public Cancellable schedule(Duration delay, Runnable task) {
        held.add(task);
        return () -> held.remove(task);
    }

    @Override
    public Cancellable scheduleEvery(Duration period, Runnable task) {
        return () -> {};
    }

    /** Runs the task that has waited longest; false if none waits. */
    boolean runNext() {
        Runnable task = held.poll();
        if (task == null) {
            return false;
        }
        task.run();
        return true;
    }

    /** Runs all that wait, and what they add. */
    void runAll() {
        while (runNext()) {
            // Each pass ran one.
        }
    }

    /** A loop whose tasks are held here. What it is told to do later is dropped: there is nothing to do until then. */
    EventLoops.Loop loop() {
        return new HeldLoop();
    }

    private final class HeldLoop implements EventLoops.Loop {
        @Override
        public void execute(Runnable task) {
            held.add(task);
        }

        @Override
        public boolean inLoop() {
            return true;
        }

        @Override
        public Cancellable schedule(Duration delay, Runnable task) {
            return delay.isZero() ? HeldTasks.this.schedule(delay, task) : () -> {};
        }

        @Override
        public Cancellable scheduleEvery(Duration period, Runnable task) {
            return () -> {};
        }

        @Override
        public void close() {
            held.clear();
        }
    }
}
