package io.tidemark.replication.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.log.LogEnd;
import io.tidemark.core.runtime.Invariant.InvariantBrokenException;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.PartitionState;
import io.tidemark.replication.partition.IsrProposal.ProposedMember;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The leader's arithmetic, without a log: the local end is a number, 10 bytes a record. */
final class LeaderRoleTest {
    private static final Duration LAG = Duration.ofSeconds(30);
    private static final Follower TWO = new Follower(2, 102);
    private static final Follower THREE = new Follower(3, 103);

    private static Leader leader(PartitionState state) {
        return new Leader(state, 0, 0);
    }

    private static List<Integer> ids(Advance advance) {
        return Optional.ofNullable(advance.proposal()).map(LeaderRoleTest::ids).orElse(List.of());
    }

    private static List<Integer> ids(IsrProposal proposal) {
        return proposal.members().stream().map(ProposedMember::brokerId).toList();
    }

    @Test
    void shouldAdvanceToTheLowestEndOfAllMembersWithItsPosition() {
        // S28. Fails if: HighWatermark.raiseTo moves the offset without the position
        // given S29
        Leader leader = leader(States.led(1, 5).at(1, 1, 2, 3));
        leader.appendTo(10);
        leader.fetch(TWO, 7);
        // when
        Advance advance = leader.fetch(THREE, 4);
        // then
        assertThat(advance.committed()).isTrue();
        assertThat(leader.hw()).isEqualTo(4);
        assertThat(leader.highWatermark.position()).isEqualTo(40);
    }

    @Test
    void shouldAdvanceWithTheLocalEndWhenItLeadsAlone() {
        // scenario 29: HW may advance when the ISR is one
        // S27. Fails if: LeaderRole.onLocalEnd moves nothing
        Leader leader = new Leader(States.led(1, 5).replicas(1).at(1, 1), 2, 6);
        assertThat(leader.hw()).isEqualTo(6);
        assertThat(leader.appendTo(9).committed()).isTrue();
        assertThat(leader.hw()).isEqualTo(9);
        assertThat(leader.highWatermark.position()).isEqualTo(90);
    }

    @Test
    void shouldNotMoveBeforeEveryMemberHasFetchedInThisEpoch() {
        // Fails if: a member that has not fetched in this epoch is left out of the minimum
        // given I6: what was proved in earlier epochs is gone with the role that heard it
        Leader leader = new Leader(States.led(1, 5).at(1, 1, 2, 3), 3, 10);
        // when
        leader.fetch(TWO, 10);
        // then
        assertThat(leader.hw()).isEqualTo(3);
        leader.fetch(THREE, 10);
        assertThat(leader.hw()).isEqualTo(10);
    }

    @Test
    void shouldNeverLetTheHighWatermarkFall() {
        // Fails if: HighWatermark.raiseTo takes a lower offset
        // given I17
        Leader leader = leader(States.led(1, 5).at(1, 1, 2));
        leader.appendTo(10);
        leader.fetch(TWO, 10);
        // when a member fetches from further back, as after it lost its tail
        Advance advance = leader.fetch(TWO, 3);
        // then
        assertThat(advance.committed()).isFalse();
        assertThat(leader.hw()).isEqualTo(10);
    }

    @Test
    void shouldRefuseFetchesOfAnEarlierLifeAndOfStrangers() {
        Leader leader = leader(States.led(1, 5).at(1, 1, 2, 3));
        leader.fetch(new Follower(2, 200), 0);
        assertThat(leader.role.admits(TWO)).isEqualTo(ErrorCode.STALE_BROKER_EPOCH);
        assertThat(leader.role.admits(new Follower(2, 200))).isEqualTo(ErrorCode.NONE);
        assertThat(leader.role.admits(new Follower(9, 1))).isEqualTo(ErrorCode.UNKNOWN_LEADER_EPOCH);
    }

    @Test
    void shouldForgetWhatAnEarlierLifeOfAMemberProved() {
        // Fails if: FollowerProgress.onBrokerEpoch keeps what was proved
        // given I11: broker 2 comes back with a wiped disk and a new broker epoch
        Leader leader = leader(States.led(1, 5).at(1, 1, 2));
        leader.appendTo(5);
        leader.fetch(TWO, 5);
        leader.appendTo(8);
        // when
        leader.fetch(new Follower(2, 200), 0);
        // then
        assertThat(leader.hw()).isEqualTo(5);
        assertThat(leader.round(TWO).committed()).isFalse();
    }

