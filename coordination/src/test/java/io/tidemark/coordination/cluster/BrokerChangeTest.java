package io.tidemark.coordination.cluster;

import static io.tidemark.coordination.cluster.ClusterFixture.PARTITION;
import static io.tidemark.coordination.cluster.ClusterFixture.TOKEN;
import static io.tidemark.coordination.cluster.ClusterFixture.all;
import static io.tidemark.coordination.cluster.ClusterFixture.answer;
import static io.tidemark.coordination.cluster.ClusterFixture.members;
import static io.tidemark.coordination.cluster.ClusterFixture.notices;
import static io.tidemark.coordination.cluster.ClusterFixture.writes;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.coordination.cluster.ClusterEvent.BrokerDied;
import io.tidemark.coordination.cluster.ClusterEvent.BrokerStorageFailed;
import io.tidemark.coordination.cluster.ClusterEvent.ControlledShutdownRequested;
import io.tidemark.coordination.cluster.ClusterEvent.GraceElapsed;
import io.tidemark.coordination.cluster.ClusterEvent.IdentifyAnswered;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.PartitionState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Scenario 44 and the rules of DESIGN section 6 on brokers that come and go. Broker 1 leads, all three are in sync. */
final class BrokerChangeTest {
    private final ClusterFixture cluster = ClusterFixture.withTopic(3, 2);

    @Nested
    final class WhenANodeVanishes {
        @Test
        void shouldAskBeforeItTakesTheBrokerForLost() {
            // given
            BrokerRegistration leader = cluster.node(1);

            // when
            cluster.removeNode(1);
            Decision decision = cluster.brokersChanged();

            // then: nothing moves, and it is still listed in pushes
            assertThat(decision.writes()).isEmpty();
            assertThat(all(decision, Command.Identify.class)).containsExactly(new Command.Identify(leader));
            assertThat(all(decision, Command.PushChanges.class)).isEmpty();
            assertThat(cluster.state().reachable()).containsKey(1);
        }

        @Test
        void shouldElectWhenNobodyAnswers() {
            // when
            Decision decision = cluster.lose(1);

            // then
            PartitionState now = cluster.partition();
            assertThat(now.leader()).isEqualTo(2);
            assertThat(now.leaderEpoch()).isEqualTo(1);
            assertThat(now.isr()).isEqualTo(members("2#1", "3#1"));
            assertThat(all(decision, Command.Disconnect.class)).containsExactly(new Command.Disconnect(1));
            assertThat(all(decision, Command.PushChanges.class)).hasSize(1);
            assertThat(cluster.state().reachable()).doesNotContainKey(1);
            assertThat(notices(decision)).containsExactly(Notice.Kind.BROKER_LOST);
        }

        @Test
        void shouldTakeAFollowerOutOfTheInSyncSetUnderTheSameLeaderEpoch() {
            // when
            cluster.lose(3);

            // then
            assertThat(cluster.partition().isr()).isEqualTo(members("1#1", "2#1"));
            assertThat(cluster.partition().leaderEpoch()).isZero();
            assertThat(cluster.partition().partitionEpoch()).isEqualTo(1);
        }

        @Test
        void shouldTakeAnotherProcessAtTheAddressForALoss() {
            // given
            BrokerRegistration leader = cluster.vanish(1);

            // when
            cluster.on(new IdentifyAnswered(1, leader.brokerEpoch(), OptionalLong.of(leader.processNonce() + 1)));

            // then
            assertThat(cluster.partition().leader()).isEqualTo(2);
        }

        @Test
        void shouldLetALivingProcessKeepItsPlacesForOneSessionTimeout() {
            // given
            BrokerRegistration leader = cluster.vanish(1);

            // when
            Decision answered =
                    cluster.on(new IdentifyAnswered(1, leader.brokerEpoch(), OptionalLong.of(leader.processNonce())));

            // then
            GraceElapsed elapsed = new GraceElapsed(1, leader.brokerEpoch());
            assertThat(answered.writes()).isEmpty();
            assertThat(all(answered, Command.StartTimer.class))
                    .containsExactly(new Command.StartTimer(Command.TimerKey.grace(1), Duration.ofSeconds(6), elapsed));

            // when
            cluster.on(elapsed);

            // then
            assertThat(cluster.partition().leader()).isEqualTo(2);
        }

