package io.tidemark.core.testkit;

import io.tidemark.core.runtime.TaskFailureHandler;
import io.tidemark.runtime.Cancellable;
import io.tidemark.runtime.EventLoops;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Event loops that all run on the caller's thread, from one queue in the order of {@code execute}: the same inputs give
 * the same run. Their timers belong to a {@link ManualScheduler} and put their task at the end of the queue when due.
 *
 * <p>Nothing runs by itself: {@link #runAll()} runs what is queued, {@link #advance} lets time pass and runs what
 * follows from it. Without a handler the first failure of a task is thrown at the end of the run. Queueing is
 * thread-safe; running is for one thread.
 */
public final class ManualEventLoops implements EventLoops {
    private final ManualScheduler scheduler;
    private final FailureCollector collector = new FailureCollector();
    private final TaskFailureHandler failures;
    private final ArrayDeque<Queued> queue = new ArrayDeque<>();
    private @Nullable ManualLoop running;
    private @Nullable Thread runner;

    /** Loops that throw the failures of their tasks at the end of a run. */
    public ManualEventLoops(ManualScheduler scheduler) {
        this.scheduler = scheduler;
        this.failures = collector;
    }

    /** Loops that hand the failures of their tasks to {@code failures}. */
    public ManualEventLoops(ManualScheduler scheduler, TaskFailureHandler failures) {
        this.scheduler = scheduler;
        this.failures = failures;
    }

    @Override
    public Loop open(String name) {
        return new ManualLoop(name);
    }

    /** The scheduler that holds the timers. */
    public ManualScheduler scheduler() {
        return scheduler;
    }

    /** Runs queued tasks, and those that they queue, until none is left. Runs no timer. */
    public void runAll() {
        drain();
        collector.rethrow();
    }

    /** Runs the task at the head of the queue; false if there is none. */
    public boolean runOne() {
        Queued next = start();
        if (next == null) {
            return false;
        }
        try {
            next.task.run();
        } catch (Throwable failure) {
            failures.onTaskFailure(next.loop.name, failure);
        } finally {
            stop();
        }
        return true;
    }

    /**
     * Runs everything that is queued, then lets {@code duration} pass: at each due time one timer task and then
     * everything that it queued.
     */
    public void advance(Duration duration) {
        long limitNs = Math.addExact(scheduler.clock().monotonicNs(), duration.toNanos());
        drain();
        while (scheduler.runNext(limitNs)) {
            drain();
        }
        scheduler.clock().advanceMonotonicTo(limitNs);
        collector.rethrow();
        scheduler.runDue();
    }

    /** Tasks that are queued. */
    public synchronized int size() {
        return queue.size();
    }

    private void drain() {
        while (runOne()) {
            // Each pass ran one task; it may have queued others.
        }
    }

    private synchronized @Nullable Queued start() {
        Queued next = queue.poll();
        if (next != null) {
            running = next.loop;
            runner = Thread.currentThread();
        }
        return next;
    }

    private synchronized void stop() {
        running = null;
        runner = null;
    }

    private record Queued(ManualLoop loop, Runnable task) {}

    private final class ManualLoop implements Loop {
        private final String name;
        private final Set<LoopTimer> timers = new LinkedHashSet<>();
        private boolean closed;

        private ManualLoop(String name) {
            this.name = name;
        }

        @Override
        public void execute(Runnable task) {
            synchronized (ManualEventLoops.this) {
                if (!closed) {
                    queue.add(new Queued(this, task));
                }
            }
        }

        @Override
        public boolean inLoop() {
            synchronized (ManualEventLoops.this) {
                return running == this && runner == Thread.currentThread();
            }
        }

        @Override
        public Cancellable schedule(Duration delay, Runnable task) {
            LoopTimer timer = new LoopTimer(this, task);
            return track(timer, scheduler.schedule(delay, timer::fireOnce));
        }

        @Override
        public Cancellable scheduleEvery(Duration period, Runnable task) {
            LoopTimer timer = new LoopTimer(this, task);
            return track(timer, scheduler.scheduleEvery(period, timer::fire));
        }

        private Cancellable track(LoopTimer timer, Cancellable due) {
            synchronized (ManualEventLoops.this) {
                timer.due = due;
                timers.add(timer);
                if (closed) {
                    timer.cancel();
                }
            }
            return timer;
        }

        @Override
        public void close() {
            synchronized (ManualEventLoops.this) {
                closed = true;
                queue.removeIf(queued -> queued.loop == this);
                List.copyOf(timers).forEach(LoopTimer::cancel);
            }
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** A timer of a loop; once it is due its task waits in the queue and can still be cancelled. */
    private final class LoopTimer implements Cancellable {
        private final ManualLoop loop;
        private final Runnable task;
        private @Nullable Cancellable due;
        private boolean cancelled;

        private LoopTimer(ManualLoop loop, Runnable task) {
            this.loop = loop;
            this.task = task;
        }

        private void fireOnce() {
            synchronized (ManualEventLoops.this) {
                loop.timers.remove(this);
            }
            fire();
        }

        private void fire() {
            loop.execute(this::runUnlessCancelled);
        }

        private void runUnlessCancelled() {
            synchronized (ManualEventLoops.this) {
                if (cancelled) {
                    return;
                }
            }
            task.run();
        }

        @Override
        public void cancel() {
            synchronized (ManualEventLoops.this) {
                cancelled = true;
                loop.timers.remove(this);
                if (due != null) {
                    due.cancel();
                }
            }
        }
    }
}
