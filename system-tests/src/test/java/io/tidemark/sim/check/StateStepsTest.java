package io.tidemark.sim.check;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.model.Member;
import io.tidemark.model.PartitionState;
import io.tidemark.sim.check.CheckSettings.Unclean;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** DESIGN section 6, step by step: what a controller may write, and what not. Members are written {@code id#incarnation}. */
final class StateStepsTest {
    private final CheckRig rig = new CheckRig();
    private final StateSteps invariant = new StateSteps(Unclean.FORBIDDEN);

    @BeforeEach
    void create() {
        accepts(next(1, 0, 0, 2, "1#1 2#1 3#1", ""));
    }

    private static PartitionState next(
            int leader, int leaderEpoch, int partitionEpoch, int minIsr, String isr, String eligible) {
        PartitionState plain = CheckRig.state(leader, leaderEpoch, partitionEpoch, 1);
        return new PartitionState(
                plain.topicId(),
                plain.partition(),
                leader,
                leaderEpoch,
                partitionEpoch,
                plain.replicas(),
                members(isr),
                members(eligible),
                minIsr,
                1);
    }

    private static List<Member> members(String text) {
        return Arrays.stream(text.split(" "))
                .filter(each -> !each.isEmpty())
                .map(each -> each.split("#"))
                .map(each -> new Member(Integer.parseInt(each[0]), Long.parseLong(each[1])))
                .toList();
    }

    private void accepts(PartitionState state) {
        rig.record(state);
        assertThatCode(() -> rig.check(invariant)).doesNotThrowAnyException();
    }

    private void refuses(PartitionState state, String text) {
        rig.record(state);
        assertThatThrownBy(() -> rig.check(invariant))
                .isInstanceOf(Violation.class)
                .hasMessageContaining(text);
    }

    // I8, I12: a shrink, a loss, growth
    @Test
    void shouldAcceptThatMembersGoAndCome() {
        accepts(next(1, 0, 1, 2, "1#1 2#1", ""));
        accepts(next(1, 0, 2, 2, "1#1", "2#1"));
        accepts(next(1, 0, 3, 2, "1#1", "2#1"));
        accepts(next(1, 0, 4, 2, "1#1 3#1", ""));
    }

    // I12: elections in their order
    @Test
    void shouldAcceptElections() {
        accepts(next(2, 1, 1, 2, "2#1 3#1", ""));
        accepts(next(2, 1, 2, 2, "2#1", "3#1"));
        accepts(next(-1, 2, 3, 2, "2#1", "3#1"));
        accepts(next(3, 3, 4, 2, "3#1", "2#1"));
        rig.life(2, 2);
        rig.life(3, 2);
        accepts(next(-1, 4, 5, 2, "3#1", "2#1"));
        accepts(next(2, 5, 6, 2, "2#2", "3#1"));
        accepts(next(2, 5, 7, 2, "2#2 3#2", ""));
    }

    // I12: lowering min ISR clears the eligible set, raising it adds nobody; one write may do that and a loss
    @Test
    void shouldAcceptChangesOfMinIsr() {
        accepts(next(1, 0, 1, 2, "1#1", "2#1 3#1"));
        accepts(next(1, 0, 2, 1, "1#1", ""));
        accepts(next(1, 0, 3, 2, "1#1", ""));
        accepts(next(1, 0, 4, 2, "1#1 2#1", ""));
        accepts(next(1, 0, 5, 3, "1#1", "2#1"));
    }

    // I12
    // Fails if: StateSteps.checkEligible looks at sizes alone
    @Test
    void shouldFindAnEligibleSetThatWasNotComputed() {
        refuses(next(1, 0, 1, 2, "1#1", ""), "I12: the eligible set should be [2#1, 3#1]");
    }

    // I12: void is not gone
    // Fails if: StateSteps.expectedEligible leaves void entries out
    @Test
    void shouldFindThatAVoidEntryIsDeleted() {
        rig.life(2, 2);

        refuses(next(1, 0, 1, 2, "1#1", "3#1"), "I12: the eligible set should be [2#1, 3#1]");
    }

    // I12
    // Fails if: StateSteps.expectedEligible keeps eligible members when min ISR is lowered
    @Test
    void shouldFindThatLoweringMinIsrKeepsTheEligibleSet() {
        accepts(next(1, 0, 1, 3, "1#1", "2#1 3#1"));

        refuses(next(1, 0, 2, 2, "1#1", "2#1 3#1"), "I12: the eligible set should be []");
    }

    // I9
    // Fails if: StateSteps.checkEpochs lets the leader change in an epoch
    @Test
    void shouldFindThatALeaderEpochIsGivenTwice() {
        refuses(next(2, 0, 1, 2, "1#1 2#1 3#1", ""), "I9: a leader epoch is given twice");
    }

    // I8
    // Fails if: StateSteps.checkEpochs accepts any greater partition epoch, or the same
    @Test
    void shouldFindAPartitionEpochThatIsNotTheNext() {
        refuses(next(1, 0, 0, 2, "1#1 2#1", ""), "I8: the partition epoch is not the next");
    }

    // I10
    // Fails if: StateSteps.checkEpochs compares no controller epochs
    @Test
    void shouldFindAControllerThatIsNoLonger() {
        rig.controllerEpoch(2);

        refuses(next(1, 0, 1, 2, "1#1 2#1", ""), "I10: written by a controller of epoch 1 while the epoch is 2");
    }

    // I11: a committed proposal copies the entries of who stays
    // Fails if: StateSteps.checkEntries compares broker ids alone
    @Test
    void shouldFindANewEntryForWhoStays() {
        rig.life(2, 2);

        refuses(next(1, 0, 1, 2, "1#1 2#2", ""), "I11: broker 2#2 stood there as 2#1");
    }

    // I11
    // Fails if: StateSteps.checkEntries takes any entry of who is added
    @Test
    void shouldFindAnOldEntryForWhoIsAdded() {
        accepts(next(1, 0, 1, 2, "1#1 2#1", ""));
        rig.life(3, 2);

        refuses(next(1, 0, 2, 2, "1#1 2#1 3#1", ""), "I11: broker 3#1 is added");
    }

    // I9: in an election nobody joins
    // Fails if: StateSteps.checkEntries lets anybody be added in a new leader epoch
    @Test
    void shouldFindThatAnElectionAddsSomebody() {
        accepts(next(1, 0, 1, 2, "1#1 2#1", ""));

        refuses(next(2, 1, 2, 2, "2#1 3#1", ""), "I11: broker 3#1 stood there as null");
    }

    // I11
    // Fails if: StateSteps.checkElection elects void entries
    @Test
    void shouldFindThatAVoidEntryIsElected() {
        rig.life(2, 2);

        refuses(next(2, 1, 1, 2, "2#1 3#1", ""), "I11: a void entry is elected");
    }

    // I14
    // Fails if: StateStep.kind takes every new entry for that of a recovery election
    @Test
    void shouldFindARecoveryElectionWhileSomebodyValidIsOnRecord() {
        rig.life(2, 2);
        accepts(next(-1, 1, 1, 2, "2#1", "1#1 3#1"));

        refuses(next(2, 2, 2, 2, "2#2", "1#1 3#1"), "I14: a new entry is elected");
    }

    // I8
    // Fails if: StateSteps.checkSets lets anybody lead
    @Test
    void shouldFindALeaderOutsideTheInSyncSet() {
        refuses(next(1, 0, 1, 2, "2#1 3#1", ""), "I8: a leader out of sync");
    }
}