        @Test
        void shouldMoveNothingWhenTheSameProcessRegistersAgain() {
            // given
            BrokerRegistration leader = cluster.vanish(1);
            cluster.on(new IdentifyAnswered(1, leader.brokerEpoch(), OptionalLong.of(leader.processNonce())));
            PartitionState before = cluster.partition();

            // when
            Decision returned = cluster.returnSameProcess(1);

            // then: only what is recorded of it changes, and a new broker epoch gets the full state
            assertThat(cluster.partition()).isEqualTo(before);
            assertThat(writes(returned, StateWrite.PutIncarnation.class)).hasSize(1);
            assertThat(returned.writes()).hasSize(1);
            assertThat(cluster.state().incarnations().get(1).number()).isEqualTo(1);
            assertThat(all(returned, Command.PushFull.class)).containsExactly(new Command.PushFull(1));
            assertThat(all(returned, Command.CancelTimer.class)).isNotEmpty();
            assertThat(cluster.on(new GraceElapsed(1, leader.brokerEpoch())).writes())
                    .as("a timer that came too late")
                    .isEmpty();
        }

        @Test
        void shouldIgnoreAnAnswerAboutAnEarlierRegistration() {
            // given
            BrokerRegistration first = cluster.vanish(1);
            cluster.returnSameProcess(1);
            cluster.vanish(1);

            // when
            cluster.on(new IdentifyAnswered(1, first.brokerEpoch(), OptionalLong.empty()));

            // then
            assertThat(cluster.partition().leader()).isEqualTo(1);
        }

        @Test
        void shouldNotElectABrokerInQuestion() {
            // given
            cluster.vanish(2);

            // when
            cluster.lose(1);

            // then
            assertThat(cluster.partition().leader()).isEqualTo(3);
            assertThat(cluster.partition().isr()).isEqualTo(members("2#1", "3#1"));
        }
    }

    @Nested
    final class WhenABrokerRegistersAgain {
        @Test
        void shouldTreatABounceThatNobodySawAsFailureAndStartKafka7235() {
            // when: the same ids are registered before and after
            Decision decision = cluster.restart(1);

            // then
            assertThat(cluster.partition().leader()).isEqualTo(2);
            assertThat(cluster.partition().leaderEpoch()).isEqualTo(1);
            assertThat(cluster.partition().isr()).isEqualTo(members("2#1", "3#1"));
            assertThat(cluster.state().incarnations().get(1).number()).isEqualTo(1);
            assertThat(all(decision, Command.PushFull.class)).containsExactly(new Command.PushFull(1));
        }

        @Test
        void shouldNeverLetANewProcessLeadInAnEpochOfAnEarlierOneI10() {
            // given
            ClusterFixture alone = ClusterFixture.withTopic(1, 1);

            // when
            alone.restart(1);

            // then
            assertThat(alone.partition().leader()).isEqualTo(1);
            assertThat(alone.partition().leaderEpoch()).isEqualTo(1);
            assertThat(alone.partition().isr()).isEqualTo(members("1#1"));
        }

        @Test
        void shouldTakeANewIncarnationOutOfTheInSyncSetEvenIfItWasNeverSeenGoneI11() {
            // when
            Decision decision = cluster.restartWithoutProof(3);

            // then
            assertThat(cluster.partition().isr()).isEqualTo(members("1#1", "2#1"));
            assertThat(cluster.partition().leaderEpoch()).isZero();
            assertThat(cluster.state().incarnations().get(3).number()).isEqualTo(2);
            assertThat(notices(decision)).containsExactly(Notice.Kind.NEW_INCARNATION);

            // when: it comes back by a proposal only, with an entry of its present incarnation
            cluster.propose(1, 2, 3);

            // then
            assertThat(cluster.partition().isr()).isEqualTo(members("1#1", "2#1", "3#2"));
        }

