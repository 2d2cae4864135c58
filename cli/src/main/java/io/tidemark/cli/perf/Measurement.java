package io.tidemark.cli.perf;

import io.tidemark.cli.Output;
import io.tidemark.cli.Progress;
import io.tidemark.runtime.Clock;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * What is counted between warm-up and end, and told once: at the end, or when the measurement is interrupted. Counting is
 * for any thread.
 */
final class Measurement {
    private static final long LONGEST_NS = 600_000_000_000L;
    private static final int SIGNIFICANT_DIGITS = 3;

    private final Clock clock;
    private final long wanted;
    private final Output out;
    private final Histogram latencyNs = new ConcurrentHistogram(1, LONGEST_NS, SIGNIFICANT_DIGITS);
    private final AtomicLong done = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private volatile long startNs;
    private boolean told;

    Measurement(Clock clock, long wanted, Output out) {
        this.clock = clock;
        this.wanted = wanted;
        this.out = out;
        this.startNs = clock.monotonicNs();
    }

    /** Forgets the warm-up. */
    void begin() {
        latencyNs.reset();
        done.set(0);
        failed.set(0);
        bytes.set(0);
        startNs = clock.monotonicNs();
    }

    void acknowledged(long dueNs, int sizeBytes) {
        latencyNs.recordValue(Math.min(LONGEST_NS, Math.max(1, clock.monotonicNs() - dueNs)));
        read(1, sizeBytes);
    }

    void read(long records, long sizeBytes) {
        done.addAndGet(records);
        bytes.addAndGet(sizeBytes);
    }

    void fail(long records) {
        failed.addAndGet(records);
    }

    long done() {
        return done.get();
    }

    long failed() {
        return failed.get();
    }

    Progress.Sample sample() {
        return Progress.Sample.of(done.get() + failed.get(), wanted);
    }

    /** Prints what was counted, the first time that it is called. */
    synchronized void tell() {
        if (told) {
            return;
        }
        told = true;
        long durationNs = clock.monotonicNs() - startNs;
        Histogram latencies = latencyNs.getTotalCount() == 0 ? null : latencyNs;
        new PerfReport(done.get(), failed.get(), bytes.get(), durationNs, latencies).print(out);
    }
}
