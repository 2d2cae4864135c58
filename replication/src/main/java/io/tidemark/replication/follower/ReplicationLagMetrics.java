package io.tidemark.replication.follower;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.tidemark.model.TopicPartition;
import java.util.TreeMap;

/**
 * How far this broker's followers are behind. Thread-safe.
 *
 * <p>{@code tidemark_replica_fetcher_lag_records_max}: over all partitions, the leader's high watermark as last told minus
 * the own log end; it falls to 0 also when no records arrive. {@code tidemark_replica_fetcher_failed_partitions}: those
 * that are left out of fetches after an error. No series per partition.
 */
public final class ReplicationLagMetrics {
    private final TreeMap<TopicPartition, Standing> standings = new TreeMap<>();

    private record Standing(long lagRecords, boolean failed) {}

    public ReplicationLagMetrics(MeterRegistry registry) {
        Gauge.builder("tidemark.replica.fetcher.lag.records.max", this, ReplicationLagMetrics::maxLagRecords)
                .description("largest distance of a follower behind its leader's high watermark, in offsets")
                .register(registry);
        Gauge.builder("tidemark.replica.fetcher.failed.partitions", this, ReplicationLagMetrics::failedPartitions)
                .description("followed partitions that are left out of fetches after an error")
                .register(registry);
    }

    /** The partition was fetched without an error. */
    synchronized void fetched(TopicPartition partition, long lagRecords) {
        standings.put(partition, new Standing(Math.max(0, lagRecords), false));
    }

    /** The partition is left out for a while. */
    synchronized void failed(TopicPartition partition) {
        Standing before = standings.get(partition);
        standings.put(partition, new Standing(before == null ? 0 : before.lagRecords, true));
    }

    /** The partition is not copied any more. */
    synchronized void forget(TopicPartition partition) {
        standings.remove(partition);
    }

    synchronized long maxLagRecords() {
        return standings.values().stream().mapToLong(Standing::lagRecords).max().orElse(0);
    }

    synchronized long failedPartitions() {
        return standings.values().stream().filter(Standing::failed).count();
    }
}
