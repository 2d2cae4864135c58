package io.tidemark.cli.demo;

import io.tidemark.cli.Progress;
import io.tidemark.cli.ProgressLine;
import io.tidemark.runtime.Clock;
import io.tidemark.runtime.SystemClock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** How far the demonstration is: it starts, produces, consumes. Any thread may ask. */
final class DemoProgress {
    private final Clock clock = new SystemClock();
    private final int records;
    private volatile Supplier<String> line = () -> "waiting for the processes to be ready";

    /** @param records of the whole demonstration */
    DemoProgress(int records) {
        this.records = records;
    }

    int records() {
        return records;
    }

    void producing(LongSupplier acknowledged) {
        line = counted("acknowledged", acknowledged);
    }

    void consuming(LongSupplier consumed) {
        line = counted("consumed", consumed);
    }

    String line() {
        return line.get();
    }

    private Supplier<String> counted(String verb, LongSupplier count) {
        ProgressLine counted = new ProgressLine(verb, clock.monotonicNs());
        return () -> counted.text(Progress.Sample.of(count.getAsLong(), records), clock.monotonicNs());
    }
}
