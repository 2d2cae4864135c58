package io.tidemark.coordination.cluster;

import static io.tidemark.coordination.cluster.ClusterFixture.PARTITION;
import static io.tidemark.coordination.cluster.ClusterFixture.TOKEN;
import static io.tidemark.coordination.cluster.ClusterFixture.TOPIC_ID;
import static io.tidemark.coordination.cluster.ClusterFixture.answer;
import static io.tidemark.coordination.cluster.ClusterFixture.members;
import static io.tidemark.coordination.cluster.ClusterFixture.notices;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.coordination.cluster.ClusterEvent.DamageReported;
import io.tidemark.coordination.cluster.ClusterEvent.IsrProposed;
import io.tidemark.coordination.cluster.IsrProposal.ProposedMember;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import java.util.List;
import org.junit.jupiter.api.Test;

/** DESIGN 3, CORRUPT: the table of {@link DamagedReplicas}. Broker 1 leads brokers 2 and 3. */
final class DamagedReplicasTest {
    private final ClusterFixture cluster = ClusterFixture.withTopic(3, 2);

    // S5, DESIGN 3: a corrupt replica must fetch again, never lead
    // Fails if: DamagedReplicas.leader keeps the present leader without asking whether it is the damaged one
    @Test
    void shouldMoveLeadershipOffADamagedLeader() {
        // when
        Decision decision = report(1);

        // then
        assertThat(answer(decision)).isEqualTo(new Answer.Done());
        assertThat(cluster.partition().leader()).isEqualTo(2);
        assertThat(cluster.partition().leaderEpoch()).isEqualTo(1);
        assertThat(cluster.partition().isr()).isEqualTo(members("2#1", "3#1"));
        assertThat(cluster.partition().eligible()).isEmpty();
        assertThat(notices(decision)).containsExactly(Notice.Kind.REPLICA_DAMAGED);
    }

    // DESIGN 3: it leaves the in-sync and the eligible set, for it is about to drop what it has
    // Fails if: PartitionChange.withoutDamaged takes EligibleSet.after
    @Test
    void shouldNotMakeADamagedMemberEligible() {
        // given
        cluster.propose(1, 2);

        // when
        report(2);

        // then
        assertThat(cluster.partition().leader()).isEqualTo(1);
        assertThat(cluster.partition().isr()).isEqualTo(members("1#1"));
        assertThat(cluster.partition().eligible()).isEmpty();
    }

    // Fails if: EligibleSet.afterDamage drops other entries than that of the damaged copy
    @Test
    void shouldTakeADamagedEligibleMemberOutAndLeaveTheOthers() {
        // given: min ISR 3, and both others left while the set was too small
        ClusterFixture strict = ClusterFixture.withTopic(3, 3);
        strict.propose(1);
        assertThat(strict.partition().eligible()).isEqualTo(members("2#1", "3#1"));

        // when
        strict.on(new DamageReported(TOKEN, 3, strict.node(3).brokerEpoch(), TOPIC_ID, PARTITION, 0));

        // then
        assertThat(strict.partition().isr()).isEqualTo(members("1#1"));
        assertThat(strict.partition().eligible()).isEqualTo(members("2#1"));
    }

    // I1, DESIGN 3: "never the last copy"; a sole copy stays readable around the damage
    // Fails if: DamagedReplicas.takeOut elects somebody who is not a live valid member
    @Test
    void shouldLeaveTheLastCopyWhereItIs() {
        // given
        cluster.propose(1, 2);
        cluster.lose(2);

        // when
        Decision ofTheLeader = report(1);

        // then
        assertThat(ofTheLeader.writes()).isEmpty();
        assertThat(refusal(ofTheLeader)).isEqualTo(ErrorCode.INELIGIBLE_REPLICA);
        assertThat(cluster.partition().leader()).isEqualTo(1);
    }

    // DESIGN 6: else the live valid eligible member; it has what was committed, and could not copy past the damage
    // Fails if: DamagedReplicas.takeOut looks for a leader among the in-sync members alone
    @Test
    void shouldMoveLeadershipOffTheLastInSyncCopyToAnEligibleOne() {
        // given: min ISR 3, and both others left while the set was too small
        ClusterFixture strict = ClusterFixture.withTopic(3, 3);
        strict.propose(1);

        // when
        Decision decision =
                strict.on(new DamageReported(TOKEN, 1, strict.node(1).brokerEpoch(), TOPIC_ID, PARTITION, 0));

        // then
        assertThat(answer(decision)).isEqualTo(new Answer.Done());
        assertThat(strict.partition().leader()).isEqualTo(2);
        assertThat(strict.partition().leaderEpoch()).isEqualTo(1);
        assertThat(strict.partition().isr()).isEqualTo(members("2#1"));
        assertThat(strict.partition().eligible()).isEqualTo(members("3#1"));
    }

