package io.tidemark.coordination.cluster;

import static io.tidemark.coordination.cluster.ClusterFixture.TOKEN;
import static io.tidemark.coordination.cluster.ClusterFixture.all;
import static io.tidemark.coordination.cluster.ClusterFixture.answer;
import static io.tidemark.coordination.cluster.ClusterFixture.members;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.coordination.cluster.ClusterEvent.IdentifyAnswered;
import io.tidemark.coordination.cluster.ClusterEvent.ProducerIdsRequested;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.ErrorCode;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What a new controller does before it decides anything (DESIGN section 6). Broker 1 leads, all three are in sync. */
final class ControllerStartTest {
    private final ClusterFixture cluster = ClusterFixture.withTopic(3, 2);

    @Test
    void shouldSendEverybodyTheFullStateAndMoveNothingWhenAllAreHere() {
        // when
        cluster.newController();
        Decision decision = cluster.brokersChanged();

        // then
        assertThat(decision.writes()).isEmpty();
        assertThat(all(decision, Command.PushFull.class))
                .containsExactly(new Command.PushFull(1), new Command.PushFull(2), new Command.PushFull(3));
        assertThat(all(decision, Command.PushChanges.class)).isEmpty();
        assertThat(cluster.state().isStarting()).isFalse();
    }

    @Test
    void shouldAskEveryAssignedBrokerWithoutANodeBeforeItsFirstElection() {
        // given
        BrokerRegistration first = cluster.node(1);
        BrokerRegistration second = cluster.node(2);
        cluster.removeNode(1);
        cluster.removeNode(2);
        cluster.newController();

        // when
        Decision started = cluster.brokersChanged();

        // then
        assertThat(all(started, Command.Identify.class))
                .containsExactly(new Command.Identify(first), new Command.Identify(second));
        assertThat(started.writes()).isEmpty();
        assertThat(all(started, Command.PushFull.class)).isEmpty();
        Decision asked =
                cluster.on(new ProducerIdsRequested(TOKEN, 3, cluster.node(3).brokerEpoch()));
        assertThat(((Answer.Refused) answer(asked)).error()).isEqualTo(ErrorCode.NOT_CONTROLLER);

        // when: one is dead
        Decision one = cluster.on(new IdentifyAnswered(1, first.brokerEpoch(), OptionalLong.empty()));

        // then: no election yet
        assertThat(one.writes()).isEmpty();

        // when: the other lives
        cluster.on(new IdentifyAnswered(2, second.brokerEpoch(), OptionalLong.of(second.processNonce())));

        // then
        assertThat(cluster.state().isStarting()).isFalse();
        assertThat(cluster.partition().leader()).isEqualTo(3);
        assertThat(cluster.partition().isr()).isEqualTo(members("2#1", "3#1"));
    }

    @Test
    void shouldMoveNoLeaderAfterAnOutageOfZooKeeperThatTookEveryNode() {
        // given: every node is gone, every process lives
        for (int id = 1; id <= 3; id++) {
            cluster.removeNode(id);
        }
        cluster.newController();
        cluster.brokersChanged();

        // when
        for (int id = 1; id <= 3; id++) {
            BrokerRegistration last = cluster.recorded(id);
            cluster.on(new IdentifyAnswered(id, last.brokerEpoch(), OptionalLong.of(last.processNonce())));
        }
        for (int id = 1; id <= 3; id++) {
            cluster.returnSameProcess(id);
        }

        // then
        assertThat(cluster.partition().leader()).isEqualTo(1);
        assertThat(cluster.partition().leaderEpoch()).isZero();
        assertThat(cluster.partition().partitionEpoch()).isZero();
    }

    @Test
    void shouldWaitNoLongerForABrokerThatRegistersMeanwhile() {
        // given
        BrokerRegistration first = cluster.node(1);
        cluster.removeNode(1);
        cluster.newController();
        cluster.brokersChanged();

        // when
        cluster.register(cluster.registration(1, first.processNonce(), first.brokerEpoch()));

        // then
        assertThat(cluster.state().isStarting()).isFalse();
        assertThat(cluster.partition().leader()).isEqualTo(1);
        assertThat(cluster.partition().leaderEpoch()).isZero();
    }

    @Test
    void shouldFindRestartsThatHappenedWithoutAController() {
        // given: all were killed at once and are back with their logs
        cluster.newController();
        for (int id = 1; id <= 3; id++) {
            BrokerRegistration last = cluster.node(id);
            cluster.putNode(cluster.registration(id, last.processNonce() + 1, last.brokerEpoch()));
        }

        // when
        cluster.brokersChanged();

        // then: the leader leads again in a new epoch, the others wait their turn to catch up
        assertThat(cluster.partition().leader()).isEqualTo(1);
        assertThat(cluster.partition().leaderEpoch()).isEqualTo(1);
        assertThat(cluster.partition().isr()).isEqualTo(members("1#1"));
        assertThat(cluster.partition().eligible()).isEqualTo(members("2#1", "3#1"));
    }

    @Test
    void shouldElectTheFirstThatIsBackWhenAllWereKilledAtOnce() {
        // given
        for (int id = 1; id <= 2; id++) {
            cluster.removeNode(id);
        }
        BrokerRegistration third = cluster.node(3);
        cluster.putNode(cluster.registration(3, third.processNonce() + 1, third.brokerEpoch()));
        cluster.newController();
        cluster.brokersChanged();

        // when
        for (int id = 1; id <= 2; id++) {
            cluster.on(new IdentifyAnswered(id, cluster.recorded(id).brokerEpoch(), OptionalLong.empty()));
        }

        // then
        assertThat(cluster.partition().leader()).isEqualTo(3);
        assertThat(cluster.partition().isr()).isEqualTo(members("3#1"));
        assertThat(cluster.partition().eligible()).isEqualTo(members("1#1", "2#1"));
    }

    @Test
    void shouldKeepTheMemberWithValidLogsWhenAllOfTheInSyncSetIsGone() {
        // given: min ISR 1, so nobody becomes eligible; 1 comes back without its logs, 2 is away with its own
        ClusterFixture two = ClusterFixture.withTopic(2, 1);
        BrokerRegistration second = two.node(2);
        two.removeNode(2);
        two.putNode(two.registration(1, 50, BrokerRegistration.PROVES_NOTHING));
        two.newController();
        two.brokersChanged();

        // when
        two.on(new IdentifyAnswered(2, second.brokerEpoch(), OptionalLong.empty()));

        // then
        assertThat(two.partition().hasLeader()).isFalse();
        assertThat(two.partition().isr()).isEqualTo(members("2#1"));
    }

    @Test
    void shouldBringMinIsrIntoLineThatItsPredecessorLeftBehind() {
        // given: the configuration was written, the partition was not
        ClusterState state = cluster.state();
        Topic topic = state.topics().get("t");
        SortedMap<String, String> configs = new TreeMap<>(topic.configs());
        configs.put("min.insync.replicas", "3");
        ClusterState next = ClusterState.loaded(
                2, state.incarnations().values(), List.of(topic.withConfigs(configs)), List.of(), state.producerIds());

        // when
        Decision decision = new ClusterMachine(ClusterFixture.settings())
                .decide(next, new ClusterEvent.BrokersChanged(state.registrations()));

        // then
        assertThat(decision.next().partition(ClusterFixture.PARTITION).state().effectiveMinIsr())
                .isEqualTo(3);
        assertThat(decision.writes()).hasSize(1);
    }
}
