package io.tidemark.coordination.cluster;

import static io.tidemark.coordination.cluster.ClusterFixture.PARTITION;
import static io.tidemark.coordination.cluster.ClusterFixture.TOKEN;
import static io.tidemark.coordination.cluster.ClusterFixture.TOPIC_ID;
import static io.tidemark.coordination.cluster.ClusterFixture.answer;
import static io.tidemark.coordination.cluster.ClusterFixture.members;
import static io.tidemark.coordination.cluster.ClusterFixture.notices;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.coordination.cluster.ClusterEvent.IsrProposed;
import io.tidemark.coordination.cluster.IsrProposal.ProposedMember;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class IsrChangeTest {
    private final ClusterFixture cluster = ClusterFixture.withTopic(3, 2);

    @Test
    void shouldCommitAShrinkAndAnswerWithTheNewState() {
        // when
        Decision decision = cluster.propose(1, 2);

        // then
        assertThat(cluster.partition().isr()).isEqualTo(members("1#1", "2#1"));
        assertThat(cluster.partition().partitionEpoch()).isEqualTo(1);
        assertThat(cluster.partition().leaderEpoch()).isZero();
        assertThat(answer(decision)).isEqualTo(new Answer.IsrState(cluster.partition()));
        assertThat(ClusterFixture.all(decision, Command.PushChanges.class))
                .containsExactly(new Command.PushChanges(List.of(PARTITION), List.of()));
    }

    @Test
    void shouldGrowByAMemberUnderItsLiveBrokerEpoch() {
        // given
        cluster.propose(1, 2);

        // when
        cluster.propose(1, 2, 3);

        // then
        assertThat(cluster.partition().isr()).isEqualTo(members("1#1", "2#1", "3#1"));
    }

    @Test
    void shouldRefuseAMemberSeenUnderAnEarlierBrokerEpochI11() {
        // I11, scenario 30. Fails if: IsrChange admits a member whatever broker epoch it was seen under
        // given: 3 caught up, then came back as another process, with a wiped disk, before the proposal arrived
        cluster.propose(1, 2);
        long seen = cluster.node(3).brokerEpoch();
        cluster.restartWithoutProof(3);
        PartitionState before = cluster.partition();

        // when
        Decision decision = cluster.propose(List.of(
                new ProposedMember(1, cluster.node(1).brokerEpoch()),
                new ProposedMember(2, cluster.node(2).brokerEpoch()),
                new ProposedMember(3, seen)));

        // then: the unchanged state under a greater partition epoch releases the leader
        assertThat(cluster.partition().isr()).isEqualTo(before.isr());
        assertThat(cluster.partition().partitionEpoch()).isEqualTo(before.partitionEpoch() + 1);
        assertThat(answer(decision)).isEqualTo(new Answer.IsrState(cluster.partition()));
        assertThat(notices(decision)).containsExactly(Notice.Kind.PROPOSAL_REFUSED);
    }

    @Test
    void shouldRefuseMembersThatMakeNoInSyncSet() {
        // given: neither an empty set, nor one without the leader, nor a stranger, nor a broker twice
        List<List<ProposedMember>> wrong = new ArrayList<>();
        ProposedMember leader = new ProposedMember(1, cluster.node(1).brokerEpoch());
        ProposedMember second = new ProposedMember(2, cluster.node(2).brokerEpoch());
        wrong.add(List.of());
        wrong.add(List.of(second));
        wrong.add(List.of(leader, new ProposedMember(9, 1)));
        wrong.add(List.of(leader, second, second));

        for (List<ProposedMember> proposal : wrong) {
            PartitionState before = cluster.partition();

            // when
            Decision decision = cluster.propose(proposal);

            // then
            assertThat(cluster.partition().isr()).isEqualTo(before.isr());
            assertThat(cluster.partition().partitionEpoch()).isEqualTo(before.partitionEpoch() + 1);
            assertThat(answer(decision)).isEqualTo(new Answer.IsrState(cluster.partition()));
        }
    }

    @Test
    void shouldRefuseAMemberThatIsShuttingDownOrHasNoNode() {
        // scenario 30. Fails if: IsrChange admits a member that stops
        // given
        cluster.propose(1, 2);
        cluster.on(new ClusterEvent.ControlledShutdownRequested(
                TOKEN, 3, cluster.node(3).brokerEpoch()));

        // when
        Decision whileStopping = cluster.propose(1, 2, 3);
        long epoch = cluster.node(3).brokerEpoch();
        cluster.vanish(3);
        Decision whileGone = cluster.propose(List.of(
                new ProposedMember(1, cluster.node(1).brokerEpoch()),
                new ProposedMember(2, cluster.node(2).brokerEpoch()),
                new ProposedMember(3, epoch)));

        // then
        assertThat(notices(whileStopping)).contains(Notice.Kind.PROPOSAL_REFUSED);
        assertThat(notices(whileGone)).contains(Notice.Kind.PROPOSAL_REFUSED);
        assertThat(cluster.partition().isr()).isEqualTo(members("1#1", "2#1"));
    }

    @Test
    void shouldAnswerARepeatedProposalWithTheStateItMadeKafka1382() {
        // given: committed, and the answer was lost
        IsrProposal proposal = new IsrProposal(
                TOPIC_ID,
                PARTITION,
                0,
                0,
                List.of(new ProposedMember(1, cluster.node(1).brokerEpoch())));
        cluster.propose(proposal);
        PartitionState committed = cluster.partition();

        // when
        Decision again = cluster.propose(proposal);

        // then: nothing is written, and the answer releases the leader
        assertThat(again.writes()).isEmpty();
        assertThat(answer(again)).isEqualTo(new Answer.IsrState(committed));
        assertThat(committed.partitionEpoch()).isGreaterThan(proposal.partitionEpoch());
    }

    @Test
    void shouldCopyTheRecordedEntryOfAMemberThatStaysVoidOrNot() {
        // given: 2 is in question, and its entry is void
        cluster.propose(1, 2);
        cluster.vanish(2);
        ClusterDraft draft = new ClusterDraft(cluster.state());
        draft.record(5, cluster.recorded(2));
        PartitionState before = cluster.partition();

        // when: the leader keeps 2, whose present broker epoch it does not know, and adds 3
        IsrChange.onProposal(
                draft,
                new IsrProposed(
                        TOKEN,
                        1,
                        cluster.node(1).brokerEpoch(),
                        new IsrProposal(
                                TOPIC_ID,
                                PARTITION,
                                before.leaderEpoch(),
                                before.partitionEpoch(),
                                List.of(
                                        new ProposedMember(1, cluster.node(1).brokerEpoch()),
                                        new ProposedMember(2, 4),
                                        new ProposedMember(3, cluster.node(3).brokerEpoch())))));

        // then
        assertThat(draft.partition(PARTITION).isr()).isEqualTo(members("1#1", "2#1", "3#1"));
    }

    @Test
    void shouldAnswerWithAnErrorWhatIsNotTheLeadersToAsk() {
        // given
        long epoch = cluster.node(1).brokerEpoch();
        IsrProposal right = proposal(TOPIC_ID, PARTITION, 0, 0);

        // then: an error is no answer, so nothing is written
        assertThat(refusal(1, epoch, proposal(new TopicId(1, 1), PARTITION, 0, 0)))
                .isEqualTo(ErrorCode.INCONSISTENT_TOPIC_ID);
        assertThat(refusal(1, epoch, proposal(TOPIC_ID, new TopicPartition("t", 1), 0, 0)))
                .isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(refusal(1, epoch - 1, right)).isEqualTo(ErrorCode.STALE_BROKER_EPOCH);
        assertThat(refusal(2, cluster.node(2).brokerEpoch(), right)).isEqualTo(ErrorCode.NOT_LEADER_OR_FOLLOWER);
        assertThat(refusal(1, epoch, proposal(TOPIC_ID, PARTITION, 1, 0))).isEqualTo(ErrorCode.UNKNOWN_LEADER_EPOCH);
        assertThat(refusal(1, epoch, proposal(TOPIC_ID, PARTITION, 0, 1))).isEqualTo(ErrorCode.INVALID_UPDATE_VERSION);
        cluster.on(new ClusterEvent.LeaderTransferRequested(TOKEN, PARTITION, 2));
        assertThat(refusal(1, epoch, right)).isEqualTo(ErrorCode.FENCED_LEADER_EPOCH);
    }

    @Test
    void shouldHoldEligibleThoseWhoLeaveBelowMinIsrI12() {
        // when
        cluster.propose(1, 2);
        cluster.propose(1);

        // then
        assertThat(cluster.partition().isr()).isEqualTo(members("1#1"));
        assertThat(cluster.partition().eligible()).isEqualTo(members("2#1"));

        // when
        cluster.propose(1, 3);

        // then
        assertThat(cluster.partition().eligible()).isEmpty();
    }

    private static IsrProposal proposal(TopicId id, TopicPartition partition, int leaderEpoch, int partitionEpoch) {
        return new IsrProposal(id, partition, leaderEpoch, partitionEpoch, List.of(new ProposedMember(1, 101)));
    }

    private ErrorCode refusal(int proposer, long epoch, IsrProposal proposal) {
        Decision decision = cluster.on(new IsrProposed(TOKEN, proposer, epoch, proposal));
        assertThat(decision.writes()).isEmpty();
        return ((Answer.Refused) answer(decision)).error();
    }
}
