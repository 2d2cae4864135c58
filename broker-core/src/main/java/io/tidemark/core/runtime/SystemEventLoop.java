package io.tidemark.core.runtime;

import io.tidemark.runtime.Cancellable;
import io.tidemark.runtime.Clock;
import io.tidemark.runtime.EventLoops.Loop;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread, one queue of tasks, and timers by the monotonic clock.
 *
 * <p>The thread takes everything that is queued or due in one go and runs it outside the lock: due timers first, in
 * order of due time, then tasks in order. The queue has no bound of its own: whoever feeds a loop bounds what is
 * outstanding, and the size is a gauge.
 */
final class SystemEventLoop implements Loop {
    private static final Logger LOG = LoggerFactory.getLogger(SystemEventLoop.class);

    private final String name;
    private final Clock clock;
    private final TaskFailureHandler failures;
    private final Consumer<SystemEventLoop> onEnd;
    private final Thread thread;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final TreeSet<Timer> timers = new TreeSet<>();
    private ArrayDeque<Runnable> queue = new ArrayDeque<>();

    /** What the thread has taken and not run yet; touched by the thread only. */
    private ArrayDeque<Runnable> batch = new ArrayDeque<>();

    private long nextSequence;
    private boolean waiting;
    private volatile boolean closed;

    SystemEventLoop(String name, Clock clock, TaskFailureHandler failures, Consumer<SystemEventLoop> onEnd) {
        this.name = name;
        this.clock = clock;
        this.failures = failures;
        this.onEnd = onEnd;
        this.thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    String name() {
        return name;
    }

    boolean isClosed() {
        return closed;
    }

    /** Tasks that are queued. */
    int size() {
        lock.lock();
        try {
            return queue.size();
        } finally {
            lock.unlock();
        }
    }

    boolean join(Duration timeout) throws InterruptedException {
        thread.join(Math.max(1, timeout.toMillis()));
        return !thread.isAlive();
    }

    @Override
    public void execute(Runnable task) {
        lock.lock();
        try {
            if (!closed) {
                queue.add(task);
                wake();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean inLoop() {
        return Thread.currentThread() == thread;
    }

    @Override
    public Cancellable schedule(Duration delay, Runnable task) {
        return add(new Timer(task, 0), Math.max(0, delay.toNanos()));
    }

    @Override
    public Cancellable scheduleEvery(Duration period, Runnable task) {
        if (period.isZero() || period.isNegative()) {
            throw new IllegalArgumentException("a period is positive: " + period);
        }
        return add(new Timer(task, period.toNanos()), period.toNanos());
    }

    private Cancellable add(Timer timer, long delayNs) {
        lock.lock();
        try {
            if (!closed) {
                timer.dueNs = clock.monotonicNs() + delayNs;
                enter(timer);
                wake();
            }
        } finally {
            lock.unlock();
        }
        return timer;
    }

    private void enter(Timer timer) {
        timer.sequence = nextSequence++;
        timers.add(timer);
    }

    private void wake() {
        if (waiting) {
            changed.signal();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            queue.clear();
            timers.clear();
            wake();
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        try {
            while (!closed) {
                take();
                for (Runnable task = batch.poll(); task != null && !closed; task = batch.poll()) {
                    runOne(task);
                }
            }
        } finally {
            onEnd.accept(this);
        }
    }

    private void runOne(Runnable task) {
        try {
            task.run();
        } catch (Throwable failure) {
            report(failure);
        }
    }

    private void report(Throwable failure) {
        try {
            failures.onTaskFailure(name, failure);
        } catch (Throwable second) {
            // The loop lives on: it holds state that nobody else can serve.
            failure.addSuppressed(second);
            LOG.error("loop {}: the failure of a task could not be handled", name, failure);
        }
    }

    /** Waits for work and moves it to the batch; none if the loop was closed. */
    private void take() {
        lock.lock();
        try {
            collectDueTimers();
            awaitWork();
            if (batch.isEmpty()) {
                ArrayDeque<Runnable> tasks = queue;
                queue = batch;
                batch = tasks;
            } else {
                batch.addAll(queue);
                queue.clear();
            }
        } finally {
            lock.unlock();
        }
    }

    private void collectDueTimers() {
        if (timers.isEmpty()) {
            return;
        }
        long nowNs = clock.monotonicNs();
        while (!timers.isEmpty() && timers.first().dueNs - nowNs <= 0) {
            Timer timer = timers.first();
            timers.remove(timer);
            batch.add(timer);
            if (timer.periodNs > 0) {
                timer.dueNs += timer.periodNs;
                enter(timer);
            }
        }
    }

    private void awaitWork() {
        while (batch.isEmpty() && queue.isEmpty() && !closed) {
            waiting = true;
            try {
                if (timers.isEmpty()) {
                    changed.await();
                } else {
                    changed.await(timers.first().dueNs - clock.monotonicNs(), TimeUnit.NANOSECONDS);
                }
            } catch (InterruptedException e) {
                // Loops end by close alone; an interrupt from outside would otherwise stop everything that lives here.
                LOG.warn("loop {}: an interrupt was ignored", name);
            } finally {
                waiting = false;
            }
            collectDueTimers();
        }
    }

    @Override
    public String toString() {
        return name;
    }

    /** Runs unless it was cancelled, also when it was taken off the timers already. */
    private final class Timer implements Runnable, Cancellable, Comparable<Timer> {
        private final Runnable task;
        private final long periodNs;
        private long dueNs;
        private long sequence;
        private volatile boolean cancelled;

        private Timer(Runnable task, long periodNs) {
            this.task = task;
            this.periodNs = periodNs;
        }

        @Override
        public void run() {
            if (!cancelled) {
                task.run();
            }
        }

        @Override
        public void cancel() {
            cancelled = true;
            lock.lock();
            try {
                timers.remove(this);
            } finally {
                lock.unlock();
            }
        }

        @Override
        public int compareTo(Timer other) {
            long byDue = dueNs - other.dueNs;
            return byDue != 0 ? Long.signum(byDue) : Long.compare(sequence, other.sequence);
        }
    }
}
