package io.tidemark.coordination.cluster;

import static io.tidemark.coordination.cluster.ClusterFixture.PARTITION;
import static io.tidemark.coordination.cluster.ClusterFixture.TOKEN;
import static io.tidemark.coordination.cluster.ClusterFixture.answer;
import static io.tidemark.coordination.cluster.ClusterFixture.members;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.coordination.cluster.ClusterEvent.LeaderTransferRequested;
import io.tidemark.coordination.cluster.ClusterEvent.PreferredElectionDue;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import org.junit.jupiter.api.Test;

final class PreferredLeadersTest {
    private final ClusterFixture cluster = ClusterFixture.withTopic(3, 2);

    @Test
    void shouldTransferToALiveMemberUnderANewLeaderEpoch() {
        // when
        Decision decision = transfer(3);

        // then
        assertThat(cluster.partition().leader()).isEqualTo(3);
        assertThat(cluster.partition().isr()).isEqualTo(members("1#1", "2#1", "3#1"));
        assertThat(answer(decision)).isEqualTo(new Answer.LeaderTransferred(1));

        // when: it leads already
        Decision again = transfer(3);

        // then
        assertThat(again.writes()).isEmpty();
        assertThat(answer(again)).isEqualTo(new Answer.LeaderTransferred(1));
    }

    @Test
    void shouldRefuseABrokerThatMayNotLead() {
        // given: 3 is out of sync, 2 is in question, 9 does not exist
        cluster.propose(1, 2);
        cluster.vanish(2);

        // then
        assertThat(refusal(3)).isEqualTo(ErrorCode.INELIGIBLE_REPLICA);
        assertThat(refusal(2)).isEqualTo(ErrorCode.INELIGIBLE_REPLICA);
        assertThat(refusal(9)).isEqualTo(ErrorCode.INELIGIBLE_REPLICA);
        Decision unknown = cluster.on(new LeaderTransferRequested(TOKEN, new TopicPartition("x", 0), 1));
        assertThat(((Answer.Refused) answer(unknown)).error()).isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
    }

    @Test
    void shouldGiveLeadershipBackToThePreferredLeaderScenario49() {
        // given
        transfer(2);

        // when
        cluster.on(new PreferredElectionDue());

        // then
        assertThat(cluster.partition().leader()).isEqualTo(1);
        assertThat(cluster.partition().leaderEpoch()).isEqualTo(2);

        // when: back to back
        Decision again = cluster.on(new PreferredElectionDue());

        // then
        assertThat(again.writes()).isEmpty();
    }

    @Test
    void shouldLeaveAPartitionWhosePreferredLeaderIsNotInSync() {
        // given
        cluster.restart(1);

        // then
        assertThat(cluster.on(new PreferredElectionDue()).writes()).isEmpty();
        assertThat(cluster.partition().leader()).isEqualTo(2);
    }

    private ErrorCode refusal(int to) {
        Decision decision = transfer(to);
        assertThat(decision.writes()).isEmpty();
        return ((Answer.Refused) answer(decision)).error();
    }

    private Decision transfer(int to) {
        return cluster.on(new LeaderTransferRequested(TOKEN, PARTITION, to));
    }
}
