package io.tidemark.server.metrics;

import io.tidemark.replication.partition.Partition;
import io.tidemark.replication.partition.PartitionView;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * Samples for each replica that this broker has of one topic, in Prometheus' text format: what is too much for every scrape.
 * Pure.
 */
public final class PartitionDetail {
    private static final List<Series> SERIES = List.of(
            new Series(
                    "leader",
                    "1 if this broker leads the partition",
                    p -> p.view().role() == PartitionView.Role.LEADER ? 1 : 0),
            new Series(
                    "leader_epoch", "epoch of the replica's role", p -> p.view().leaderEpoch()),
            new Series(
                    "log_start_offset",
                    "first offset that may be read",
                    p -> p.log().startOffset()),
            new Series(
                    "log_end_offset",
                    "offset that is appended next",
                    p -> p.log().end().offset()),
            new Series(
                    "high_watermark",
                    "first offset that consumers may not read",
                    p -> p.view().highWatermark()),
            new Series("size_bytes", "bytes in live segments", p -> p.log().sizeBytes()),
            new Series(
                    "isr_members",
                    "in-sync replicas",
                    p -> p.state().map(state -> state.isr().size()).orElse(0)),
            new Series(
                    "replicas",
                    "assigned replicas",
                    p -> p.state().map(state -> state.replicas().size()).orElse(0)));

    private PartitionDetail() {}

    /** What is shown of each replica. */
    private record Series(String name, String help, ToLongFunction<Partition> value) {}

    /** Empty if none of the replicas is of that topic. */
    public static Optional<String> of(String topic, List<Partition> replicas) {
        List<Partition> wanted = replicas.stream()
                .filter(partition -> partition.partition().topic().equals(topic))
                .toList();
        if (wanted.isEmpty()) {
            return Optional.empty();
        }
        StringBuilder text = new StringBuilder();
        for (Series series : SERIES) {
            String name = "tidemark_partition_" + series.name();
            text.append("# HELP ")
                    .append(name)
                    .append(' ')
                    .append(series.help())
                    .append('\n');
            text.append("# TYPE ").append(name).append(" gauge\n");
            for (Partition partition : wanted) {
                text.append(name).append("{topic=\"").append(topic).append("\",partition=\"");
                text.append(partition.partition().partition()).append("\"} ");
                text.append(series.value().applyAsLong(partition)).append('\n');
            }
        }
        return Optional.of(text.toString());
    }
}
