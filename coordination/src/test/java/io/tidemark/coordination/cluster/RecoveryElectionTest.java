package io.tidemark.coordination.cluster;

import static io.tidemark.coordination.cluster.ClusterFixture.PARTITION;
import static io.tidemark.coordination.cluster.ClusterFixture.TOPIC_ID;
import static io.tidemark.coordination.cluster.ClusterFixture.all;
import static io.tidemark.coordination.cluster.ClusterFixture.members;
import static io.tidemark.coordination.cluster.ClusterFixture.notices;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.coordination.cluster.ClusterEvent.LogEndsAnswered;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** I12: the power failed on every broker, so no entry is valid. Min ISR is 2, ISR {1}, eligible {2, 3}. */
final class RecoveryElectionTest {
    private final ClusterFixture cluster = belowMinIsr();

    @Test
    void shouldWaitForEveryBrokerOfIsrAndEligible() {
        // given
        allGone(cluster);

        // when
        Decision first = cluster.restartWithoutProof(1);
        Decision second = cluster.restartWithoutProof(2);

        // then
        assertThat(all(first, Command.DescribeLogEnds.class)).isEmpty();
        assertThat(all(second, Command.DescribeLogEnds.class)).isEmpty();
        assertThat(cluster.partition().hasLeader()).isFalse();

        // when
        Decision third = cluster.restartWithoutProof(3);

        // then
        assertThat(all(third, Command.DescribeLogEnds.class))
                .extracting(asked -> asked.of().id())
                .containsExactly(1, 2, 3);
        assertThat(all(third, Command.DescribeLogEnds.class).get(0).logs())
                .isEqualTo(new TreeMap<>(Map.of(PARTITION, TOPIC_ID)));
    }

    @Test
    void shouldElectTheGreatestEpochThenOffsetAndKeepLosersAsVoidEligible() {
        // given
        long round = allBackWithoutProof();

        // when: the last epoch weighs more than the length
        answer(round, 1, new LogEnd(3, 100));
        answer(round, 2, new LogEnd(4, 40));
        Decision decision = answer(round, 3, new LogEnd(4, 39));

        // then
        assertThat(cluster.partition().leader()).isEqualTo(2);
        assertThat(cluster.partition().isr()).isEqualTo(members("2#2"));
        assertThat(cluster.partition().eligible()).isEqualTo(members("1#1", "3#1"));
        assertThat(notices(decision)).containsExactly(Notice.Kind.RECOVERY_ELECTION);
        assertThat(cluster.state().recoveries()).isEmpty();

        // when: the ISR reaches min ISR
        cluster.propose(2, 1);

        // then
        assertThat(cluster.partition().isr()).isEqualTo(members("2#2", "1#2"));
        assertThat(cluster.partition().eligible()).isEmpty();
    }

    @Test
    void shouldTakeTheFirstAssignedAmongEquals() {
        // given
        long round = allBackWithoutProof();

        // when
        answer(round, 3, LogEnd.EMPTY);
        answer(round, 2, LogEnd.EMPTY);
        answer(round, 1, LogEnd.EMPTY);

        // then
        assertThat(cluster.partition().leader()).isEqualTo(1);
    }

    @Test
    void shouldElectAloneWithOneReplica() {
        // given
        ClusterFixture one = ClusterFixture.withTopic(1, 1);

        // when
        Decision back = one.restartWithoutProof(1);
        long round = all(back, Command.DescribeLogEnds.class).get(0).round();
        one.on(new LogEndsAnswered(
                round, 1, one.node(1).brokerEpoch(), new TreeMap<>(Map.of(PARTITION, new LogEnd(0, 7)))));

        // then
        assertThat(one.partition().leader()).isEqualTo(1);
        assertThat(one.partition().isr()).isEqualTo(members("1#2"));
        assertThat(one.partition().leaderEpoch()).isEqualTo(2);
    }

    @Test
    void shouldAskAllAgainWhenABrokerRegistersAnewDuringTheRound() {
        // given
        long round = allBackWithoutProof();
        answer(round, 1, new LogEnd(9, 9));
        answer(round, 2, new LogEnd(1, 1));

        // when
        Decision bounced = cluster.restart(1);

        // then
        assertThat(all(bounced, Command.DescribeLogEnds.class)).hasSize(3);
        assertThat(answer(round, 3, new LogEnd(1, 2)).writes())
                .as("an answer to the old round")
                .isEmpty();
        assertThat(cluster.partition().hasLeader()).isFalse();
    }

    @Test
    void shouldAskAgainLaterWhenABrokerDoesNotAnswer() {
        // given
        long round = allBackWithoutProof();

        // when
        Decision silent =
                cluster.on(new LogEndsAnswered(round, 2, cluster.node(2).brokerEpoch(), null));

        // then
        assertThat(all(silent, Command.StartTimer.class)).hasSize(1);

        // when
        Decision due = cluster.on(new ClusterEvent.RecoveryRetryDue());

        // then
        List<Command.DescribeLogEnds> again = all(due, Command.DescribeLogEnds.class);
        assertThat(again).hasSize(3);
        assertThat(again.get(0).round()).isGreaterThan(round);
    }

    @Test
    void shouldNotAskWhileAValidMemberMayReturn() {
        // given: 1 and 2 are void, 3 proves its logs
        allGone(cluster);
        cluster.restartWithoutProof(1);
        cluster.restartWithoutProof(2);

        // when
        Decision decision = cluster.restart(3);

        // then: a valid eligible member leads without a round
        assertThat(all(decision, Command.DescribeLogEnds.class)).isEmpty();
        assertThat(cluster.partition().leader()).isEqualTo(3);
        assertThat(cluster.partition().eligible()).isEqualTo(members("1#1", "2#1"));
    }

    private long allBackWithoutProof() {
        allGone(cluster);
        cluster.restartWithoutProof(1);
        cluster.restartWithoutProof(2);
        return all(cluster.restartWithoutProof(3), Command.DescribeLogEnds.class)
                .get(0)
                .round();
    }

    private Decision answer(long round, int broker, LogEnd end) {
        return cluster.on(new LogEndsAnswered(
                round, broker, cluster.node(broker).brokerEpoch(), new TreeMap<>(Map.of(PARTITION, end))));
    }

    private static ClusterFixture belowMinIsr() {
        ClusterFixture cluster = ClusterFixture.withTopic(3, 2);
        cluster.propose(1);
        assertThat(cluster.partition().eligible()).isEqualTo(members("2#1", "3#1"));
        return cluster;
    }

    /** The last to go is 1, so that no eligible member takes over. */
    private static void allGone(ClusterFixture cluster) {
        cluster.lose(2);
        cluster.lose(3);
        cluster.lose(1);
        assertThat(cluster.partition().hasLeader()).isFalse();
    }
}
