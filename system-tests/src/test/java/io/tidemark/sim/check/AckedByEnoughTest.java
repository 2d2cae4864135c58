package io.tidemark.sim.check;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.config.FlushMode;
import io.tidemark.model.PartitionState;
import io.tidemark.replication.partition.PartitionView.Role;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class AckedByEnoughTest {
    private final CheckRig rig = new CheckRig();
    private final PartitionState state = CheckRig.state(1, 0, 0, 1, 2);
    private final PartitionState smaller = CheckRig.state(1, 0, 1, 1);
    private final AckedByEnough async = new AckedByEnough(FlushMode.ASYNC);
    private final AckedByEnough sync = new AckedByEnough(FlushMode.SYNC);

    @BeforeEach
    void twoHaveOne() {
        rig.record(state);
        rig.replica(1).append(0, "m0").shows(state, Role.LEADER, 1);
        rig.replica(2).append(0, "m0").shows(state, Role.FOLLOWER, 0);
    }

    private void accepts(AckedByEnough invariant) {
        assertThatCode(() -> rig.check(invariant)).doesNotThrowAnyException();
    }

    private void refuses(AckedByEnough invariant, String text) {
        assertThatThrownBy(() -> rig.check(invariant))
                .isInstanceOf(Violation.class)
                .hasMessageContaining("I13: broker 1 acknowledged")
                .hasMessageContaining(text);
    }

    // I13
    @Test
    void shouldAcceptWhatMinIsrMembersHold() {
        rig.acknowledge(1, 0, "m0", state);

        accepts(async);
    }

    // I13: the answer came before the record was committed
    // Fails if: AckedByEnough.check asks for copies alone
    @Test
    void shouldFindAnAnswerBeforeTheHighWatermark() {
        rig.replica(1).append(0, "m1");
        rig.replica(2).append(0, "m1");
        rig.acknowledge(1, 1, "m1", state);

        refuses(async, "m1@1 of t-0, where nothing is committed");
    }

    // I13
    // Fails if: AckedByEnough.check takes any record at the offset for the one that was sent
    @Test
    void shouldFindThatAnotherRecordIsThere() {
        rig.acknowledge(1, 0, "other", state);

        refuses(async, "where m0@0 is committed");
    }

    // I6, I8: a member is counted that does not hold it
    // Fails if: AckedByEnough.isEnough counts members, not copies
    @Test
    void shouldFindThatTooFewMembersHoldIt() {
        rig.replica(1).append(0, "m1").shows(state, Role.LEADER, 2);
        rig.acknowledge(1, 1, "m1", state);

        refuses(async, "which too few members hold of what it had confirmed");
    }

    // I8: a replica that is only proposed does not open the gate
    // Fails if: AckedByEnough.isEnough counts copies of whoever has one
    @Test
    void shouldCountConfirmedMembersAlone() {
        rig.replica(1).shows(smaller, Role.LEADER, 1);
        rig.acknowledge(1, 0, "m0", smaller);

        refuses(async, "which too few members hold");
    }

    // I13: committed by the state before, and that one is gone when the event is over
    // Fails if: AckedByEnough.check forgets stateBefore
    @Test
    void shouldAcceptWhatTheStateBeforeTheEventAllows() {
        rig.replica(1).shows(state, Role.LEADER, 0);
        rig.check(async);
        rig.replica(1).shows(smaller, Role.LEADER, 1);
        rig.acknowledge(1, 0, "m0", smaller);

        accepts(async);
    }

    // I12: sync mode
    // Fails if: AckedByEnough.holds looks at the log's end in sync mode
    @Test
    void shouldAskForDurableCopiesInSyncMode() {
        rig.replica(1).forced = 1;
        rig.acknowledge(1, 0, "m0", state);
        refuses(sync, "hold durably");

        rig.replica(2).forced = 1;
        rig.acknowledge(1, 0, "m0", state);
        accepts(sync);
    }

    // I6: a copy was proved, and its machine lost power before the leader heard from the others
    // Fails if: AckedByEnough.isEnough forgets disasters
    @Test
    void shouldCountACopyThatADisasterTookSinceTheEpochBegan() {
        rig.check(async);
        rig.disasters.struck(2);
        rig.replica(2).cutTo(0).shows(state, Role.NONE, 0);
        rig.acknowledge(1, 0, "m0", state);

        accepts(async);
    }
}
