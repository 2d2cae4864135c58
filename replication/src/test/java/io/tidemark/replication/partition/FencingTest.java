package io.tidemark.replication.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.log.LeaderEpochs.EpochEnd;
import io.tidemark.model.ErrorCode;
import io.tidemark.replication.partition.PartitionView.Role;
import org.junit.jupiter.api.Test;

final class FencingTest {
    private static final ErrorCode IDLE = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION;

    private static PartitionView view(Role role) {
        return new PartitionView(role, role == Role.NONE ? -1 : 5, 1, 0, 0, true, 0);
    }

    @Test
    void shouldFenceByEpochBeforeRole() {
        // I4
        // scenario 38. Fails if: Fencing.follower lets a greater epoch in
        for (Role role : new Role[] {Role.LEADER, Role.FOLLOWER}) {
            assertThat(Fencing.follower(view(role), IDLE, 4)).isEqualTo(ErrorCode.FENCED_LEADER_EPOCH);
            assertThat(Fencing.follower(view(role), IDLE, 6)).isEqualTo(ErrorCode.UNKNOWN_LEADER_EPOCH);
        }
        assertThat(Fencing.follower(view(Role.LEADER), IDLE, 5)).isEqualTo(ErrorCode.NONE);
        assertThat(Fencing.follower(view(Role.FOLLOWER), IDLE, 5)).isEqualTo(ErrorCode.NOT_LEADER_OR_FOLLOWER);
        assertThat(Fencing.follower(view(Role.NONE), IDLE, 5)).isEqualTo(IDLE);
    }

    @Test
    void shouldLetOnlyClientsComeWithoutAnEpoch() {
        assertThat(Fencing.client(view(Role.LEADER), IDLE, -1)).isEqualTo(ErrorCode.NONE);
        assertThat(Fencing.client(view(Role.FOLLOWER), IDLE, -1)).isEqualTo(ErrorCode.NOT_LEADER_OR_FOLLOWER);
        assertThat(Fencing.client(view(Role.LEADER), IDLE, 4)).isEqualTo(ErrorCode.FENCED_LEADER_EPOCH);
        assertThat(Fencing.client(view(Role.LEADER), IDLE, 6)).isEqualTo(ErrorCode.UNKNOWN_LEADER_EPOCH);
        assertThat(Fencing.client(view(Role.NONE), IDLE, -1)).isEqualTo(IDLE);
        assertThat(Fencing.follower(view(Role.LEADER), IDLE, -1)).isEqualTo(ErrorCode.FENCED_LEADER_EPOCH);
    }

    @Test
    void shouldFindWhereAReaderDiverges() {
        // I5: epochs by offset
        // Fails if: Fencing.divergence compares epochs and not their ends
        MemoryLog log = MemoryLog.of(0, 0, 2, 5, 5, 5);
        assertThat(Fencing.divergence(log.epochs(), 5, 6)).isEmpty();
        assertThat(Fencing.divergence(log.epochs(), 5, 4)).isEmpty();
        assertThat(Fencing.divergence(log.epochs(), 2, 3)).isEmpty();
        assertThat(Fencing.divergence(log.epochs(), 0, 2)).isEmpty();
        assertThat(Fencing.divergence(log.epochs(), -1, 0)).isEmpty();
        // an epoch that this log does not have
        assertThat(Fencing.divergence(log.epochs(), 4, 6)).contains(new EpochEnd(2, 3));
        assertThat(Fencing.divergence(log.epochs(), 1, 2)).contains(new EpochEnd(0, 2));
        // more of an epoch than this log has
        assertThat(Fencing.divergence(log.epochs(), 0, 3)).contains(new EpochEnd(0, 2));
        assertThat(Fencing.divergence(log.epochs(), 5, 7)).contains(new EpochEnd(5, 6));
    }
}
