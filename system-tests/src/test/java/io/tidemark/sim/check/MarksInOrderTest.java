package io.tidemark.sim.check;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.config.TruncationMode;
import io.tidemark.model.Member;
import io.tidemark.model.PartitionState;
import io.tidemark.replication.partition.PartitionView.Role;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class MarksInOrderTest {
    private final CheckRig rig = new CheckRig();
    private final PartitionState state = CheckRig.state(1, 3, 0, 1, 2, 3);
    private final MarksInOrder invariant = new MarksInOrder(TruncationMode.LEADER_EPOCH);

    @BeforeEach
    void allHaveTwo() {
        rig.record(state);
        rig.allHave(state, "m0");
        rig.check(invariant);
        rig.replica(1).append(3, "m1").shows(state, Role.LEADER, 2);
        rig.replica(2).append(3, "m1").shows(state, Role.FOLLOWER, 1);
        rig.check(invariant);
    }

    private void refuses(String text) {
        assertThatThrownBy(() -> rig.check(invariant))
                .isInstanceOf(Violation.class)
                .hasMessageContaining(text);
    }

    // I17
    // Fails if: MarksInOrder.checkOrder looks at one side alone
    @Test
    void shouldFindAHighWatermarkBeyondTheLog() {
        rig.replica(2).shows(state, Role.FOLLOWER, 3);

        refuses("I17: broker 2 has high watermark 3 outside its log from 0 to 2");
    }

    // I17, I18
    // Fails if: MarksInOrder.checkOrder looks at one side alone
    @Test
    void shouldFindALogThatStartsAboveItsHighWatermark() {
        rig.replica(2).start = 2;
        rig.replica(2).append(3, "m2");

        refuses("I17: broker 2 has high watermark 1 outside its log from 2 to 3");
    }

    // I17
    // Fails if: MarksInOrder.checkFall compares nothing
    @Test
    void shouldFindAHighWatermarkThatFallsThoughNothingWasCut() {
        rig.replica(2).shows(state, Role.FOLLOWER, 0);

        refuses("I17: broker 2 lowered its high watermark from 1 to 0 and cut nothing");
    }

    // I1
    // Fails if: MarksInOrder.checkCuts accepts any number of cuts
    @Test
    void shouldFindACutBelowTheHighWatermark() {
        rig.replica(2).cuts = 1;
        rig.replica(2).cutTo(0).shows(state, Role.FOLLOWER, 0);

        refuses("I1: broker 2 cut its log below its high watermark after clean elections");
    }

    // I1, DESIGN section 5: what the tripwire allows
    // Fails if: MarksInOrder.afterEvent does not ask how leaders were elected
    @Test
    void shouldAcceptACutBelowTheHighWatermarkAfterARecoveryElection() {
        for (int id = 1; id <= 3; id++) {
            rig.life(id, 2);
        }
        rig.record(CheckRig.state(-1, 4, 1, 1));
        PartitionState plain = CheckRig.state(1, 5, 2, 1);
        PartitionState recovered = new PartitionState(
                plain.topicId(),
                plain.partition(),
                1,
                5,
                2,
                plain.replicas(),
                List.of(new Member(1, 2)),
                plain.eligible(),
                2,
                1);
        rig.record(recovered);
        rig.replica(2).cuts = 1;
        rig.replica(2).cutTo(0).shows(recovered, Role.FOLLOWER, 0);

        assertThatCode(() -> rig.check(invariant)).doesNotThrowAnyException();
    }

    // I1
    // Fails if: MarksInOrder takes no notice of the truncation mode
    @Test
    void shouldAcceptCutsInTheModeThatIsKnownForThem() {
        rig.replica(2).cuts = 1;
        rig.replica(2).cutTo(0).shows(state, Role.FOLLOWER, 0);

        assertThatCode(() -> rig.check(new MarksInOrder(TruncationMode.HIGH_WATERMARK)))
                .doesNotThrowAnyException();
    }

    // I5, I10
    // Fails if: MarksInOrder.checkEpochs compares nothing with the leader epoch
    @Test
    void shouldFindABatchOfAGreaterEpochThanTheReplicas() {
        rig.replica(2).append(4, "early");

        refuses("I10: broker 2 has a batch of epoch 4 in leader epoch 3");
    }

    // I5
    // Fails if: MarksInOrder.checkEpochs compares no batches
    @Test
    void shouldFindEpochsThatFall() {
        rig.replica(2).append(2, "late");

        refuses("I5: broker 2 has a batch of epoch 2 behind one of a greater epoch");
    }
}
