package io.tidemark.sim.check;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.model.PartitionState;
import io.tidemark.replication.partition.PartitionView.Role;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class LeaderHoldsTest {
    private final CheckRig rig = new CheckRig();
    private final PartitionState first = CheckRig.state(1, 0, 0, 1, 2, 3);
    private final PartitionState second = CheckRig.state(2, 1, 1, 2, 3);
    private final LeaderHolds invariant = new LeaderHolds();

    @BeforeEach
    void acknowledgeOne() {
        rig.record(first);
        rig.allHave(first, "m0");
        rig.acknowledge(1, 0, "m0", first);
        rig.check(invariant);
        rig.record(second);
    }

    // I1
    @Test
    void shouldAcceptALeaderThatHasEverything() {
        rig.replica(2).append(1, "m1").shows(second, Role.LEADER, 2);
        rig.check(invariant);
        rig.replica(1).cutTo(0).shows(second, Role.FOLLOWER, 0);

        assertThatCode(() -> rig.check(invariant)).doesNotThrowAnyException();
    }

    // I1, I8, I12
    // Fails if: LeaderHolds.check stops at the first epoch that anybody led in
    @Test
    void shouldFindALeaderWithoutAnAcknowledgedRecord() {
        rig.replica(2).cutTo(0).shows(second, Role.LEADER, 0);

        assertThatThrownBy(() -> rig.check(invariant))
                .isInstanceOf(Violation.class)
                .hasMessageContaining("I1: broker 2 leads t-0 in epoch 1 without the acknowledged record m0@0")
                .hasMessageContaining("brokers [2, 3] answer");
    }

    // I20: a deposed leader may lack what was committed since
    // Fails if: LeaderHolds.check asks whoever leads in any epoch
    @Test
    void shouldLetADeposedLeaderLackWhatCameAfterIt() {
        rig.replica(2).append(1, "m1").shows(second, Role.LEADER, 2);
        rig.replica(1).append(0, "x");

        assertThatCode(() -> rig.check(invariant)).doesNotThrowAnyException();
    }

    // I12
    // Fails if: LeaderHolds asks for what a disaster took from all who answer
    @Test
    void shouldLetALeaderLackWhatIsExcused() {
        rig.check(invariant);
        rig.accountable.get(CheckRig.PARTITION).destroyed(2, batch -> true);
        rig.accountable.get(CheckRig.PARTITION).destroyed(3, batch -> true);
        rig.replica(2).cutTo(0).shows(second, Role.LEADER, 0);

        assertThatCode(() -> rig.check(invariant)).doesNotThrowAnyException();
    }
}
