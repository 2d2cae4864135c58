package io.tidemark.core.testkit;

import io.tidemark.core.runtime.TaskFailureHandler;
import io.tidemark.runtime.Cancellable;
import io.tidemark.runtime.Scheduler;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A scheduler whose time passes only in {@link #advance}, on the caller's thread, together with its {@link
 * ManualClock}.
 *
 * <p>Tasks run in order of due time and at equal due times in the order in which they were scheduled; while a task runs
 * the clock shows its due time. A task may schedule further tasks, also with no delay: they run in the same call (S52).
 * A periodic task is due again at the last due time + period, so that a jump over several periods runs it that many
 * times, in time order with the others (S53). Only monotonic time counts (KAFKA-4051).
 *
 * <p>A task that throws stops nobody: without a handler the first failure is thrown at the end of the run. Scheduling
 * and cancelling are thread-safe; running is for one thread.
 */
public final class ManualScheduler implements Scheduler {
    private final ManualClock clock;
    private final FailureCollector collector = new FailureCollector();
    private final TaskFailureHandler failures;
    private final TreeSet<Timer> timers = new TreeSet<>();
    private long nextSequence;

    /** A scheduler that throws the failures of its tasks at the end of a run. */
    public ManualScheduler(ManualClock clock) {
        this.clock = clock;
        this.failures = collector;
    }

    /** A scheduler that hands the failures of its tasks to {@code failures}. */
    public ManualScheduler(ManualClock clock, TaskFailureHandler failures) {
        this.clock = clock;
        this.failures = failures;
    }

    @Override
    public Cancellable schedule(Duration delay, Runnable task) {
        return add(Math.max(0, delay.toNanos()), 0, task);
    }

    @Override
    public Cancellable scheduleEvery(Duration period, Runnable task) {
        if (period.isZero() || period.isNegative()) {
            throw new IllegalArgumentException("a period is positive: " + period);
        }
        return add(period.toNanos(), period.toNanos(), task);
    }

    /** The clock that this scheduler moves. */
    public ManualClock clock() {
        return clock;
    }

    /** Lets {@code duration} pass and runs what becomes due, including what is due exactly at its end. */
    public void advance(Duration duration) {
        runUntil(Math.addExact(clock.monotonicNs(), duration.toNanos()));
    }

    /** Runs what is due now, without letting time pass. */
    public void runDue() {
        runUntil(clock.monotonicNs());
    }

    /** Runs the next task if it is due by {@code limitNs}, with the clock at its due time; false if there is none. */
    public boolean runNext(long limitNs) {
        Timer timer = takeDue(limitNs);
        if (timer == null) {
            return false;
        }
        clock.advanceMonotonicTo(timer.dueNs);
        try {
            timer.task.run();
        } catch (Throwable failure) {
            failures.onTaskFailure("manual scheduler", failure);
        }
        return true;
    }

    /** Monotonic time at which the next task is due, which may be past; empty if none is scheduled. */
    public synchronized OptionalLong nextDueNs() {
        return timers.isEmpty() ? OptionalLong.empty() : OptionalLong.of(timers.first().dueNs);
    }

    /** Tasks that are scheduled, periodic ones counted once. */
    public synchronized int size() {
        return timers.size();
    }

    private void runUntil(long limitNs) {
        while (runNext(limitNs)) {
            // Each pass ran one task; a task may have added others that are due.
        }
        clock.advanceMonotonicTo(limitNs);
        collector.rethrow();
    }

    private synchronized Cancellable add(long delayNs, long periodNs, Runnable task) {
        Timer timer = new Timer(task, periodNs);
        timer.dueNs = saturatedSum(clock.monotonicNs(), delayNs);
        timer.sequence = nextSequence++;
        timers.add(timer);
        return timer;
    }

    private synchronized @Nullable Timer takeDue(long limitNs) {
        if (timers.isEmpty() || timers.first().dueNs > limitNs) {
            return null;
        }
        Timer timer = timers.pollFirst();
        if (timer.periodNs == 0) {
            return timer;
        }
        // Scheduled again before it runs, so that the task can cancel itself.
        Timer current = new Timer(timer.task, 0);
        current.dueNs = timer.dueNs;
        timer.dueNs = saturatedSum(timer.dueNs, timer.periodNs);
        timer.sequence = nextSequence++;
        timers.add(timer);
        return current;
    }

    private static long saturatedSum(long startNs, long delayNs) {
        long sum = startNs + delayNs;
        return sum < startNs ? Long.MAX_VALUE : sum;
    }

    private final class Timer implements Cancellable, Comparable<Timer> {
        private final Runnable task;
        private final long periodNs;
        private long dueNs;
        private long sequence;

        private Timer(Runnable task, long periodNs) {
            this.task = task;
            this.periodNs = periodNs;
        }

        @Override
        public void cancel() {
            synchronized (ManualScheduler.this) {
                timers.remove(this);
            }
        }

        @Override
        public int compareTo(Timer other) {
            int byDue = Long.compare(dueNs, other.dueNs);
            return byDue != 0 ? byDue : Long.compare(sequence, other.sequence);
        }
    }
}
