package io.tidemark.cli.perf;

import com.google.gson.JsonObject;
import io.tidemark.cli.Output;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** What a measurement found, warm-up left out. */
final class PerfReport {
    private static final double BYTES_PER_MB = 1e6;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MS = 1e6;
    private static final double[] PERCENTILES = {50, 95, 99, 99.9};

    private final JsonObject json = new JsonObject();

    PerfReport(long records, long failed, long bytes, long durationNs, @Nullable Histogram latencyNs) {
        double seconds = Math.max(1, durationNs) / NANOS_PER_SECOND;
        json.addProperty("records", records);
        json.addProperty("failed", failed);
        json.addProperty("seconds", seconds);
        json.addProperty("recordsPerSecond", records / seconds);
        json.addProperty("megabytesPerSecond", bytes / BYTES_PER_MB / seconds);
        if (latencyNs != null) {
            for (double percentile : PERCENTILES) {
                String name = "p" + (percentile == (long) percentile ? Long.toString((long) percentile) : "99.9");
                json.addProperty(name + "Ms", latencyNs.getValueAtPercentile(percentile) / NANOS_PER_MS);
            }
            json.addProperty("maxMs", latencyNs.getMaxValue() / NANOS_PER_MS);
        }
    }

    void print(Output out) {
        if (out.isJson()) {
            out.json(json);
            return;
        }
        List<List<String>> rows = json.entrySet().stream()
                .map(entry -> List.of(entry.getKey(), number(entry.getValue().getAsNumber())))
                .toList();
        out.table(List.of("RESULT", ""), rows);
    }

    private static String number(Number value) {
        return value instanceof Long ? value.toString() : String.format(Locale.ROOT, "%.2f", value.doubleValue());
    }
}
