package io.tidemark.sim;

import io.tidemark.core.config.TruncationMode;
import io.tidemark.runtime.Clock;
import io.tidemark.runtime.SystemClock;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * What runs cost, for a person who makes them faster: no test. Arguments: first seed, number of seeds, steps of a run. A profile is
 * taken with {@code -XX:StartFlightRecording=filename=runs.jfr}.
 */
public final class EventCost {
    private static final int WARM_UP_RUNS = 300;
    private static final double NS_PER_S = 1e9;

    private EventCost() {}

    /** Prints runs a second by the wall clock, and processor time of this thread and events a run. */
    public static void main(String[] args) {
        long first = args.length > 0 ? Long.parseLong(args[0]) : 1;
        int runs = args.length > 1 ? Integer.parseInt(args[1]) : 200;
        int steps = args.length > 2 ? Integer.parseInt(args[2]) : 40;
        Clock clock = new SystemClock();
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (RandomRun.Faults faults : RandomRun.Faults.values()) {
            measure(first, WARM_UP_RUNS, steps, faults);
            long startNs = clock.monotonicNs();
            long startCpuNs = threads.getCurrentThreadCpuTime();
            long events = measure(first, runs, steps, faults);
            double cpuSeconds = (threads.getCurrentThreadCpuTime() - startCpuNs) / NS_PER_S;
            double seconds = (clock.monotonicNs() - startNs) / NS_PER_S;
            out.println(String.format(
                    Locale.ROOT,
                    "%-10s %7.1f runs/s, processor: %6.2f ms a run, %5.1f us an event; %d events a run",
                    faults.name().toLowerCase(Locale.ROOT),
                    runs / seconds,
                    cpuSeconds * 1e3 / runs,
                    cpuSeconds * 1e6 / events,
                    events / runs));
        }
    }

    private static long measure(long first, int runs, int steps, RandomRun.Faults faults) {
        SimSettings settings =
                faults == RandomRun.Faults.POWER ? SimSettings.sync() : SimSettings.of(TruncationMode.LEADER_EPOCH);
        long events = 0;
        for (long seed = first; seed < first + runs; seed++) {
            events +=
                    new RandomRun(seed, settings, faults, Trace.OFF).run(steps).events();
        }
        return events;
    }
}