    @Test
    void shouldAdmitOnlyFromTheHighWatermarkAndTheEpochStartOn() {
        // scenario 30. Fails if: IsrRules.mayJoin goes by the high watermark alone
        // given I7, KAFKA-7128 (bug 21): LEO 5 at the start of the epoch, HW 2; then 5..6 are appended
        Leader leader = new Leader(States.led(1, 5).at(1, 1, 3), 2, 5);
        leader.appendTo(7);
        // then at HW, below the epoch's start: stays out
        assertThat(ids(leader.fetch(TWO, 0))).isEmpty();
        assertThat(ids(leader.fetch(TWO, 2))).isEmpty();
        assertThat(ids(leader.fetch(TWO, 4))).isEmpty();
        // when
        Advance advance = leader.fetch(TWO, 5);
        // then
        assertThat(ids(advance)).containsExactly(1, 2, 3);
        assertThat(advance.proposal().members())
                .containsExactly(new ProposedMember(1, 101), new ProposedMember(2, 102), new ProposedMember(3, -1));
        assertThat(advance.proposal().partitionEpoch()).isEqualTo(1);
        assertThat(advance.proposal().leaderEpoch()).isEqualTo(5);
    }

    @Test
    void shouldKeepAReplicaOutThatReachedTheEpochStartButNotTheHighWatermark() {
        Leader leader = new Leader(States.led(1, 5).at(1, 1, 3), 2, 5);
        leader.appendTo(9);
        leader.fetch(THREE, 9);
        assertThat(leader.hw()).isEqualTo(9);
        assertThat(ids(leader.fetch(TWO, 8))).isEmpty();
        assertThat(ids(leader.fetch(TWO, 9))).containsExactly(1, 2, 3);
    }

    @Test
    void shouldCountAProposedMemberBeforeTheProposalIsSent() {
        // Fails if: FollowerProgress.holdsHighWatermark counts confirmed members alone
        // given I8 (b): the ISR is {1}, broker 2 has caught up
        Leader leader = leader(States.led(1, 5).replicas(1, 2).at(1, 1));
        leader.appendTo(5);
        assertThat(ids(leader.fetch(TWO, 5))).containsExactly(1, 2);
        // when the leader appends while the proposal is under way
        leader.appendTo(6);
        // then nothing is exposed that broker 2 lacks, however slow it becomes
        assertThat(leader.hw()).isEqualTo(5);
        leader.appendTo(9);
        leader.fetch(TWO, 5);
        leader.fetch(TWO, 5);
        leader.pass(LAG.plusMillis(1));
        leader.check();
        assertThat(leader.hw()).isEqualTo(5);
        leader.fetch(TWO, 6);
        assertThat(leader.hw()).isEqualTo(6);
    }

    @Test
    void shouldKeepWaitingForAMemberUntilItsRemovalIsConfirmed() {
        // Fails if: holdsHighWatermark leaves out who is to be removed
        // given I8 (a): broker 2 lags and is proposed for removal
        Leader leader = leader(States.led(1, 5).replicas(1, 2).at(1, 1, 2));
        leader.appendTo(4);
        leader.pass(LAG.plusMillis(1));
        assertThat(ids(leader.check())).containsExactly(1);
        // when
        leader.appendTo(5);
        // then
        assertThat(leader.hw()).isZero();
        leader.adopt(States.led(1, 5).replicas(1, 2).at(2, 1));
        assertThat(leader.hw()).isEqualTo(5);
    }

    @Test
    void shouldNotAcknowledgeByAMemberThatIsOnlyProposed() {
        // I12, scenario 33. Fails if: the high watermark moves while the gate is closed
        // given the two sets of DESIGN 5, min ISR 2, ISR {1, 2}
        Leader leader = leader(States.led(1, 5).minIsr(2).at(1, 1, 2));
        leader.appendTo(3);
        leader.fetch(TWO, 3);
        assertThat(leader.hw()).isEqualTo(3);
        // when 2 lags and is proposed for removal, the gate closes at once, though HW still waits for 2
        leader.appendTo(4);
        leader.pass(LAG.plusMillis(1));
        Advance shrink = leader.check();
        // then
        assertThat(ids(shrink)).containsExactly(1);
        assertThat(shrink.committed()).as("waiters must look at the gate again").isTrue();
        assertThat(leader.role.gateOpen()).isFalse();
        leader.fetch(TWO, 4);
        assertThat(leader.hw())
                .as("a closed gate stops the high watermark (I12)")
                .isEqualTo(3);
        // when it is silent, its removal is confirmed, and 3 is proposed to join
        leader.pass(LAG.plusMillis(1));
        leader.adopt(States.led(1, 5).minIsr(2).at(2, 1));
        Advance growth = leader.fetch(THREE, 4);
        // then 3 does not open the gate before it is confirmed: 3 may be refused and the record be on 1 alone
        assertThat(ids(growth)).contains(1, 3);
        assertThat(leader.role.gateOpen()).isFalse();
        assertThat(leader.hw()).isEqualTo(3);
        Advance confirmed = leader.adopt(States.led(1, 5).minIsr(2).at(3, 1, 3));
        assertThat(confirmed.committed()).isTrue();
        assertThat(leader.role.gateOpen()).isTrue();
    }

