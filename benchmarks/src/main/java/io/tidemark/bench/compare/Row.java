package io.tidemark.bench.compare;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The rows of the table: one figure of one job, and what it must reach. */
enum Row {
    PRODUCE_100B_16K(
            "produce acks=all 100 B, 16 KiB batches",
            Job.PRODUCE_100B_16K,
            Metric.RECORDS_PER_SECOND,
            Target.ratioAtLeast(2)),
    PRODUCE_100B_256K(
            "produce acks=all 100 B, 256 KiB batches",
            Job.PRODUCE_100B_256K,
            Metric.RECORDS_PER_SECOND,
            Target.ratioAtLeast(2)),
    PRODUCE_1K_16K(
            "produce acks=all 1 KiB, 16 KiB batches",
            Job.PRODUCE_1K_16K,
            Metric.MEBIBYTES_PER_SECOND,
            Target.ratioAtLeast(2)),
    PRODUCE_1K_256K(
            "produce acks=all 1 KiB, 256 KiB batches",
            Job.PRODUCE_1K_256K,
            Metric.MEBIBYTES_PER_SECOND,
            Target.ratioAtLeast(2)),
    LATENCY_10K_P99(
            "p99 at 10,000 rec/s of 1 KiB, warm client", Job.LATENCY_10K, Metric.P99_MS, Target.ratioAtMost(0.2)),
    LATENCY_10K_LINGER_P99(
            "p99 at 10,000 rec/s of 1 KiB, warm client, linger 5 ms",
            Job.LATENCY_10K_LINGER,
            Metric.P99_MS,
            Target.ratioAtMost(0.2)),
    LATENCY_1K_P50("p50 at 1,000 rec/s of 1 KiB, warm client", Job.LATENCY_1K, Metric.P50_MS, Target.ratioAtMost(0.5)),
    CONSUME_1K("consume 1 KiB, hot cache", Job.CONSUME_1K, Metric.MEBIBYTES_PER_SECOND, Target.ratioAtLeast(1.5)),
    CPU_1K_16K(
            "broker CPU per GB, 1 KiB, 16 KiB batches",
            Job.PRODUCE_1K_16K,
            Metric.BROKER_CPU_SECONDS_PER_GB,
            Target.ratioAtMost(0.7)),
    CPU_1K_256K(
            "broker CPU per GB, 1 KiB, 256 KiB batches",
            Job.PRODUCE_1K_256K,
            Metric.BROKER_CPU_SECONDS_PER_GB,
            Target.ratioAtMost(0.7)),
    FAILOVER_LEADER(
            "leader killed, to the next acknowledgement",
            Job.FAILOVER_LEADER,
            Metric.MEASURED_MS,
            Target.valueAtMost(1_000)),
    FAILOVER_CONTROLLER(
            "leader killed that is also controller",
            Job.FAILOVER_CONTROLLER,
            Metric.MEASURED_MS,
            Target.valueAtMost(1_000)),
    FAILOVER_FOLLOWER(
            "follower killed, longest produce", Job.FAILOVER_FOLLOWER, Metric.MEASURED_MS, Target.valueAtMost(500)),
    PEAK_RSS("peak RSS of the largest broker", Job.MEMORY, Metric.BROKER_RSS_MIB, Target.ratioAtMost(1));

    private final String title;
    private final Job job;
    private final Metric metric;
    private final Target.Kind targetKind;
    private final double targetBound;

    Row(String title, Job job, Metric metric, Target target) {
        this.title = title;
        this.job = job;
        this.metric = metric;
        this.targetKind = target.kind();
        this.targetBound = target.bound();
    }

    /** The name by which it is selected. */
    String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    String title() {
        return title;
    }

    Job job() {
        return job;
    }

    Metric metric() {
        return metric;
    }

    Target target() {
        return new Target(targetKind, targetBound);
    }

    /**
     * The rows whose key one of {@code names} is or begins.
     *
     * @throws IllegalArgumentException if a name fits none
     */
    static List<Row> select(List<String> names) {
        for (String name : names) {
            if (Arrays.stream(values()).noneMatch(row -> row.isCalled(name))) {
                throw new IllegalArgumentException("there is no row " + name + "; rows: "
                        + String.join(" ", Arrays.stream(values()).map(Row::key).toList()));
            }
        }
        return Arrays.stream(values())
                .filter(row -> names.stream().anyMatch(row::isCalled))
                .toList();
    }

    private boolean isCalled(String name) {
        return key().equals(name) || key().startsWith(name + "-");
    }
}
