package io.tidemark.replication.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.model.PartitionState;
import io.tidemark.model.SafetyRule;
import io.tidemark.model.SafetyRules;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Each safety rule of a leader's arithmetic, kept and waived. */
final class LeaderRoleRulesTest {
    private static final Duration BEYOND_LAG = Duration.ofSeconds(31);
    private static final Follower TWO = new Follower(2, 102);
    private static final Follower THREE = new Follower(3, 103);

    private static Leader kept(PartitionState state) {
        return new Leader(state, 0, 0);
    }

    private static Leader without(SafetyRule waived, PartitionState state) {
        return new Leader(state, 0, 0, SafetyRules.without(waived));
    }

    // I7: the leader's high watermark 3 lags behind the start 5 of its epoch, below which records may be committed
    // Fails if: LeaderRole.mayJoin does not ask for JOIN_FROM_EPOCH_START.
    @Test
    void shouldAdmitWhoHasEverythingFromBeforeTheEpoch() {
        // given
        PartitionState state = States.led(1, 5).at(1, 1, 2);
        Leader kept = new Leader(state, 3, 5);
        Leader waived = new Leader(state, 3, 5, SafetyRules.without(SafetyRule.JOIN_FROM_EPOCH_START));

        // when
        Advance refused = kept.fetch(THREE, 3);
        Advance admitted = waived.fetch(THREE, 3);

        // then
        assertThat(refused.proposal()).isNull();
        assertThat(admitted.proposal()).isNotNull();
        assertThat(kept.fetch(THREE, 5).proposal()).isNotNull();
    }

    // I8
    // Fails if: LeaderRole.holdsHighWatermark does not ask for SHRINK_WHEN_CONFIRMED.
    @Test
    void shouldWaitForAMemberUntilItsRemovalIsConfirmed() {
        // given: 2 has 4 of 10 records, and lags
        PartitionState state = States.led(1, 5).replicas(1, 2).at(1, 1, 2);
        Leader kept = kept(state);
        Leader waived = without(SafetyRule.SHRINK_WHEN_CONFIRMED, state);
        lagBehind(kept);
        lagBehind(waived);

        // when
        Advance proposed = kept.check();
        waived.check();

        // then
        assertThat(proposed.proposal()).isNotNull();
        assertThat(kept.hw()).isEqualTo(4);
        assertThat(waived.hw()).isEqualTo(10);
    }

    // I8: a member that the proposal leaves in is waited for under any rules
    // Fails if: LeaderRole.holdsHighWatermark takes every member for one that leaves while a proposal is under way.
    @Test
    void shouldWaitForAMemberThatStaysUnderAnyRules() {
        // given
        Leader waived =
                without(SafetyRule.SHRINK_WHEN_CONFIRMED, States.led(1, 5).at(1, 1, 2, 3));
        waived.appendTo(10);
        waived.fetch(TWO, 4);
        waived.pass(BEYOND_LAG);
        waived.fetch(THREE, 10);
        waived.appendTo(12);

        // when
        Advance advance = waived.check();

        // then
        assertThat(advance.proposal()).isNotNull();
        assertThat(waived.hw()).isEqualTo(10);
    }

    // I8
    // Fails if: LeaderRole.holdsHighWatermark does not ask for GROWTH_WHEN_PROPOSED.
    @Test
    void shouldWaitForAMemberFromBeforeItIsProposed() {
        // given: 2 is caught up at 10 and proposed
        PartitionState state = States.led(1, 5).replicas(1, 2).at(1, 1);
        Leader kept = kept(state);
        Leader waived = without(SafetyRule.GROWTH_WHEN_PROPOSED, state);
        kept.appendTo(10);
        waived.appendTo(10);
        assertThat(kept.fetch(TWO, 10).proposal()).isNotNull();
        assertThat(waived.fetch(TWO, 10).proposal()).isNotNull();

        // when
        kept.appendTo(12);
        waived.appendTo(12);

        // then
        assertThat(kept.hw()).isEqualTo(10);
        assertThat(waived.hw()).isEqualTo(12);
    }

    // I8, the two sets of DESIGN section 5
    // Fails if: LeaderRole.countsForGate does not ask for GATE_COUNTS_CONFIRMED.
    @Test
    void shouldNotCountAMemberThatIsOnlyProposedForTheGate() {
        // given: min ISR 2, 1 is alone
        PartitionState state = States.led(1, 5).replicas(1, 2).minIsr(2).at(1, 1);
        Leader kept = kept(state);
        Leader waived = without(SafetyRule.GATE_COUNTS_CONFIRMED, state);
        kept.appendTo(3);
        waived.appendTo(3);

        // when
        Advance proposed = kept.fetch(TWO, 3);
        waived.fetch(TWO, 3);

        // then
        assertThat(proposed.proposal()).isNotNull();
        assertThat(kept.role.gateOpen()).isFalse();
        assertThat(kept.hw()).isZero();
        assertThat(waived.role.gateOpen()).isTrue();
        assertThat(waived.hw()).isEqualTo(3);
    }

    // I8: nor one that is to leave
    // Fails if: LeaderRole.countsForGate counts every confirmed member.
    @Test
    void shouldNotCountAMemberThatIsProposedForRemovalForTheGate() {
        // given
        PartitionState state = States.led(1, 5).replicas(1, 2).minIsr(2).at(1, 1, 2);
        Leader kept = kept(state);
        Leader waived = without(SafetyRule.GATE_COUNTS_CONFIRMED, state);
        lagBehind(kept);
        lagBehind(waived);

        // when
        kept.check();
        waived.check();

        // then
        assertThat(kept.role.gateOpen()).isFalse();
        assertThat(waived.role.gateOpen()).isTrue();
    }

    // I12, I13
    // Fails if: LeaderRole.gateOpen does not ask for MIN_ISR_OF_THE_STATE.
    @Test
    void shouldGoByTheMinimumOfTheState() {
        // given
        PartitionState state = States.led(1, 5).replicas(1, 2).minIsr(2).at(1, 1);
        Leader kept = kept(state);
        Leader waived = without(SafetyRule.MIN_ISR_OF_THE_STATE, state);

        // when
        kept.appendTo(3);
        waived.appendTo(3);

        // then
        assertThat(kept.role.gateOpen()).isFalse();
        assertThat(kept.hw()).isZero();
        assertThat(waived.role.gateOpen()).isTrue();
        assertThat(waived.hw()).isEqualTo(3);
    }

    private static void lagBehind(Leader leader) {
        leader.appendTo(10);
        leader.fetch(TWO, 4);
        leader.pass(BEYOND_LAG);
    }
}