        @Test
        void shouldNotElectAVoidEntryI12() {
            // given: 1 is the last in-sync copy, 2 and 3 left below min ISR or before
            cluster.lose(3);
            cluster.lose(2);
            assertThat(cluster.partition().eligible()).isEqualTo(members("2#1"));

            // when: 1 comes back without proof of its logs
            cluster.restartWithoutProof(1);

            // then: nobody leads, and its entry is void, not gone
            assertThat(cluster.partition().hasLeader()).isFalse();
            assertThat(cluster.partition().isr()).isEqualTo(members("1#1"));

            // when: 2 comes back with its logs
            cluster.restart(2);

            // then: it leads, and 1 moves from ISR to eligible still void
            assertThat(cluster.partition().leader()).isEqualTo(2);
            assertThat(cluster.partition().isr()).isEqualTo(members("2#1"));
            assertThat(cluster.partition().eligible()).isEqualTo(members("1#1"));
        }

        @Test
        void shouldElectAnEligibleMemberWhenTheLastInSyncOneIsGone() {
            // given
            cluster.lose(3);
            cluster.propose(1);
            assertThat(cluster.partition().eligible()).isEqualTo(members("2#1"));

            // when
            Decision decision = cluster.lose(1);

            // then
            assertThat(cluster.partition().leader()).isEqualTo(2);
            assertThat(cluster.partition().isr()).isEqualTo(members("2#1"));
            assertThat(cluster.partition().eligible()).isEqualTo(members("1#1"));
            assertThat(notices(decision)).contains(Notice.Kind.ELIGIBLE_ELECTION);
        }
    }

    @Nested
    final class WhenTheLastMemberGoes {
        @Test
        void shouldKeepItOnRecordAndHaveNoLeaderUntilItReturns() {
            // Fails if: LeaderElection takes whoever lives when no member does
            // given
            ClusterFixture one = ClusterFixture.withTopic(2, 1);
            one.lose(2);
            one.lose(1);
            assertThat(one.partition().hasLeader()).isFalse();
            assertThat(one.partition().leaderEpoch()).isEqualTo(1);
            assertThat(one.partition().isr()).isEqualTo(members("1#1"));

            // when: the other comes first
            one.restart(2);

            // then: it lacks what 1 wrote alone (I14)
            assertThat(one.partition().hasLeader()).isFalse();

            // when
            one.restart(1);

            // then
            assertThat(one.partition().leader()).isEqualTo(1);
            assertThat(one.partition().leaderEpoch()).isEqualTo(2);
        }

        @Test
        void shouldElectUncleanWhereTheTopicAllowsItI14() {
            // given
            ClusterFixture one = ClusterFixture.withTopic(2, 1, "unclean.leader.election.enable=true");
            one.lose(2);
            one.restart(2);

            // when
            Decision decision = one.lose(1);

            // then
            assertThat(one.partition().leader()).isEqualTo(2);
            assertThat(one.partition().isr()).isEqualTo(members("2#1"));
            assertThat(notices(decision)).contains(Notice.Kind.UNCLEAN_ELECTION);
        }

        @Test
        void shouldElectUncleanAtOnceWhenTheTopicComesToAllowIt() {
            // given
            ClusterFixture one = ClusterFixture.withTopic(2, 1);
            one.lose(2);
            one.lose(1);
            one.restart(2);

            // when
            one.on(new ClusterEvent.TopicConfigsRequested(
                    TOKEN, "t", new TreeMap<>(Map.of("unclean.leader.election.enable", "true"))));

            // then
            assertThat(one.partition().leader()).isEqualTo(2);
        }
    }

    @Nested
    final class WhenABrokerSaysItGoes {
        @Test
        void shouldMoveLeadersAndLeaveInSyncSetsBeforeTheAnswer() {
            // when
            Decision decision = shutDown(cluster, 1);

            // then
            assertThat(cluster.partition().leader()).isEqualTo(2);
            assertThat(cluster.partition().leaderEpoch()).isEqualTo(1);
            assertThat(cluster.partition().isr()).isEqualTo(members("2#1", "3#1"));
            assertThat(answer(decision)).isEqualTo(new Answer.ShutdownProgress(List.of()));
        }

        @Test
        void shouldReportWhatNobodyElseCanLead() {
            // given
            ClusterFixture alone = ClusterFixture.withTopic(2, 1);
            alone.lose(2);
            alone.restart(2);

            // when
            Decision first = shutDown(alone, 1);

            // then
            assertThat(answer(first)).isEqualTo(new Answer.ShutdownProgress(List.of(PARTITION)));
            assertThat(first.writes()).isEmpty();

            // when: 2 catches up, and it asks again
            alone.propose(1, 2);
            Decision second = shutDown(alone, 1);

            // then
            assertThat(answer(second)).isEqualTo(new Answer.ShutdownProgress(List.of()));
            assertThat(alone.partition().leader()).isEqualTo(2);
            assertThat(alone.partition().isr()).isEqualTo(members("2#1"));
        }

