package io.tidemark.coordination.cluster;

import static io.tidemark.coordination.cluster.ClusterFixture.PARTITION;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.model.ClusterUpdate;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class ClusterUpdatesTest {
    private final ClusterFixture cluster = ClusterFixture.withTopic(3, 2);

    @Test
    void shouldNameEverythingInAFullUpdateAndOnlyWhatChangedInAnother() {
        // given: 3 has no node and is not lost
        cluster.vanish(3);

        // when
        ClusterUpdate full = ClusterUpdates.full(cluster.state(), 1);
        ClusterUpdate changes = ClusterUpdates.changes(
                cluster.state(),
                1,
                new TreeMap<>(Map.of(PARTITION.topic(), new TreeSet<>(Set.of(0, 7)), "gone", new TreeSet<>(Set.of(0)))),
                List.of());
        ClusterUpdate brokersOnly = ClusterUpdates.changes(cluster.state(), 1, new TreeMap<>(), List.of());

        // then
        assertThat(full.full()).isTrue();
        assertThat(full.topics().get(0).partitions()).containsEntry(0, cluster.partition());
        assertThat(changes.full()).isFalse();
        assertThat(changes.topics()).hasSize(1);
        assertThat(changes.topics().get(0).partitions()).containsOnlyKeys(0);
        assertThat(brokersOnly.topics()).isEmpty();
        assertThat(brokersOnly.brokers()).containsOnlyKeys(1, 2, 3);
    }
}