    @Test
    void shouldOpenTheGateByConfirmedMembersAlone() {
        // I13, the pure part of the matrix
        // Fails if: IsrRules.gateOpen wants more members than the minimum
        for (int minIsr = 1; minIsr <= 3; minIsr++) {
            assertThat(leader(States.led(1, 5).minIsr(minIsr).at(1, 1)).role.gateOpen())
                    .isEqualTo(1 >= minIsr);
            assertThat(leader(States.led(1, 5).minIsr(minIsr).at(1, 1, 2)).role.gateOpen())
                    .isEqualTo(2 >= minIsr);
            assertThat(leader(States.led(1, 5).minIsr(minIsr).at(1, 1, 2, 3))
                            .role
                            .gateOpen())
                    .isTrue();
        }
    }

    @Test
    void shouldFollowAChangeOfTheEffectiveMinIsr() {
        Leader leader = leader(States.led(1, 5).minIsr(2).at(1, 1));
        leader.appendTo(2);
        Advance lowered = leader.adopt(States.led(1, 5).minIsr(1).at(2, 1));
        assertThat(lowered.committed()).isTrue();
        assertThat(leader.hw()).isEqualTo(2);
    }

    @Test
    void shouldHaveOneProposalUnderWay() {
        // scenario 32
        // Fails if: LeaderRole.movedOrGrown proposes whatever is under way
        Leader leader = leader(States.led(1, 5).at(1, 1));
        assertThat(ids(leader.fetch(TWO, 0))).containsExactly(1, 2);
        Optional<IsrProposal> first = leader.role.proposal();
        // when another replica is ready, and a member lags
        assertThat(ids(leader.fetch(THREE, 0))).isEmpty();
        leader.pass(LAG.plusMillis(1));
        assertThat(ids(leader.check())).isEmpty();
        assertThat(ids(leader.fetch(THREE, 0))).isEmpty();
        // then the first is unchanged
        assertThat(leader.role.proposal()).isEqualTo(first);
        // when it is answered, the next follows
        assertThat(ids(leader.adopt(States.led(1, 5).at(2, 1, 2)))).containsExactly(1, 2, 3);
    }

    @Test
    void shouldGoOnAfterALostReplyToItsOwnWrite() {
        // KAFKA-1382 (bug 22): written as partition epoch 6, the reply is lost, and comes with the resent proposal's
        // Fails if: LeaderRole.adopt leaves the proposal open
        Leader leader = leader(States.led(1, 5).at(5, 1, 2, 3));
        leader.fetch(THREE, 0);
        leader.pass(LAG.plusMillis(1));
        leader.fetch(THREE, 0);
        assertThat(ids(leader.check())).containsExactly(1, 3);
        leader.appendTo(2);
        leader.fetch(THREE, 2);
        // when
        leader.adopt(States.led(1, 5).at(6, 1, 3));
        // then
        assertThat(leader.hw()).isEqualTo(2);
        assertThat(leader.role.proposal()).isEmpty();
        leader.pass(LAG.plusMillis(1));
        Advance next = leader.check();
        assertThat(ids(next)).containsExactly(1);
        assertThat(next.proposal().partitionEpoch()).isEqualTo(6);
    }

    @Test
    void shouldNeverAdoptAnotherEpochOrAnOlderState() {
        Leader leader = leader(States.led(1, 5).at(5, 1, 2));
        assertThatThrownBy(() -> leader.adopt(States.led(1, 6).at(6, 1))).isInstanceOf(InvariantBrokenException.class);
        assertThatThrownBy(() -> leader.adopt(States.led(1, 5).at(5, 1))).isInstanceOf(InvariantBrokenException.class);
    }

