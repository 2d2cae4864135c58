package io.tidemark.coordination.cluster;

import static io.tidemark.coordination.cluster.ClusterFixture.TOKEN;
import static io.tidemark.coordination.cluster.ClusterFixture.answer;
import static io.tidemark.coordination.cluster.ClusterFixture.members;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.coordination.cluster.ClusterEvent.TopicConfigsRequested;
import io.tidemark.coordination.cluster.IsrProposal.ProposedMember;
import io.tidemark.model.PartitionState;
import io.tidemark.model.SafetyRule;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Each safety rule of the controller, kept and waived. Three replicas, min ISR 2, broker 1 leads. */
final class ClusterRulesTest {
    private final ClusterFixture kept = ClusterFixture.withTopic(3, 2);
    private final ClusterFixture waived = ClusterFixture.withTopic(3, 2);

    // I11
    // Fails if: Incarnations.arrival does not ask for NEW_LOGS_NEW_INCARNATION.
    @Test
    void shouldGiveLogsWithoutAProofANewIncarnation() {
        // when
        kept.restartWithoutProof(3);
        waived.without(SafetyRule.NEW_LOGS_NEW_INCARNATION).restartWithoutProof(3);

        // then
        assertThat(incarnation(kept, 3)).isEqualTo(2);
        assertThat(incarnation(waived, 3)).isEqualTo(1);
    }

    // I11: nobody is on record, so there is nothing to be taken for
    // Fails if: Incarnations.arrival takes a broker that was never recorded for SAME_LOGS.
    @Test
    void shouldNumberABrokerThatWasNeverSeenUnderAnyRules() {
        // when
        waived.without(SafetyRule.NEW_LOGS_NEW_INCARNATION).register(waived.registration(4, 1, -1));

        // then
        assertThat(incarnation(waived, 4)).isEqualTo(1);
    }

    // I11
    // Fails if: Placement.isOut does not ask for NEW_INCARNATION_LEAVES_ISR.
    @Test
    void shouldTakeAMemberOfANewIncarnationOut() {
        // when
        kept.restartWithoutProof(3);
        waived.without(SafetyRule.NEW_INCARNATION_LEAVES_ISR).restartWithoutProof(3);

        // then
        assertThat(kept.partition().isr()).isEqualTo(members("1#1", "2#1"));
        assertThat(waived.partition().isr()).isEqualTo(members("1#1", "2#1", "3#1"));
        assertThat(incarnation(waived, 3)).isEqualTo(2);
    }

    // I10: no process leads in an epoch that was given to another one, whatever else is waived
    // Fails if: Placement.isOut keeps a leader of a new incarnation.
    @Test
    void shouldTakeALeaderOfANewIncarnationOutUnderAnyRules() {
        // when
        waived.without(SafetyRule.NEW_INCARNATION_LEAVES_ISR).restartWithoutProof(1);

        // then
        assertThat(waived.partition().leader()).isEqualTo(2);
        assertThat(waived.partition().isr()).isEqualTo(members("2#1", "3#1"));
    }

    // I11: the second line; a void member stays in both, and 2 leaves by a proposal
    // Fails if: IsrChange.entries does not ask for STAYING_ENTRY_COPIED.
    @Test
    void shouldCopyTheRecordedEntryOfAMemberThatStays() {
        // given
        kept.without(SafetyRule.NEW_INCARNATION_LEAVES_ISR).restartWithoutProof(3);
        waived.without(SafetyRule.NEW_INCARNATION_LEAVES_ISR, SafetyRule.STAYING_ENTRY_COPIED)
                .restartWithoutProof(3);

        // when
        kept.propose(1, 3);
        waived.propose(1, 3);

        // then
        assertThat(kept.partition().isr()).isEqualTo(members("1#1", "3#1"));
        assertThat(waived.partition().isr()).isEqualTo(members("1#1", "3#2"));
    }

    // I11
    // Fails if: IsrChange.objection does not ask for PROPOSED_EPOCH_IS_LIVE.
    @Test
    void shouldAddAMemberUnderTheEpochThatItFetchedWith() {
        // given
        waived.without(SafetyRule.PROPOSED_EPOCH_IS_LIVE);
        for (ClusterFixture cluster : List.of(kept, waived)) {
            cluster.propose(1, 2);
            long seen = cluster.node(3).brokerEpoch();
            cluster.restartWithoutProof(3);

            // when
            cluster.propose(List.of(
                    new ProposedMember(1, cluster.node(1).brokerEpoch()),
                    new ProposedMember(2, cluster.node(2).brokerEpoch()),
                    new ProposedMember(3, seen)));
        }

        // then
        assertThat(kept.partition().isr()).isEqualTo(members("1#1", "2#1"));
        assertThat(waived.partition().isr()).isEqualTo(members("1#1", "2#1", "3#2"));
    }