        @Test
        void shouldNotElectNorPlaceAnythingOnABrokerThatStops() {
            // given
            shutDown(cluster, 2);

            // when
            cluster.lose(1);

            // then
            assertThat(cluster.partition().leader()).isEqualTo(3);
            assertThat(answer(shutDown(cluster, 3))).isEqualTo(new Answer.ShutdownProgress(List.of(PARTITION)));
        }

        @Test
        void shouldNotAskABrokerThatSaidGoodbye() {
            // given
            shutDown(cluster, 1);

            // when
            cluster.removeNode(1);
            Decision decision = cluster.brokersChanged();

            // then
            assertThat(all(decision, Command.Identify.class)).isEmpty();
            assertThat(all(decision, Command.Disconnect.class)).containsExactly(new Command.Disconnect(1));
            assertThat(cluster.state().departures()).isEmpty();
        }

        @Test
        void shouldRefuseAShutdownOfAnEarlierLife() {
            Decision decision = cluster.on(new ControlledShutdownRequested(TOKEN, 1, 5));
            assertThat(((Answer.Refused) answer(decision)).error()).isEqualTo(ErrorCode.STALE_BROKER_EPOCH);
            assertThat(decision.writes()).isEmpty();
        }

        @Test
        void shouldMoveAtOnceWhenADiskFailsS14() {
            // when
            cluster.on(new BrokerStorageFailed(1, cluster.node(1).brokerEpoch()));

            // then: its node still stands
            assertThat(cluster.state().registrations()).containsKey(1);
            assertThat(cluster.partition().leader()).isEqualTo(2);
            assertThat(cluster.partition().isr()).isEqualTo(members("2#1", "3#1"));

            // when
            cluster.restartWithoutProof(1);

            // then
            assertThat(cluster.state().departures()).isEmpty();
        }

        // DESIGN 6: what was proven dead is lost at once, and nobody is asked again when its node goes.
        // Fails if: BrokerView counts only failed disks as lost
        @Test
        void shouldReplaceABrokerThatDiedAtOnce() {
            // when
            cluster.on(new BrokerDied(1, cluster.node(1).brokerEpoch()));

            // then: its node still stands
            assertThat(cluster.partition().leader()).isEqualTo(2);
            assertThat(cluster.partition().isr()).isEqualTo(members("2#1", "3#1"));

            // when
            cluster.removeNode(1);
            Decision vanished = cluster.brokersChanged();

            // then
            assertThat(cluster.state().questions()).isEmpty();
            assertThat(ClusterFixture.all(vanished, Command.Identify.class)).isEmpty();
            assertThat(ClusterFixture.all(vanished, Command.Disconnect.class)).hasSize(1);
        }

        // DESIGN 6: the news of the death may come behind the news of the node.
        // Fails if: BrokerChange.depart looks at registered brokers alone
        @Test
        void shouldAskNoLongerOfABrokerThatDied() {
            // given
            BrokerRegistration gone = cluster.vanish(1);
            assertThat(cluster.partition().leader()).isEqualTo(1);

            // when
            cluster.on(new BrokerDied(1, gone.brokerEpoch()));

            // then
            assertThat(cluster.state().questions()).isEmpty();
            assertThat(cluster.partition().leader()).isEqualTo(2);
        }

        // Fails if: BrokerChange.onDied does not compare broker epochs
        @Test
        void shouldIgnoreTheDeathOfAnEarlierLife() {
            long earlier = cluster.node(1).brokerEpoch();
            cluster.returnSameProcess(1);

            assertThat(cluster.on(new BrokerDied(1, earlier)).writes()).isEmpty();
            assertThat(cluster.partition().leader()).isEqualTo(1);
        }

        @Test
        void shouldIgnoreAStorageFailureOfAnEarlierLife() {
            assertThat(cluster.on(new BrokerStorageFailed(1, 5)).writes()).isEmpty();
        }

        private Decision shutDown(ClusterFixture on, int id) {
            return on.on(new ControlledShutdownRequested(TOKEN, id, on.node(id).brokerEpoch()));
        }
    }
}
