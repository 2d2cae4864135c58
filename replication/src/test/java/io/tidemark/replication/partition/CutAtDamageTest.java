package io.tidemark.replication.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.model.ErrorCode;
import io.tidemark.model.Member;
import io.tidemark.model.PartitionState;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who may cut a damaged log: table of {@link DamageStep}. */
final class CutAtDamageTest {
    private static final int SELF = 2;
    private static final int LEADER = 1;

    private final MemoryLog log = MemoryLog.of(1, 1, 1, 1, 1, 1);
    private final Partition partition = new Partition(log, SELF, () -> 20, ReplicaSettings.DEFAULTS, 6);

    private static PartitionState eligible(PartitionState like, int id) {
        return new PartitionState(
                like.topicId(),
                like.partition(),
                like.leader(),
                like.leaderEpoch(),
                like.partitionEpoch(),
                like.replicas(),
                like.isr(),
                List.of(new Member(id, 1)),
                like.effectiveMinIsr(),
                like.controllerEpoch());
    }

    // DESIGN 3
    // Fails if: Replica.cutAtDamage cuts a sound log
    @Test
    void shouldLeaveASoundLogAlone() {
        // given
        partition.become(States.led(LEADER, 2).at(1, LEADER), 0);

        // when / then
        assertThat(partition.cutAtDamage(LEADER)).isEqualTo(new DamageStep.Sound());
        assertThat(log.end().offset()).isEqualTo(6);
    }

    // DESIGN 3: below its own high watermark, for the leader has what was committed
    // Fails if: Replica.cutAtDamage refuses below the high watermark
    @Test
    void shouldCutBelowItsHighWatermarkWhenNobodyCountsOnIt() {
        // given
        partition.become(States.led(LEADER, 2).at(1, LEADER, 3), 0);
        log.damage(2, 4);

        // when
        DamageStep step = partition.cutAtDamage(LEADER);

        // then
        assertThat(step).isInstanceOf(DamageStep.Cut.class);
        assertThat(log.end().offset()).isEqualTo(2);
        assertThat(partition.view().highWatermark()).isEqualTo(2);
        assertThat(partition.followerPosition().orElseThrow().fetchOffset()).isEqualTo(2);
    }

    // I1, DESIGN 6: a member of the in-sync or the eligible set may be elected
    // Fails if: Replica.cutAtDamage forgets the eligible set
    @Test
    void shouldKeepWhatOthersCountOn() {
        // given
        PartitionState inSync = States.led(LEADER, 2).at(1, LEADER, SELF);
        PartitionState eligible = eligible(States.led(LEADER, 2).minIsr(2).at(2, LEADER), SELF);
        log.damage(2, 4);

        for (PartitionState state : List.of(inSync, eligible)) {
            // when
            partition.become(state, 0);
            DamageStep step = partition.cutAtDamage(LEADER);

            // then
            assertThat(step)
                    .isInstanceOfSatisfying(
                            DamageStep.Kept.class,
                            kept -> assertThat(kept.reason()).isEqualTo(DamageStep.Reason.COUNTED_ON));
            assertThat(log.end().offset()).isEqualTo(6);
        }

        // when it is in neither
        partition.become(States.led(LEADER, 2).at(3, LEADER, 3), 0);

        // then
        assertThat(partition.cutAtDamage(LEADER)).isInstanceOf(DamageStep.Cut.class);
    }

    // DESIGN 3, I8: a proposal for what it has proved may be on its way; no such one is granted in the next epoch
    // Fails if: Replica.cutAtDamage does not ask in which epoch the end was shown, or a stop makes it forget that
    @Test
    void shouldCutOnlyBeforeItsFirstFetchInALeaderEpoch() {
        // given
        partition.become(States.led(LEADER, 2).at(1, LEADER, 3), 0);
        assertThat(partition.followerPosition()).isPresent();
        log.damage(2, 4);

        // when / then
        assertThat(reason(LEADER)).isEqualTo(DamageStep.Reason.MAY_BE_PROPOSED);
        partition.stop(ErrorCode.NOT_LEADER_OR_FOLLOWER);
        partition.become(States.led(LEADER, 2).at(1, LEADER, 3), 0);
        assertThat(reason(LEADER)).isEqualTo(DamageStep.Reason.MAY_BE_PROPOSED);
        assertThat(log.end().offset()).isEqualTo(6);

        // when
        partition.become(States.led(LEADER, 3).at(2, LEADER, 3), 0);

        // then
        assertThat(partition.cutAtDamage(LEADER)).isInstanceOf(DamageStep.Cut.class);
        assertThat(log.end().offset()).isEqualTo(2);
    }

    // DESIGN 3: a leader refuses reads and keeps its log; leadership is to move
    // Fails if: Replica.cutAtDamage cuts whatever the role
    @Test
    void shouldKeepItsLogWhenItDoesNotFollowThatLeader() {
        // given
        log.damage(2, 4);

        // when / then without a role, as a follower of another, as the leader
        assertThat(reason(LEADER)).isEqualTo(DamageStep.Reason.NOT_FOLLOWING);
        partition.become(States.led(3, 2).at(1, 3), 0);
        assertThat(reason(LEADER)).isEqualTo(DamageStep.Reason.NOT_FOLLOWING);
        partition.become(States.led(SELF, 3).at(2, SELF), 0);
        assertThat(reason(SELF)).isEqualTo(DamageStep.Reason.NOT_FOLLOWING);
        assertThat(log.end().offset()).isEqualTo(6);
    }

    private DamageStep.Reason reason(int leaderId) {
        return ((DamageStep.Kept) partition.cutAtDamage(leaderId)).reason();
    }
}
