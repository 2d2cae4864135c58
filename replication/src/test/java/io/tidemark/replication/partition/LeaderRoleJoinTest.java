package io.tidemark.replication.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.model.PartitionState;
import io.tidemark.replication.partition.IsrProposal.ProposedMember;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who is proposed for the in-sync set: whoever fetched since it left or was refused, and nobody because time passed. */
final class LeaderRoleJoinTest {
    private static final Follower TWO = new Follower(2, 102);
    private static final Follower THREE = new Follower(3, 103);

    private static Leader leader(PartitionState state) {
        return new Leader(state, 0, 0);
    }

    private static List<Integer> ids(Advance advance) {
        return Optional.ofNullable(advance.proposal())
                .map(proposal -> proposal.members().stream()
                        .map(ProposedMember::brokerId)
                        .toList())
                .orElse(List.of());
    }

    @Test
    void shouldNotProposeAReplicaThatDiedAndWasTakenOut() {
        // given 2 has everything as of just now; then it dies, and the controller takes it out
        Leader leader = leader(States.led(1, 5).replicas(1, 2).at(1, 1, 2));
        leader.appendTo(5);
        leader.fetch(TWO, 5);
        // when
        Advance adopted = leader.adopt(States.led(1, 5).replicas(1, 2).at(2, 1));
        // then no event but a fetch of its own brings it up again, and nobody waits for it
        assertThat(ids(adopted)).isEmpty();
        for (int second = 0; second < 40; second++) {
            leader.pass(Duration.ofSeconds(1));
            assertThat(ids(leader.check())).isEmpty();
            assertThat(ids(leader.appendTo(6 + second))).isEmpty();
            assertThat(leader.hw()).isEqualTo(6 + second);
        }
        assertThat(ids(leader.fetch(TWO, 45))).containsExactly(1, 2);
    }

    @Test
    void shouldNotProposeARefusedReplicaByThePassingOfTime() {
        // given 2 fetched after it had left, and was refused since its broker is dead by now
        Leader leader = leader(States.led(1, 5).replicas(1, 2, 3).at(1, 1, 3));
        leader.fetch(THREE, 0);
        assertThat(ids(leader.fetch(TWO, 0))).containsExactly(1, 2, 3);
        assertThat(ids(leader.adopt(States.led(1, 5).replicas(1, 2, 3).at(2, 1, 3))))
                .isEmpty();
        // when the pause is long over, and others fetch
        for (int second = 0; second < 25; second++) {
            leader.pass(Duration.ofSeconds(1));
            // then
            assertThat(ids(leader.check())).isEmpty();
            leader.appendTo(second + 1);
            assertThat(ids(leader.fetch(THREE, second + 1))).isEmpty();
            assertThat(leader.hw()).as("nobody waits for 2").isEqualTo(second + 1);
        }
        // and a state that changes something else is no wish of the replica either
        assertThat(ids(leader.adopt(States.led(1, 5).replicas(1, 2, 3).minIsr(2).at(3, 1, 3))))
                .isEmpty();
        assertThat(ids(leader.round(TWO))).isEmpty();
        assertThat(ids(leader.fetch(TWO, 25))).containsExactly(1, 2, 3);
    }

    @Test
    void shouldNotCountAFetchDuringThePauseAfterARefusal() {
        // given
        Leader leader = leader(States.led(1, 5).replicas(1, 2).at(1, 1));
        leader.fetch(TWO, 0);
        leader.adopt(States.led(1, 5).replicas(1, 2).at(2, 1));
        leader.pass(Duration.ofMillis(900));
        assertThat(ids(leader.fetch(TWO, 0))).isEmpty();
        // when it dies before the pause is over
        leader.pass(Duration.ofMillis(200));
        // then
        assertThat(ids(leader.check())).isEmpty();
        leader.appendTo(1);
        assertThat(leader.hw()).isEqualTo(1);
    }
}
