package io.tidemark.sim;

import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.ManualEventLoops;
import io.tidemark.core.testkit.ManualScheduler;
import io.tidemark.core.testkit.SeededRandomness;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Time, chance and the one queue of a simulated run, and the trace that it leaves. The same seed and the same calls give
 * the same run: the same {@link #digest()}, and the same trace byte for byte. Single-threaded; shares nothing with other worlds.
 *
 * <p>Time moves from event to event: an event is a timer that is due, with all that it puts on the queue. After each one the
 * checks run.
 */
public final class SimWorld {
    /** More tasks than this in one moment, and no time will ever pass again. */
    private static final int MOST_TASKS_OF_AN_EVENT = 1_000_000;

    private final ManualClock clock = new ManualClock();
    private final ManualScheduler scheduler = new ManualScheduler(clock, this::onTaskFailure);
    private final ManualEventLoops loops = new ManualEventLoops(scheduler, this::onTaskFailure);
    private final SeededRandomness randomness;
    private final Trace trace;
    private final TraceDigest digest = new TraceDigest();
    private final List<Runnable> checks = new ArrayList<>();
    private long events;
    private @Nullable Throwable failure;

    public SimWorld(long seed, Trace trace) {
        this.randomness = new SeededRandomness(seed);
        this.trace = trace;
    }

    /** The clock of the world; processes have their own, which may drift. */
    public ManualClock clock() {
        return clock;
    }

    /** Timers that belong to no process: faults, the network, ZooKeeper's servers. */
    public ManualScheduler scheduler() {
        return scheduler;
    }

    /** The one queue of all loops. */
    public ManualEventLoops loops() {
        return loops;
    }

    /**
     * The randomness of one part of the run, which follows from the seed and the part's name alone: what the others draw, and
     * whether they take part at all, changes nothing here.
     */
    public SeededRandomness fork(String part) {
        return randomness.fork(part);
    }

    /** Runs after each event, in the order of the calls; what it throws ends the run. */
    public void afterEach(Runnable check) {
        checks.add(check);
    }

    /** Runs the next event if it is due by {@code limitNs}; false, and no time passes, if there is none. */
    public boolean step(long limitNs) {
        boolean queued = loops.size() > 0;
        if (!queued && !scheduler.runNext(limitNs)) {
            return false;
        }
        drain();
        events++;
        digest.add(clock.monotonicNs());
        rethrow();
        for (Runnable check : checks) {
            check.run();
        }
        return true;
    }

    /** Lets time pass, event by event. */
    public void run(Duration duration) {
        runUntil(Math.addExact(clock.monotonicNs(), duration.toNanos()));
    }

    /** Lets time pass until the clock shows {@code limitNs}. */
    public void runUntil(long limitNs) {
        while (step(limitNs)) {
            // Each pass ran one event; it may have led to others that are due.
        }
        clock.advanceMonotonicTo(limitNs);
    }

    /** Lets time pass until the condition holds, which is looked at after each event; false if it does not within the limit. */
    public boolean runUntil(BooleanSupplier condition, Duration limit) {
        long limitNs = Math.addExact(clock.monotonicNs(), limit.toNanos());
        while (!condition.getAsBoolean()) {
            if (!step(limitNs)) {
                clock.advanceMonotonicTo(limitNs);
                return condition.getAsBoolean();
            }
        }
        return true;
    }

    /** Events that were run. */
    public long events() {
        return events;
    }

    /** Stands for the whole run so far: times of events, messages, and what was {@linkplain #mark marked}. Does not depend on the trace. */
    public long digest() {
        return digest.value();
    }

    /** Makes something that happened part of the digest. */
    public void mark(long value) {
        digest.add(value);
    }

    /** False if nobody keeps what is noted. */
    public boolean isTraced() {
        return trace.isOn();
    }

    /** Writes a line of the trace, with the time. */
    public void note(String text) {
        trace.note(clock.monotonicNs(), text);
    }

    /** Writes a line of the trace, with the time; asks for the text only if it is kept. */
    public void note(Supplier<String> text) {
        if (trace.isOn()) {
            trace.note(clock.monotonicNs(), text.get());
        }
    }

    /** What the trace has kept. */
    public List<String> trace() {
        return trace.lines();
    }

    private void drain() {
        int tasks = 0;
        while (loops.runOne()) {
            tasks++;
            if (tasks > MOST_TASKS_OF_AN_EVENT) {
                throw new IllegalStateException("tasks that queue tasks without end");
            }
        }
    }

    private void onTaskFailure(String runner, Throwable thrown) {
        if (failure == null) {
            failure = thrown;
        } else if (failure != thrown) {
            failure.addSuppressed(thrown);
        }
    }

    private void rethrow() {
        Throwable thrown = failure;
        failure = null;
        if (thrown instanceof RuntimeException exception) {
            throw exception;
        }
        if (thrown instanceof Error error) {
            throw error;
        }
        if (thrown != null) {
            throw new IllegalStateException(thrown);
        }
    }
}
