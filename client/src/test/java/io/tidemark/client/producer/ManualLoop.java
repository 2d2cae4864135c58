package io.tidemark.client.producer;

import io.tidemark.runtime.Cancellable;
import io.tidemark.runtime.Clock;
import io.tidemark.runtime.EventLoop;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.NavigableMap;
import java.util.TreeMap;

/** A loop and its clock, moved by the test. Timers of one time run in the order of their making. */
public final class ManualLoop implements EventLoop, Clock {
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final NavigableMap<Due, Runnable> timers = new TreeMap<>();
    private long nowNs = 1_000_000_000L;
    private long made;

    private record Due(long atNs, long number) implements Comparable<Due> {
        @Override
        public int compareTo(Due other) {
            return atNs == other.atNs ? Long.compare(number, other.number) : Long.compare(atNs, other.atNs);
        }
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    @Override
    public boolean inLoop() {
        return true;
    }

    @Override
    public Cancellable schedule(Duration delay, Runnable task) {
        Due due = new Due(nowNs + Math.max(0, delay.toNanos()), made++);
        timers.put(due, task);
        return () -> timers.remove(due);
    }

    @Override
    public Cancellable scheduleEvery(Duration period, Runnable task) {
        Repeated repeated = new Repeated(period, task);
        repeated.next = schedule(period, repeated);
        return () -> repeated.next.cancel();
    }

    private final class Repeated implements Runnable {
        private final Duration period;
        private final Runnable task;
        private Cancellable next = () -> {};

        Repeated(Duration period, Runnable task) {
            this.period = period;
            this.task = task;
        }

        @Override
        public void run() {
            next = schedule(period, this);
            task.run();
        }
    }

    @Override
    public long wallMs() {
        return nowNs / 1_000_000;
    }

    @Override
    public long monotonicNs() {
        return nowNs;
    }

    /** Runs what is queued, and what that queues. */
    public void run() {
        Runnable task = tasks.pollFirst();
        while (task != null) {
            task.run();
            task = tasks.pollFirst();
        }
    }

    /** Lets time pass, and runs what becomes due. */
    public void advance(Duration time) {
        run();
        long endNs = nowNs + time.toNanos();
        while (!timers.isEmpty() && timers.firstKey().atNs() <= endNs) {
            var first = timers.pollFirstEntry();
            nowNs = Math.max(nowNs, first.getKey().atNs());
            first.getValue().run();
            run();
        }
        nowNs = endNs;
    }
}
