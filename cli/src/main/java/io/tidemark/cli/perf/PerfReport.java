package io.tidemark.cli.perf;

import com.google.gson.JsonObject;
import io.tidemark.cli.Facts;
import io.tidemark.cli.Output;
import io.tidemark.cli.Units;
import java.util.Locale;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** What a measurement found, warm-up left out. The keys are a contract; the table has the same with units. */
final class PerfReport {
    private static final double BYTES_PER_MB = 1e6;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MS = 1e6;
    private static final double[] PERCENTILES = {50, 95, 99, 99.9};

    private final JsonObject json = new JsonObject();
    private final Facts facts = new Facts("perf");

    PerfReport(long records, long failed, long bytes, long durationNs, @Nullable Histogram latencyNs) {
        double seconds = Math.max(1, durationNs) / NANOS_PER_SECOND;
        json.addProperty("records", records);
        json.addProperty("failed", failed);
        json.addProperty("seconds", seconds);
        json.addProperty("recordsPerSecond", records / seconds);
        json.addProperty("megabytesPerSecond", bytes / BYTES_PER_MB / seconds);
        facts.with("records", Units.count(records))
                .with("failed", Units.count(failed))
                .with("time", String.format(Locale.ROOT, "%.2f s", seconds))
                .with("rate", Units.count(Math.round(records / seconds)) + " records/s")
                .with("throughput", Units.megabytesPerSecond(bytes / seconds));
        if (latencyNs != null) {
            for (double percentile : PERCENTILES) {
                String name = "p" + (percentile == (long) percentile ? Long.toString((long) percentile) : "99.9");
                latency(name, latencyNs.getValueAtPercentile(percentile) / NANOS_PER_MS);
            }
            latency("max", latencyNs.getMaxValue() / NANOS_PER_MS);
        }
    }

    void print(Output out) {
        out.facts(json, facts);
    }

    private void latency(String name, double ms) {
        json.addProperty(name + "Ms", ms);
        facts.with(name, Units.milliseconds(ms));
    }
}
