package io.tidemark.replication.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.testkit.SeededRandomness;
import io.tidemark.model.PartitionState;
import io.tidemark.replication.partition.Became.Change;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The transition table of {@link RoleChange} (I9), for broker 1. */
final class RoleChangeTest {
    private static final PartitionState KNOWN = States.led(2, 5).at(7, 1, 2);

    private static Change withRole(PartitionState offered) {
        return RoleChange.decide(KNOWN, true, offered, 1);
    }

    private static Change withoutRole(PartitionState offered) {
        return RoleChange.decide(KNOWN, false, offered, 1);
    }

    @Test
    void shouldActOnTheFirstStateByItsContent() {
        assertThat(RoleChange.decide(null, false, States.led(1, 0).at(0, 1), 1)).isEqualTo(Change.LEADER);
        assertThat(RoleChange.decide(null, false, States.led(2, 0).at(0, 2), 1)).isEqualTo(Change.FOLLOWER);
        assertThat(RoleChange.decide(null, false, States.led(-1, 0).at(0, 2), 1))
                .isEqualTo(Change.STOPPED);
        assertThat(RoleChange.decide(
                        null, false, States.led(2, 0).replicas(2, 3).at(0, 2), 1))
                .isEqualTo(Change.STOPPED);
    }

    @Test
    void shouldActOnAGreaterLeaderEpochWhateverThePartitionEpoch() {
        assertThat(withRole(States.led(1, 6).at(1, 1))).isEqualTo(Change.LEADER);
        assertThat(withRole(States.led(2, 6).at(8, 2))).isEqualTo(Change.FOLLOWER);
        assertThat(withRole(States.led(-1, 6).at(8, 2))).isEqualTo(Change.STOPPED);
    }

    @Test
    void shouldOnlyUpdateInTheSameLeaderEpoch() {
        // scenario 34
        // Fails if: RoleChange.decide takes an equal partition epoch for news
        assertThat(withRole(States.led(2, 5).at(8, 2))).isEqualTo(Change.UPDATED);
        assertThat(withRole(States.led(2, 5).at(7, 2))).isEqualTo(Change.STALE);
        assertThat(withRole(States.led(2, 5).at(6, 2))).isEqualTo(Change.STALE);
        assertThat(withRole(States.led(2, 4).at(99, 2))).isEqualTo(Change.STALE);
    }

    @Test
    void shouldStopWhenItIsNoReplicaAnyMore() {
        assertThat(withRole(States.led(2, 5).replicas(2, 3).at(8, 2))).isEqualTo(Change.STOPPED);
    }

    @Test
    void shouldNotBelieveInTwoLeadersOfOneEpoch() {
        assertThat(withRole(States.led(1, 5).at(8, 1))).isEqualTo(Change.STALE);
        assertThat(withRole(States.led(3, 5).at(8, 3))).isEqualTo(Change.STALE);
        assertThat(withoutRole(States.led(1, 5).at(8, 1))).isEqualTo(Change.STALE);
    }

    @Test
    void shouldTakeItsRoleUpAgainAfterAStop() {
        // a full state did not name the replica; a later one does, unchanged
        assertThat(withoutRole(States.led(2, 5).at(7, 2))).isEqualTo(Change.FOLLOWER);
        assertThat(withoutRole(States.led(2, 5).at(8, 2))).isEqualTo(Change.FOLLOWER);
        assertThat(withoutRole(States.led(2, 5).at(6, 2))).isEqualTo(Change.STALE);
        assertThat(withoutRole(States.led(2, 4).at(9, 2))).isEqualTo(Change.STALE);
    }

    @Test
    void shouldEndAtTheHighestOfAThousandShuffledAndDoubledStates() {
        // Fails if: RoleChange.decide acts on a lower leader epoch
        // given I9
        SeededRandomness random = new SeededRandomness(20_240_731L);
        List<PartitionState> states = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            int leaderEpoch = i / 10;
            PartitionState state = States.led(1 + leaderEpoch % 3, leaderEpoch).at(i, 1, 2, 3);
            states.add(state);
            if (random.oneIn(2)) {
                states.add(state);
            }
        }
        for (int i = states.size() - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            PartitionState moved = states.set(i, states.get(other));
            states.set(other, moved);
        }
        MemoryLog log = new MemoryLog();
        Partition partition = new Partition(log, 1, () -> 101, ReplicaSettings.DEFAULTS, 0);
        int[] highestEpoch = {-1};
        // when
        states.forEach(state -> {
            partition.become(state, 0);
            // then it never goes back
            assertThat(partition.view().leaderEpoch()).as(random.toString()).isGreaterThanOrEqualTo(highestEpoch[0]);
            highestEpoch[0] = partition.view().leaderEpoch();
        });
        // then
        assertThat(partition.state())
                .as(random.toString())
                .contains(States.led(1, 99).at(999, 1, 2, 3));
        assertThat(partition.view().role()).isEqualTo(PartitionView.Role.LEADER);
        assertThat(log.truncations()).isZero();
    }
}
