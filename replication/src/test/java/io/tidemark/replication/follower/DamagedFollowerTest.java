package io.tidemark.replication.follower;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.log.Log;
import io.tidemark.core.log.LogDamage;
import io.tidemark.core.log.ScrubPoint;
import io.tidemark.core.log.Scrubbed;
import io.tidemark.model.Acks;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.fetch.TestLogs;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A follower whose own log is damaged cuts at the bad batch and fetches again, once nobody counts on it (DESIGN section 3). */
final class DamagedFollowerTest {
    private static final TopicPartition P0 = new TopicPartition("t", 0);
    private static final int LEADER = 1;
    private static final int FOLLOWER = 2;
    private static final int BATCHES = 40;
    private static final Duration WHILE = Duration.ofMillis(1_200);

    private final TestCluster cluster = new TestCluster(FollowerFlush.NONE);

    /** Both in sync, both with everything; then a bit of an early batch changes on the follower's disk. */
    @BeforeEach
    void damage() {
        cluster.start(LEADER);
        cluster.start(FOLLOWER);
        cluster.create(P0, LEADER, FOLLOWER);
        cluster.elect(P0, LEADER, LEADER, FOLLOWER);
        for (int i = 0; i < BATCHES; i++) {
            cluster.broker(LEADER).produce(Acks.ALL, 1_000, P0, TestLogs.batch("value " + i));
            cluster.settle();
        }
        cluster.advance(WHILE);
        assertThat(highWatermark()).isEqualTo(BATCHES);
        cluster.flip(FOLLOWER, P0, 150);
    }

    @AfterEach
    void shouldHaveFailedNowhere() {
        cluster.assertNothingFailed();
    }

    private Log log() {
        return cluster.log(FOLLOWER, P0);
    }

    private long highWatermark() {
        return cluster.broker(FOLLOWER).partition(P0).view().highWatermark();
    }

    private LogDamage scrub() {
        Optional<ScrubPoint> at = Optional.of(ScrubPoint.FRONT);
        while (at.isPresent()) {
            Scrubbed scrubbed = log().scrub(at.get(), 1 << 20);
            at = scrubbed.next();
        }
        return log().damage().orElseThrow();
    }

    // DESIGN 3, I1: whoever may be elected keeps what was committed, damaged or not
    // Fails if: Replica.cutAtDamage does not ask for the in-sync set
    @Test
    void shouldKeepItsLogWhileItIsInSync() {
        // given
        scrub();

        // when
        cluster.pool(FOLLOWER).follow(cluster.broker(FOLLOWER).partition(P0), LEADER, TestCluster.endpoint(LEADER));
        cluster.advance(WHILE);

        // then
        assertThat(log().end().offset()).isEqualTo(BATCHES);
        assertThat(log().damage()).isPresent();
        cluster.broker(LEADER).produce(Acks.ALL, 1_000, P0, TestLogs.batch("more"));
        cluster.advance(WHILE);
        assertThat(log().end().offset()).isEqualTo(BATCHES + 1);
    }

    // DESIGN 3: "a follower cuts at the batch and refetches"; the leader has what was committed
    // Fails if: ReplicaFetcherThread.follow does not cut, or cuts without telling its state
    @Test
    void shouldCutAtTheBatchAndFetchAgainOnceNobodyCountsOnIt() {
        // given
        LogDamage damage = scrub();
        List<String> right = cluster.batches(LEADER, P0);
        long cutsBefore = log().truncations();

        // when: a state that does not name it
        cluster.elect(P0, LEADER, LEADER);
        cluster.advance(WHILE);

        // then
        assertThat(damage.firstBadOffset()).isLessThan(BATCHES / 2);
        assertThat(log().truncations()).isEqualTo(cutsBefore + 1);
        assertThat(log().damage()).isEmpty();
        assertThat(cluster.batches(FOLLOWER, P0)).isEqualTo(right);
        assertThat(cluster.state(P0).isrIds()).containsExactly(LEADER, FOLLOWER);
    }
}