    @Test
    void shouldProposeARefusedReplicaAgainOnlyAfterAPause() {
        // given the controller refuses: the unchanged state with partition epoch + 1
        Leader leader = leader(States.led(1, 5).replicas(1, 2).at(1, 1));
        assertThat(ids(leader.fetch(TWO, 0))).containsExactly(1, 2);
        assertThat(ids(leader.adopt(States.led(1, 5).replicas(1, 2).at(2, 1)))).isEmpty();
        // then neither the next fetch asks again, nor does anybody wait for the replica
        leader.appendTo(3);
        assertThat(ids(leader.fetch(TWO, 3))).isEmpty();
        leader.appendTo(4);
        assertThat(leader.hw()).isEqualTo(4);
        // when the pause is over
        leader.pass(Duration.ofSeconds(1));
        // then
        assertThat(ids(leader.fetch(TWO, 4))).containsExactly(1, 2);
    }

    @Test
    void shouldProposeAReplicaAgainWhenAnotherChangeOvertookItsProposal() {
        // given 2 is proposed while the controller takes 3 out
        Leader leader = leader(States.led(1, 5).at(1, 1, 3));
        leader.fetch(TWO, 0);
        // when
        Advance adopted = leader.adopt(States.led(1, 5).at(2, 1));
        // then: no refusal, so no pause
        assertThat(ids(adopted)).containsExactly(1, 2);
    }

    @Test
    void shouldHoldTheHighWatermarkForAReplicaThatIsAboutToJoin() {
        // scenario 33: under steady load, its end would never reach a high watermark that moves with the leader's end
        // Fails if: holdsHighWatermark forgets who is about to join
        Leader leader = leader(States.led(1, 5).replicas(1, 2).at(1, 1));
        leader.appendTo(100);
        leader.fetch(TWO, 0);
        leader.appendTo(200);
        assertThat(leader.hw()).isEqualTo(200);
        // when it has fetched all that was there at its previous fetch
        assertThat(ids(leader.fetch(TWO, 100))).isEmpty();
        leader.appendTo(300);
        // then
        assertThat(leader.hw()).isEqualTo(200);
        assertThat(ids(leader.fetch(TWO, 200))).containsExactly(1, 2);
    }

    @Test
    void shouldNotWaitForAReplicaThatDiedOnItsWayToJoining() {
        Leader leader = leader(States.led(1, 5).replicas(1, 2).at(1, 1));
        leader.appendTo(100);
        leader.fetch(TWO, 0);
        leader.appendTo(200);
        leader.fetch(TWO, 100);
        leader.appendTo(300);
        leader.pass(LAG.plusMillis(1));
        assertThat(leader.check().committed()).isTrue();
        assertThat(leader.hw()).isEqualTo(300);
    }

    @Test
    void shouldNotWaitForAReplicaThatFallsBehindOnItsWayToJoining() {
        Leader leader = leader(States.led(1, 5).replicas(1, 2).at(1, 1));
        leader.appendTo(100);
        leader.fetch(TWO, 0);
        leader.appendTo(200);
        leader.fetch(TWO, 100);
        leader.appendTo(300);
        assertThat(leader.hw()).isEqualTo(200);
        // when it got less than there was
        leader.fetch(TWO, 150);
        // then
        assertThat(leader.hw()).isEqualTo(300);
    }

    @Test
    void shouldNotWaitForAMemberThatTheControllerTookOut() {
        Leader leader = leader(States.led(1, 5).replicas(1, 2).at(1, 1, 2));
        leader.appendTo(5);
        leader.fetch(TWO, 5);
        leader.appendTo(8);
        Advance advance = leader.adopt(States.led(1, 5).replicas(1, 2).at(2, 1));
        assertThat(advance.committed()).isTrue();
        assertThat(leader.hw()).isEqualTo(8);
    }

    @Test
    void shouldKeepAFollowerThatFetchesInBurstsAndDropOneThatIsStuck() {
        // I22, scenario 31: 10^5 records between two fetches of a healthy follower
        // Fails if: FollowerProgress.onFetch knows only the leader's present end
        Leader leader = leader(States.led(1, 5).at(1, 1, 2, 3));
        long end = 0;
        for (int i = 0; i < 20; i++) {
            long before = end;
            end += 100_000;
            leader.appendTo(end);
            leader.fetch(TWO, before);
            leader.fetch(THREE, 0);
            leader.pass(Duration.ofSeconds(2));
        }
        // when 2 was never at the leader's end, but always where that was at its previous fetch
        Advance advance = leader.check();
        // then 3, which has read nothing for 40 s, goes
        assertThat(ids(advance)).containsExactly(1, 2);
    }