    // I1: nobody but the damaged copy is left
    // Fails if: DamagedReplicas.takeOut elects an eligible member without asking whether it can lead
    @Test
    void shouldLeaveTheLastCopyWhereItIsWhenTheEligibleOnesAreGone() {
        // given: min ISR 3; both others are eligible, then lost
        ClusterFixture strict = ClusterFixture.withTopic(3, 3);
        strict.propose(1);
        strict.lose(2);
        strict.lose(3);

        // when
        Decision decision =
                strict.on(new DamageReported(TOKEN, 1, strict.node(1).brokerEpoch(), TOPIC_ID, PARTITION, 0));

        // then
        assertThat(decision.writes()).isEmpty();
        assertThat(refusal(decision)).isEqualTo(ErrorCode.INELIGIBLE_REPLICA);
    }

    // I8: a member that is in question may be gone
    // Fails if: DamagedReplicas.leader does not ask whether the broker is live
    @Test
    void shouldNotCountOnAMemberThatIsInQuestion() {
        // given
        cluster.propose(1, 2);
        cluster.vanish(2);

        // then
        assertThat(refusal(report(1))).isEqualTo(ErrorCode.INELIGIBLE_REPLICA);
    }

    // I8: what the damaged copy proved before it was cut must bring it into no in-sync set
    // Fails if: PartitionChange.withoutDamaged leaves the leader epoch as it is where the leader stays
    @Test
    void shouldRefuseEveryProposalFromBeforeTheReport() {
        // given: 3 is out of sync, has caught up, and the leader's proposal is on its way
        cluster.propose(1, 2);
        IsrProposal late = new IsrProposal(
                TOPIC_ID,
                PARTITION,
                cluster.partition().leaderEpoch(),
                cluster.partition().partitionEpoch(),
                List.of(member(1), member(2), member(3)));

        // when: 3 reports a damage and cuts; then the controller changes, and the proposal arrives at last
        report(3);
        cluster.newController();
        cluster.brokersChanged();
        Decision decision = cluster.on(new IsrProposed(TOKEN, 1, cluster.node(1).brokerEpoch(), late));

        // then
        assertThat(refusal(decision)).isEqualTo(ErrorCode.FENCED_LEADER_EPOCH);
        assertThat(cluster.partition().isrIds()).containsExactly(1, 2);
        assertThat(cluster.partition().leaderEpoch()).isEqualTo(1);
    }

    // Fails if: DamagedReplicas.onReport acts on a report of an older leader epoch
    @Test
    void shouldDoNothingAboutAReportThatIsOvertaken() {
        // given
        DamageReported report = reported(1);
        cluster.on(report);
        int epoch = cluster.partition().leaderEpoch();

        // when
        Decision again = cluster.on(report);

        // then
        assertThat(again.writes()).isEmpty();
        assertThat(answer(again)).isEqualTo(new Answer.Done());
        assertThat(cluster.partition().leaderEpoch()).isEqualTo(epoch);
    }

    // Fails if: DamagedReplicas.error lets any of these pass
    @Test
    void shouldRefuseReportsThatFitNothing() {
        long epoch = cluster.node(2).brokerEpoch();
        TopicPartition unknown = new TopicPartition("t", 9);

        assertThat(refusal(cluster.on(new DamageReported(TOKEN, 2, epoch, TOPIC_ID, unknown, 0))))
                .isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(refusal(cluster.on(new DamageReported(TOKEN, 2, epoch, new TopicId(1, 2), PARTITION, 0))))
                .isEqualTo(ErrorCode.INCONSISTENT_TOPIC_ID);
        assertThat(refusal(cluster.on(new DamageReported(TOKEN, 2, epoch + 1_000, TOPIC_ID, PARTITION, 0))))
                .isEqualTo(ErrorCode.STALE_BROKER_EPOCH);
        assertThat(refusal(cluster.on(new DamageReported(TOKEN, 2, epoch, TOPIC_ID, PARTITION, 1))))
                .isEqualTo(ErrorCode.UNKNOWN_LEADER_EPOCH);
        ClusterFixture small = ClusterFixture.withTopic(2, 1);
        small.register(small.registration(3, 1, BrokerRegistration.PROVES_NOTHING));
        assertThat(refusal(small.on(new DamageReported(TOKEN, 3, small.node(3).brokerEpoch(), TOPIC_ID, PARTITION, 0))))
                .isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
    }

    private ProposedMember member(int id) {
        return new ProposedMember(id, cluster.node(id).brokerEpoch());
    }

    private DamageReported reported(int id) {
        return new DamageReported(
                TOKEN,
                id,
                cluster.node(id).brokerEpoch(),
                TOPIC_ID,
                PARTITION,
                cluster.partition().leaderEpoch());
    }

    private Decision report(int id) {
        return cluster.on(reported(id));
    }

    private static ErrorCode refusal(Decision decision) {
        return ((Answer.Refused) answer(decision)).error();
    }
}
