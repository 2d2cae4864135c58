package io.tidemark.sim.check;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.model.Member;
import io.tidemark.model.PartitionState;
import io.tidemark.replication.partition.PartitionView.Role;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class InSyncHoldsTest {
    private final CheckRig rig = new CheckRig();
    private final PartitionState state = CheckRig.state(1, 0, 0, 1, 2);
    private final InSyncHolds invariant = new InSyncHolds();

    @BeforeEach
    void allButTheThirdHaveOne() {
        rig.record(state);
        rig.replica(1).append(0, "m0").shows(state, Role.LEADER, 1);
        rig.replica(2).append(0, "m0").shows(state, Role.FOLLOWER, 0);
        rig.replica(3).shows(state, Role.FOLLOWER, 0);
        rig.check(invariant);
    }

    private void refuses(String member) {
        assertThatThrownBy(() -> rig.check(invariant))
                .isInstanceOf(Violation.class)
                .hasMessageContaining("I6: broker " + member)
                .hasMessageContaining("without the committed m0@0");
    }

    private void accepts() {
        assertThatCode(() -> rig.check(invariant)).doesNotThrowAnyException();
    }

    // I8: a leader went on without a member that ZooKeeper still names
    // Fails if: InSyncHolds looks at the leader's own knowledge of the ISR
    @Test
    void shouldFindACommittedRecordThatAMemberLacks() {
        rig.replica(1).append(0, "m1").shows(state, Role.LEADER, 2);

        assertThatThrownBy(() -> rig.check(invariant)).hasMessageContaining("broker 2#1 is in sync");
    }

    // I7: whoever lacks what was committed joins
    // Fails if: HeldBatches.firstMissing takes a batch for seen that was not there
    @Test
    void shouldFindThatOneJoinsWithoutACommittedRecord() {
        rig.record(CheckRig.state(1, 0, 1, 1, 2, 3));

        refuses("3#1 is in sync");
        refuses("3#1 is in sync");
    }

    // I1: a member cuts what was committed
    // Fails if: HeldBatches goes on where it was though the log was cut
    @Test
    void shouldFindThatAMemberCutsACommittedRecord() {
        rig.replica(2).cutTo(0).shows(state, Role.FOLLOWER, 0);

        refuses("2#1 is in sync");
    }

    // I12
    // Fails if: InSyncHolds.afterEvent looks at the ISR alone
    @Test
    void shouldFindAnEligibleMemberThatLacksACommittedRecord() {
        rig.record(withEligible(new Member(3, 1)));

        refuses("3#1 is eligible");
    }

    // I11: a void entry cannot be elected
    // Fails if: InSyncHolds.isValid compares no incarnations
    @Test
    void shouldLetVoidEntriesLackRecords() {
        rig.life(3, 2);
        rig.record(withEligible(new Member(3, 1)));

        accepts();
    }

    // I11: until the new process is on record, the entry is about a disk that is no more; then it is void, or a lie
    // Fails if: InSyncHolds.isValid trusts the record of a process that ran before the disaster
    @Test
    void shouldNotBelieveARecordFromBeforeADisasterAndBelieveOneFromAfterIt() {
        rig.disasters.struck(2);
        rig.replica(2).cutTo(0).shows(state, Role.NONE, 0);
        accepts();
        rig.restartProcesses();
        accepts();

        rig.life(2, 1);

        refuses("2#1 is in sync");
    }

    // Fails if: HeldBatches.firstMissing asks for excused batches
    @Test
    void shouldNotAskForWhatIsExcused() {
        rig.accountable.get(CheckRig.PARTITION).destroyed(1, batch -> true);
        rig.accountable.get(CheckRig.PARTITION).destroyed(2, batch -> true);
        rig.replica(2).cutTo(0).shows(state, Role.FOLLOWER, 0);

        accepts();
    }

    private PartitionState withEligible(Member... eligible) {
        PartitionState plain = CheckRig.state(1, 0, 1, 1);
        return new PartitionState(
                plain.topicId(),
                plain.partition(),
                plain.leader(),
                plain.leaderEpoch(),
                plain.partitionEpoch(),
                plain.replicas(),
                plain.isr(),
                List.of(eligible),
                plain.effectiveMinIsr(),
                plain.controllerEpoch());
    }
}
