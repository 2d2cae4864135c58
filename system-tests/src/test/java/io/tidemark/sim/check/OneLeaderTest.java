package io.tidemark.sim.check;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.model.PartitionState;
import io.tidemark.replication.partition.PartitionView.Role;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class OneLeaderTest {
    private final CheckRig rig = new CheckRig();
    private final PartitionState state = CheckRig.state(1, 0, 0, 1, 2, 3);
    private final OneLeader invariant = new OneLeader();

    @BeforeEach
    void oneLeads() {
        rig.record(state);
        rig.allHave(state, "m0");
        rig.check(invariant);
    }

    @Test
    void shouldAcceptThatAnotherLeadsInTheNextEpoch() {
        rig.replica(1).append(0, "m1");
        rig.replica(2).shows(CheckRig.state(2, 1, 1, 1, 2, 3), Role.LEADER, 1);

        assertThatCode(() -> rig.check(invariant)).doesNotThrowAnyException();
    }

    // I9
    // Fails if: OneLeader.check remembers the last leader of an epoch
    @Test
    void shouldFindTwoLeadersOfOneEpoch() {
        rig.replica(2).shows(state, Role.LEADER, 1);

        assertThatThrownBy(() -> rig.check(invariant))
                .isInstanceOf(Violation.class)
                .hasMessage("I9: brokers 1 and 2 both lead t-0 in epoch 0");
    }

    // I10: a new process leads by an old push
    // Fails if: OneLeader.check compares broker ids alone
    @Test
    void shouldFindAProcessThatLeadsInAnEpochOfAnEarlierOne() {
        rig.restartProcesses();
        rig.replica(1).append(0, "m1");

        assertThatThrownBy(() -> rig.check(invariant))
                .isInstanceOf(Violation.class)
                .hasMessage("I10: a later process of broker 1 leads t-0 in epoch 0");
    }
}
