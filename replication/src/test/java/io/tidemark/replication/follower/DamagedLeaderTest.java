package io.tidemark.replication.follower;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.log.Log;
import io.tidemark.core.log.ScrubPoint;
import io.tidemark.model.Acks;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.fetch.TestLogs;
import io.tidemark.replication.partition.DamageReport;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** DESIGN 3, CORRUPT: a leader whose log is damaged, after the controller has moved leadership off it. */
final class DamagedLeaderTest {
    private static final TopicPartition P0 = new TopicPartition("t", 0);
    private static final int DAMAGED = 1;
    private static final int SOUND = 2;
    private static final int BATCHES = 40;
    private static final Duration WHILE = Duration.ofMillis(1_200);

    private final TestCluster cluster = new TestCluster(FollowerFlush.NONE);

    @AfterEach
    void shouldHaveFailedNowhere() {
        cluster.assertNothingFailed();
    }

    private Log log() {
        return cluster.log(DAMAGED, P0);
    }

    private void scrub() {
        Optional<ScrubPoint> at = Optional.of(ScrubPoint.FRONT);
        while (at.isPresent()) {
            at = log().scrub(at.get(), 1 << 20).next();
        }
    }

    // DESIGN 3: it leaves both sets, leadership moves, then it cuts and fetches again, and comes back in sync
    // Fails if: Replica.cutAtDamage takes an end shown in any epoch for one of this, or ReplicaFetcherThread.follow
    // does not cut
    @Test
    void shouldHealOnceAnotherLeadsInANewEpoch() {
        // given
        cluster.start(DAMAGED);
        cluster.start(SOUND);
        cluster.create(P0, DAMAGED, SOUND);
        cluster.elect(P0, DAMAGED, DAMAGED, SOUND);
        for (int i = 0; i < BATCHES; i++) {
            cluster.broker(DAMAGED).produce(Acks.ALL, 1_000, P0, TestLogs.batch("value " + i));
            cluster.settle();
        }
        cluster.advance(WHILE);
        cluster.flip(DAMAGED, P0, 150);
        scrub();
        int leaderEpoch = cluster.state(P0).leaderEpoch();
        assertThat(cluster.broker(DAMAGED).partition(P0).damageReport())
                .contains(new DamageReport(TestLogs.TOPIC_ID, P0, leaderEpoch));

        // when: what the controller makes of the report
        List<String> right = cluster.batches(SOUND, P0);
        cluster.elect(P0, SOUND, SOUND);
        cluster.advance(WHILE);

        // then
        assertThat(right).hasSize(BATCHES);
        assertThat(log().damage()).isEmpty();
        assertThat(cluster.batches(DAMAGED, P0)).isEqualTo(right);
        assertThat(cluster.state(P0).isrIds()).containsExactlyInAnyOrder(DAMAGED, SOUND);
        assertThat(cluster.broker(DAMAGED).partition(P0).damageReport()).isEmpty();
    }
}