    @Test
    void shouldDropAMemberThatNeverFetchesAfterTheLagTimeAndNotBefore() {
        Leader leader = leader(States.led(1, 5).replicas(1, 2).at(1, 1, 2));
        leader.pass(LAG);
        assertThat(ids(leader.check())).isEmpty();
        leader.pass(Duration.ofMillis(1));
        assertThat(ids(leader.check())).containsExactly(1);
    }

    @Test
    void shouldKeepAnIdleMemberAtTheLeadersEndWhileItsSessionMakesRounds() {
        // given: nothing is produced, entries do not change
        Leader leader = leader(States.led(1, 5).replicas(1, 2).at(1, 1, 2));
        leader.appendTo(5);
        leader.fetch(TWO, 5);
        for (int i = 0; i < 10; i++) {
            leader.pass(Duration.ofSeconds(20));
            leader.round(TWO);
        }
        assertThat(ids(leader.check())).isEmpty();
        // when the rounds stop, being at the end does not help
        leader.pass(LAG.plusMillis(1));
        assertThat(ids(leader.check())).containsExactly(1);
    }

    @Test
    void shouldDropAMemberWhoseRoundsGoOnWhileItReadsNothing() {
        Leader leader = leader(States.led(1, 5).replicas(1, 2).at(1, 1, 2));
        leader.appendTo(5);
        leader.fetch(TWO, 0);
        for (int i = 0; i < 4; i++) {
            leader.pass(Duration.ofSeconds(10));
            leader.round(TWO);
        }
        assertThat(ids(leader.check())).containsExactly(1);
    }

    @Test
    void shouldGiveANewMemberTheWholeLagTime() {
        // given the gate is closed and HW frozen at 0: 2 may join though it is far behind the leader's end
        Leader leader = leader(States.led(1, 5).minIsr(2).replicas(1, 2).at(1, 1));
        leader.appendTo(1_000);
        assertThat(ids(leader.fetch(TWO, 10))).containsExactly(1, 2);
        leader.adopt(States.led(1, 5).minIsr(2).replicas(1, 2).at(2, 1, 2));
        // then it does not flap
        leader.pass(LAG);
        assertThat(ids(leader.check())).isEmpty();
    }

    @Test
    void shouldNotProposeAReplicaAgainThatLeftAndIsSilent() {
        // given an idle partition: 2 has everything, and hangs
        Leader leader = leader(States.led(1, 5).replicas(1, 2).at(1, 1, 2));
        leader.appendTo(5);
        leader.fetch(TWO, 5);
        leader.pass(LAG.plusMillis(1));
        leader.check();
        // when
        Advance adopted = leader.adopt(States.led(1, 5).replicas(1, 2).at(2, 1));
        // then what it proved long ago does not bring it back
        assertThat(ids(adopted)).isEmpty();
        assertThat(ids(leader.check())).isEmpty();
        assertThat(ids(leader.round(TWO))).containsExactly(1, 2);
    }

    @Test
    void shouldNotProposeAReplicaThatIsNotAssigned() {
        // scenario 30: 3 is still fetching after it was taken out of the assignment
        // Fails if: LeaderRole.place keeps followers that the state does not name
        Leader leader = leader(States.led(1, 5).replicas(1, 2).at(1, 1, 3));
        leader.fetch(THREE, 0);
        leader.adopt(States.led(1, 5).replicas(1, 2).at(2, 1));
        assertThat(leader.role.admits(THREE)).isEqualTo(ErrorCode.UNKNOWN_LEADER_EPOCH);
    }

    @Test
    void shouldCountWithTheForcedEndInSyncMode() {
        // given DESIGN 5, sync mode: appended to 10, forced to 4, the follower has (forced) 7
        Leader leader = leader(States.led(1, 5).replicas(1, 2).at(1, 1, 2));
        LogEnd end = new LogEnd(10, 100, 5);
        LogEnd forced = new LogEnd(4, 40, 5);
        leader.role.onFetch(TWO, new LogOffset(7, 70), new LeaderNow(leader.timeNs, end, forced, 101));
        assertThat(leader.hw()).isEqualTo(4);
        leader.role.onLocalEnd(end);
        assertThat(leader.hw()).isEqualTo(7);
    }
}