    // I8
    // Fails if: IsrChange.onProposal does not ask for REFUSAL_RAISES_EPOCH.
    @Test
    void shouldWriteARefusal() {
        // given
        PartitionState before = waived.partition();

        // when
        proposeStranger(kept);
        Decision silent = proposeStranger(waived.without(SafetyRule.REFUSAL_RAISES_EPOCH));

        // then
        assertThat(kept.partition().partitionEpoch()).isEqualTo(before.partitionEpoch() + 1);
        assertThat(silent.writes()).isEmpty();
        assertThat(answer(silent)).isEqualTo(new Answer.IsrState(before));
    }

    // I8: what is agreed to is written under any rules
    // Fails if: IsrChange.onProposal does not compare the decision with the current state.
    @Test
    void shouldCommitWhatItAgreesToUnderAnyRules() {
        // when
        waived.without(SafetyRule.REFUSAL_RAISES_EPOCH).propose(1, 2);

        // then
        assertThat(waived.partition().isr()).isEqualTo(members("1#1", "2#1"));
        assertThat(waived.partition().partitionEpoch()).isEqualTo(1);
    }

    // I12
    // Fails if: Placement.settle does not ask for VOID_STAYS_ON_RECORD.
    @Test
    void shouldKeepAVoidEntryOnRecord() {
        // given
        waived.without(SafetyRule.VOID_STAYS_ON_RECORD);
        for (ClusterFixture cluster : List.of(kept, waived)) {
            cluster.propose(1, 2);
            cluster.propose(1);

            // when
            cluster.restartWithoutProof(2);
        }

        // then
        assertThat(kept.partition().eligible()).isEqualTo(members("2#1"));
        assertThat(waived.partition().eligible()).isEmpty();
        assertThat(waived.partition().isr()).isEqualTo(members("1#1"));
    }

    // I12: a last member that is void is still followed by a valid eligible one
    // Fails if: Placement.settle forgets void entries before it has elected, or the valid ones with them.
    @Test
    void shouldForgetOnlyWhatIsVoid() {
        // given
        waived.propose(1, 2);
        waived.propose(1);

        // when
        waived.without(SafetyRule.VOID_STAYS_ON_RECORD).restartWithoutProof(1);

        // then
        assertThat(waived.partition().leader()).isEqualTo(2);
        assertThat(waived.partition().isr()).isEqualTo(members("2#1"));
        assertThat(waived.partition().eligible()).isEmpty();
    }

    // I12
    // Fails if: PartitionChange.leader does not ask for ELIGIBLE_ON_EVERY_CHANGE.
    @Test
    void shouldHoldALostLeaderEligible() {
        // given
        waived.without(SafetyRule.ELIGIBLE_ON_EVERY_CHANGE);
        for (ClusterFixture cluster : List.of(kept, waived)) {
            cluster.propose(1, 2);

            // when
            cluster.lose(1);
        }

        // then
        assertThat(kept.partition().leader()).isEqualTo(2);
        assertThat(kept.partition().eligible()).isEqualTo(members("1#1"));
        assertThat(waived.partition().leader()).isEqualTo(2);
        assertThat(waived.partition().eligible()).isEmpty();
    }

    // I12: 2 left while min ISR was 2; 1 acknowledges alone once that is 1
    // Fails if: PartitionChange.minIsr does not ask for LOWERED_MIN_ISR_CLEARS, or EligibleSet.after empties a set that
    // stays.
    @Test
    void shouldElectNobodyOfBeforeTheMinimumFell() {
        // given
        waived.without(SafetyRule.LOWERED_MIN_ISR_CLEARS);
        for (ClusterFixture cluster : List.of(kept, waived)) {
            cluster.propose(1, 2);
            cluster.propose(1);
            TreeMap<String, String> lowered = new TreeMap<>();
            lowered.put("min.insync.replicas", "1");
            cluster.on(new TopicConfigsRequested(TOKEN, "t", lowered));

            // when
            cluster.lose(1);
        }

        // then
        assertThat(kept.partition().hasLeader()).isFalse();
        assertThat(kept.partition().eligible()).isEmpty();
        assertThat(waived.partition().leader()).isEqualTo(2);
        assertThat(waived.partition().isr()).isEqualTo(members("2#1"));
    }

    private static Decision proposeStranger(ClusterFixture cluster) {
        return cluster.propose(List.of(new ProposedMember(1, cluster.node(1).brokerEpoch()), new ProposedMember(9, 1)));
    }

    private static long incarnation(ClusterFixture cluster, int brokerId) {
        return Objects.requireNonNull(cluster.state().incarnations().get(brokerId))
                .number();
    }
}
