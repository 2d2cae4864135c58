package io.tidemark.replication.throttle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemark.model.TopicPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What is set, changed and removed (scenario 52). */
final class ReplicationThrottleTest {
    private static final TopicPartition P0 = new TopicPartition("t", 0);
    private static final TopicPartition P1 = new TopicPartition("t", 1);
    private static final long SECOND_NS = 1_000_000_000L;

    private final ReplicationThrottle throttle = new ReplicationThrottle(1);
    private final List<String> changes = new ArrayList<>();

    @Test
    void shouldThrottleNothingUntilToldTo() {
        assertThat(throttle.covers(P0, 2)).isFalse();
        assertThat(throttle.received()).isEmpty();
        throttle.outgoing().passed(1 << 30, 0);
        assertThat(throttle.outgoing().isOpen(0, 1 << 30)).isTrue();
        assertThat(throttle.outgoing().opensAtNs(7)).isEqualTo(7);
        assertThat(throttle.bytesPerSecond()).isZero();
    }

    @Test
    void shouldCoverTheGivenReplicasAlone() {
        // when
        throttle.limit(1_000, replicas(P0, 2, 3), 0);

        // then
        assertThat(throttle.covers(P0, 2)).isTrue();
        assertThat(throttle.covers(P0, 3)).isTrue();
        assertThat(throttle.covers(P0, 4)).isFalse();
        assertThat(throttle.covers(P1, 2)).isFalse();
        assertThat(throttle.received()).as("broker 1 receives none of them").isEmpty();
        throttle.limit(1_000, replicas(P1, 1), 0);
        assertThat(throttle.received()).containsExactly(P1);
        assertThat(throttle.covers(P0, 2)).isFalse();
    }

    /** Sending does not use up what may be received. */
    @Test
    void shouldLimitEachDirectionByItself() {
        // given
        throttle.limit(1_000, replicas(P0, 2), 0);

        // when
        throttle.outgoing().passed(2_000, 0);

        // then
        assertThat(throttle.outgoing().isOpen(0, 0)).isFalse();
        assertThat(throttle.outgoing().opensAtNs(0)).isEqualTo(2 * SECOND_NS);
        assertThat(throttle.incoming().isOpen(0, 0)).isTrue();
    }

    /** Scenario 52: set, changed, removed. */
    @Test
    void shouldTakeEffectAtOnceAndTellListeners() {
        // given
        // Fails if: lift() leaves the bucket's debt in force
        throttle.listen(() -> changes.add(throttle.bytesPerSecond() + " for " + throttle.covers(P0, 2)));
        throttle.limit(1_000, replicas(P0, 2), 0);
        throttle.outgoing().passed(10_000, 0);

        // when
        throttle.limit(10_000, replicas(P0, 2), 0);
        long opensAtNs = throttle.outgoing().opensAtNs(0);
        throttle.lift();

        // then
        assertThat(opensAtNs).isEqualTo(SECOND_NS);
        assertThat(throttle.outgoing().isOpen(0, 0)).isTrue();
        assertThat(changes).containsExactly("1000 for true", "10000 for true", "0 for false");
    }

    @Test
    void shouldBeRemovedByASetOfNobody() {
        throttle.limit(1_000, replicas(P0, 2), 0);
        throttle.limit(1_000, ThrottledReplicas.NONE, 0);
        assertThat(throttle.bytesPerSecond()).isZero();
        assertThat(throttle.covers(P0, 2)).isFalse();
    }

    @Test
    void shouldRefuseARateThatIsNoneAndStayAsItIs() {
        throttle.limit(1_000, replicas(P0, 2), 0);
        assertThatThrownBy(() -> throttle.limit(0, replicas(P1, 2), 0)).isInstanceOf(IllegalArgumentException.class);
        assertThat(throttle.covers(P0, 2)).isTrue();
        assertThat(throttle.bytesPerSecond()).isEqualTo(1_000);
    }

    @Test
    void shouldNotChangeWithTheCollectionsItWasMadeFrom() {
        // given
        SortedMap<TopicPartition, SortedSet<Integer>> followers = new TreeMap<>();
        SortedSet<Integer> brokers = new TreeSet<>(List.of(2));
        followers.put(P0, brokers);
        ThrottledReplicas replicas = new ThrottledReplicas(followers);

        // when
        brokers.add(3);
        followers.clear();

        // then
        assertThat(replicas.contains(P0, 2)).isTrue();
        assertThat(replicas.contains(P0, 3)).isFalse();
        assertThat(replicas.of(2)).containsExactly(P0);
    }

    @Test
    void shouldBeSeenInMetrics() {
        // given
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        ThrottleMetrics.register(registry, throttle);

        // when
        throttle.limit(1_000, replicas(P0, 2), 0);
        throttle.outgoing().passed(3_000, 0);
        throttle.lift();
        throttle.limit(2_000, replicas(P0, 2), 0);
        throttle.incoming().passed(1_000, 0);

        // then
        assertThat(registry.get("tidemark.reassignment.throttle.bytes").gauge().value())
                .isEqualTo(2_000);
        assertThat(counted(registry, "tidemark.reassignment.throttled.bytes", "out"))
                .isEqualTo(3_000);
        assertThat(counted(registry, "tidemark.reassignment.throttled.bytes", "in"))
                .isEqualTo(1_000);
        assertThat(counted(registry, "tidemark.reassignment.throttled.seconds", "out"))
                .isEqualTo(3);
        assertThat(counted(registry, "tidemark.reassignment.throttled.seconds", "in"))
                .isEqualTo(0.5);
    }

    private static double counted(SimpleMeterRegistry registry, String name, String direction) {
        return registry.get(name).tag("dir", direction).functionCounter().count();
    }

    private static ThrottledReplicas replicas(TopicPartition partition, Integer... brokers) {
        SortedMap<TopicPartition, SortedSet<Integer>> followers = new TreeMap<>();
        followers.put(partition, new TreeSet<>(List.of(brokers)));
        return new ThrottledReplicas(followers);
    }
}
