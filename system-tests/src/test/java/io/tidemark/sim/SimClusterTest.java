package io.tidemark.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.config.TruncationMode;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A whole cluster under the faults that scenarios are made of. */
final class SimClusterTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final SimWorld world = new SimWorld(21, Trace.lastLines(40));
    private final SimCluster cluster = new SimCluster(world, 3, SimSettings.of(TruncationMode.LEADER_EPOCH));
    private int first;
    private int second;

    @BeforeEach
    void startWithOneRecord() {
        cluster.brokerIds().forEach(cluster::start);
        cluster.run(Duration.ofSeconds(2));
        cluster.createTopic(2);
        cluster.await("all follow", cluster::allCaughtUp, PATIENCE);
        first = cluster.leader().orElseThrow();
        second = cluster.brokerIds().stream()
                .filter(id -> id != first)
                .findFirst()
                .orElseThrow();
        cluster.produce(first, "m0");
        awaitAcked(1);
    }

    private void awaitAcked(int count) {
        cluster.await(count + " records", () -> cluster.acked().all().size() == count, PATIENCE);
    }

    // I20: a leader that was stopped and replaced goes on and acknowledges nothing of its own
    // Fails if: SimProcess.pause pauses its ZooKeeper client alone
    @Test
    void shouldReplaceAPausedLeaderAndLoseNothingWhenItGoesOn() {
        // given
        cluster.pause(first);
        cluster.produce(first, "to the paused leader");
        cluster.await(
                "another leads",
                () -> cluster.leader().filter(id -> id != first).isPresent(),
                PATIENCE);
        cluster.produce(cluster.leader().orElseThrow(), "m1");
        awaitAcked(2);

        // when
        cluster.resume(first);
        cluster.healAndVerify(PATIENCE);

        // then
        assertThat(cluster.acked().all().values()).containsExactly("m0", "m1");
    }

    // S75: what the followers hold is committed when the leader hears of it, and not before
    // Fails if: SimNetwork.hold forgets the direction
    @Test
    void shouldAcknowledgeWhenFetchesReachTheLeader() {
        // given
        MessageGate[] gates = cluster.brokerIds().stream()
                .filter(id -> id != first)
                .map(id -> cluster.network().hold(MessageKind.FETCH, id, first))
                .toArray(MessageGate[]::new);
        cluster.run(Duration.ofSeconds(1));
        cluster.produce(first, "m1");
        cluster.run(Duration.ofMillis(300));
        int before = cluster.acked().all().size();

        // when
        for (MessageGate gate : gates) {
            gate.release();
        }
        awaitAcked(2);

        // then
        assertThat(before).isEqualTo(1);
        cluster.healAndVerify(PATIENCE);
    }

    @Test
    void shouldKeepTheInSyncSetWhileClocksDriftALittle() {
        cluster.driftClock(first, 20_000);
        cluster.driftClock(second, -20_000);
        long epoch = leaderEpoch();

        cluster.run(Duration.ofMinutes(2));
        cluster.produce(first, "m1");
        awaitAcked(2);

        assertThat(cluster.leader()).contains(first);
        assertThat(leaderEpoch()).isEqualTo(epoch);
        cluster.healAndVerify(PATIENCE);
    }

    private long leaderEpoch() {
        return cluster.partitionOf(first).orElseThrow().view().leaderEpoch();
    }

    // Fails if: SimNetwork.processEnded tells nobody, so that each fetch of a dead leader waits for its timeout
    @Test
    void shouldLeaveNothingWaitingForTheDead() {
        cluster.crash(second);
        cluster.run(Duration.ofSeconds(20));
        int calm = cluster.network().outstanding();

        for (int i = 0; i < 5; i++) {
            cluster.start(second);
            cluster.run(Duration.ofSeconds(3));
            cluster.crash(second);
        }
        cluster.run(Duration.ofSeconds(20));

        assertThat(cluster.network().outstanding()).isEqualTo(calm);
    }
}
