package io.tidemark.bench.compare;

import io.tidemark.runtime.Clock;
import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Who used the cores between two moments: the cluster, the client (children of this process), others. It is sampled in
 * between, so that what a broker used before it was killed is counted as the cluster's. Used by one thread.
 */
final class CpuMeter {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double PERCENT = 100;

    private final ProcFs proc;
    private final Clock clock;
    private final Machine machine;
    private final Supplier<? extends Collection<Long>> cluster;
    private final Map<Long, Long> first = new TreeMap<>();
    private final Map<Long, Long> latest = new TreeMap<>();
    private final long startNs;
    private final long startBusy;
    private final long startOwn;
    private final long startChildren;

    /**
     * The machine.
     *
     * @param cores that work at the same time
     * @param ticksPerSecond in which Linux counts
     */
    record Machine(int cores, long ticksPerSecond) {}

    /** Seconds of the clock and of processors; {@code otherPercent} is of all cores. */
    record Usage(double wallSeconds, double clusterSeconds, double clientSeconds, double otherPercent) {}

    /**
     * Begins.
     *
     * @param cluster ids of the cluster's processes as they are now
     */
    CpuMeter(ProcFs proc, Clock clock, Machine machine, Supplier<? extends Collection<Long>> cluster)
            throws IOException {
        this.proc = proc;
        this.clock = clock;
        this.machine = machine;
        this.cluster = cluster;
        this.startNs = clock.monotonicNs();
        this.startBusy = proc.busyTicks();
        this.startOwn = proc.ownTicks().orElse(0);
        this.startChildren = proc.endedChildrenTicks().orElse(0);
        for (long pid : cluster.get()) {
            proc.ticks(pid).ifPresent(ticks -> first.put(pid, ticks));
        }
        sample();
    }

    /** Looks at the cluster. A process that was not there at the beginning is counted from its own beginning. */
    void sample() {
        for (long pid : cluster.get()) {
            OptionalLong ticks = proc.ticks(pid);
            ticks.ifPresent(value -> latest.put(pid, value));
        }
    }

    /** What was used since the beginning. */
    Usage usage() throws IOException {
        sample();
        double wall = (clock.monotonicNs() - startNs) / NANOS_PER_SECOND;
        long clusterTicks = latest.entrySet().stream()
                .mapToLong(entry -> entry.getValue() - first.getOrDefault(entry.getKey(), 0L))
                .sum();
        long client = proc.endedChildrenTicks().orElse(startChildren) - startChildren;
        long own = proc.ownTicks().orElse(startOwn) - startOwn;
        long other = Math.max(0, proc.busyTicks() - startBusy - clusterTicks - client - own);
        return new Usage(
                wall,
                seconds(clusterTicks),
                seconds(client),
                PERCENT * seconds(other) / Math.max(wall * machine.cores(), 1e-9));
    }

    private double seconds(long ticks) {
        return (double) ticks / machine.ticksPerSecond();
    }
}
