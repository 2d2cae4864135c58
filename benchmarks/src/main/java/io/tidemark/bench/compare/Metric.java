package io.tidemark.bench.compare;

import java.util.Locale;

/** What is measured. The keys are those of the JSON report. */
enum Metric {
    RECORDS_PER_SECOND("recordsPerSecond", "rec/s", 0),
    MEBIBYTES_PER_SECOND("mebibytesPerSecond", "MiB/s", 1),
    P50_MS("p50Ms", "ms", 2),
    P95_MS("p95Ms", "ms", 2),
    P99_MS("p99Ms", "ms", 2),
    P999_MS("p99.9Ms", "ms", 2),
    MAX_MS("maxMs", "ms", 2),
    BROKER_CPU_SECONDS_PER_GB("brokerCpuSecondsPerGb", "s/GB", 1),
    CLIENT_CPU_SECONDS_PER_GB("clientCpuSecondsPerGb", "s/GB", 1),
    MEASURED_MS("measuredMs", "ms", 0),
    FAILED_TRIES("failedTries", "", 0),
    BROKER_RSS_MIB("peakBrokerRssMib", "MiB", 0),
    COORDINATION_RSS_MIB("peakCoordinationRssMib", "MiB", 0);

    private final String key;
    private final String unit;
    private final int decimals;

    Metric(String key, String unit, int decimals) {
        this.key = key;
        this.unit = unit;
        this.decimals = decimals;
    }

    String key() {
        return key;
    }

    String unit() {
        return unit;
    }

    /** The number alone, with as many decimals as mean anything. */
    String format(double value) {
        return String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }
}
