package io.tidemark.sim;

import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.ManualEventLoops;
import io.tidemark.core.testkit.ManualScheduler;
import io.tidemark.core.testkit.SeededRandomness;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Time, chance and the one queue of a simulated run, and the trace that it leaves. The same seed and the same calls give
 * the same trace, byte for byte. Single-threaded.
 */
public final class SimWorld {
    private static final double NANOS_PER_MS = 1e6;

    private final ManualClock clock = new ManualClock();
    private final ManualScheduler scheduler = new ManualScheduler(clock);
    private final ManualEventLoops loops = new ManualEventLoops(scheduler);
    private final SeededRandomness randomness;
    private final List<String> trace = new ArrayList<>();

    public SimWorld(long seed) {
        this.randomness = new SeededRandomness(seed);
    }

    public ManualClock clock() {
        return clock;
    }

    public ManualScheduler scheduler() {
        return scheduler;
    }

    public ManualEventLoops loops() {
        return loops;
    }

    public SeededRandomness randomness() {
        return randomness;
    }

    /** Lets time pass, with everything that becomes due in it. */
    public void advance(Duration duration) {
        loops.advance(duration);
    }

    /** Writes a line of the trace, with the time. */
    public void note(String text) {
        trace.add(String.format(Locale.ROOT, "%9.3f ms  %s", clock.monotonicNs() / NANOS_PER_MS, text));
    }

    public List<String> trace() {
        return List.copyOf(trace);
    }
}
