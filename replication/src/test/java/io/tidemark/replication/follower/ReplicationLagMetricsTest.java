package io.tidemark.replication.follower;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemark.model.TopicPartition;
import org.junit.jupiter.api.Test;

final class ReplicationLagMetricsTest {
    private static final TopicPartition P0 = new TopicPartition("t", 0);
    private static final TopicPartition P1 = new TopicPartition("t", 1);

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final ReplicationLagMetrics metrics = new ReplicationLagMetrics(registry);

    /** Scenario 41: right also when no records arrive. */
    @Test
    void shouldShowTheLargestLagAndFallToZero() {
        // Fails if: ReplicationLagMetrics keeps the largest lag of a partition instead of its last
        metrics.fetched(P0, 5);
        metrics.fetched(P1, 9);
        assertThat(gauge("tidemark.replica.fetcher.lag.records.max")).isEqualTo(9);
        metrics.fetched(P1, -3);
        assertThat(gauge("tidemark.replica.fetcher.lag.records.max")).isEqualTo(5);
        metrics.forget(P0);
        assertThat(gauge("tidemark.replica.fetcher.lag.records.max")).isZero();
    }

    @Test
    void shouldCountPartitionsThatFailUntilTheyAreFetchedAgain() {
        metrics.failed(P0);
        metrics.failed(P1);
        assertThat(gauge("tidemark.replica.fetcher.failed.partitions")).isEqualTo(2);
        metrics.fetched(P0, 0);
        metrics.forget(P1);
        assertThat(gauge("tidemark.replica.fetcher.failed.partitions")).isZero();
    }

    private double gauge(String name) {
        return registry.get(name).gauge().value();
    }
}
