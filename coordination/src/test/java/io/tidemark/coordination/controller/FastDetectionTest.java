package io.tidemark.coordination.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.coordination.broker.PeerProbe;
import io.tidemark.coordination.broker.Push;
import io.tidemark.coordination.cluster.ClusterEvent;
import io.tidemark.coordination.cluster.TopicSpec;
import io.tidemark.coordination.zookeeper.ManualZkSession;
import io.tidemark.coordination.zookeeper.ZkCodec;
import io.tidemark.coordination.zookeeper.ZkPaths;
import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.ManualScheduler;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.Endpoint;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Three brokers on one ensemble; the first is the controller. Processes die without a word, and their sessions live on. The test
 * says which addresses refuse connections, and whose streams break.
 */
final class FastDetectionTest {
    private static final TopicPartition T0 = new TopicPartition("t", 0);
    /** A probe with its second opinion, and what follows from it. */
    private static final Duration PROBED = Duration.ofMillis(200);

    private final ManualZkSession.Ensemble ensemble = new ManualZkSession.Ensemble();
    private final ManualClock clock = new ManualClock(0, 0);
    private final ManualScheduler scheduler = new ManualScheduler(clock);
    private final SortedMap<Integer, Machine> machines = new TreeMap<>();
    /** Whose peer address refuses whom, as "from-to". */
    private final SortedSet<String> refused = new TreeSet<>();

    /** How one broker reaches others. */
    private final class Wire implements PeerProbe {
        private final int id;

        Wire(int id) {
            this.id = id;
        }

        @Override
        public void connect(Endpoint at, Consumer<Outcome> outcome) {
            outcome.accept(refused.contains(id + "-" + at.port()) ? Outcome.REFUSED : Outcome.CONNECTED);
        }

        @Override
        public void secondOpinion(BrokerRegistration of, Suspect about, Consumer<@Nullable Outcome> answer) {
            if (machine(of.id()).dead) {
                answer.accept(null);
            } else {
                new Wire(of.id()).connect(about.peer(), answer::accept);
            }
        }
    }

    /** A broker: its process runs until it is killed. */
    private final class Machine extends ControllerProcess {
        private final int id;
        private final List<Integer> held = new ArrayList<>();
        private int identified;
        private boolean dead;

        Machine(int id) {
            super(
                    id,
                    ensemble,
                    scheduler,
                    new FailureDetection(new Wire(id), clock, FastDetectionTest.this::registered));
            this.id = id;
        }

        void start() {
            session.connect();
            ControllerProcess.register(ensemble, session.sessionId(), id, id);
            controller.start();
        }

        @Override
        public void push(BrokerRegistration to, Push.Request push, Consumer<Push.@Nullable Answer> answer) {
            if (machine(to.id()).dead) {
                controller.brokerStreamBroke(to.id(), to.brokerEpoch());
                answer.accept(null);
            } else {
                super.push(to, push, answer);
            }
        }

        @Override
        public void hold(BrokerRegistration to) {
            held.add(to.id());
            if (machine(to.id()).dead) {
                controller.brokerStreamBroke(to.id(), to.brokerEpoch());
            }
        }

        @Override
        public void identify(BrokerRegistration at, Consumer<@Nullable Identity> answer) {
            identified++;
            super.identify(at, answer);
        }
    }

    private Machine machine(int id) {
        return Objects.requireNonNull(machines.get(id));
    }

    @BeforeEach
    void startThree() {
        ControllerProcess.makeCluster(ensemble);
        for (int id = 1; id <= 3; id++) {
            machines.put(id, new Machine(id));
            machine(id).start();
            pass(PROBED);
        }
        assertThat(machine(1).terms).containsExactly(1);
        machine(1)
                .controller
                .request(
                        token -> new ClusterEvent.TopicCreationRequested(
                                token, new TopicSpec("t", 1, 3, new TreeMap<>()), new TopicId(7, 7), 0),
                        answer -> {});
        pass(PROBED);
    }

    private SortedMap<Integer, BrokerRegistration> registered() {
        SortedMap<Integer, BrokerRegistration> all = new TreeMap<>();
        for (int id : machines.keySet()) {
            var node = ensemble.tree().get(ZkPaths.broker(id)).value();
            if (node != null) {
                all.put(id, ZkCodec.decodeBroker(id, node).orThrow());
            }
        }
        return all;
    }

    /** Time passes for everybody who lives. */
    private void pass(Duration duration) {
        for (long ms = 0; ms < duration.toMillis(); ms += 10) {
            scheduler.advance(Duration.ofMillis(10));
            for (int i = 0; i < 10; i++) {
                machines.values().stream().filter(each -> !each.dead).forEach(each -> each.loops.runAll());
            }
        }
    }

    private void kill(int id) {
        machine(id).dead = true;
        for (int other : machines.keySet()) {
            refused.add(other + "-" + id);
        }
    }

    private long epochOf(int id) {
        return Objects.requireNonNull(registered().get(id)).brokerEpoch();
    }

    private void breakStream(int controller, int to) {
        machine(controller).controller.brokerStreamBroke(to, epochOf(to));
    }

    private boolean hasNode(int id) {
        return registered().containsKey(id);
    }

    private int controllerNode() {
        return ZkCodec.decodeController(Objects.requireNonNull(
                                ensemble.tree().get(ZkPaths.CONTROLLER).value())
                        .data())
                .orThrow()
                .brokerId();
    }

    private PartitionState state(int controller) {
        return Objects.requireNonNull(
                        machine(controller).controller.state().orElseThrow().partition(T0))
                .state();
    }

    private int follower() {
        return state(1).leader() == 2 ? 3 : 2;
    }

    // DESIGN 6: fast detection of a broker, and nobody is asked who it is once it is proven dead.
    // Fails if: DeadBrokers tells the machine nothing, so that the vanished node is a question
    @Test
    void shouldReplaceADeadBrokerThoughItsSessionLives() {
        // given
        int dead = 3;
        int epoch = state(1).partitionEpoch();

        // when
        kill(dead);
        breakStream(1, dead);
        pass(PROBED);

        // then
        assertThat(hasNode(dead)).isFalse();
        assertThat(state(1).partitionEpoch()).isGreaterThan(epoch);
        assertThat(state(1).isr()).noneMatch(member -> member.brokerId() == dead);
        assertThat(machine(1).identified).isZero();
        assertThat(machine(1).controller.state().orElseThrow().departures()).isEmpty();
    }

    // DESIGN 6: one other live broker confirms; a broker that only the controller cannot reach is not fenced.
    // Fails if: FailureProbe asks nobody
    @Test
    void shouldFenceNobodyWhomAnotherBrokerReaches() {
        // given
        refused.add("1-3");

        // when
        breakStream(1, 3);
        pass(Duration.ofSeconds(5));

        // then
        assertThat(hasNode(3)).isTrue();
        assertThat(machine(1).held).contains(3);
    }

    // DESIGN 6: a stopped process, or one that is far behind with accepting, refuses nothing.
    // Fails if: DeadBrokers takes a broken stream alone for a death
    @Test
    void shouldFenceNobodyWhoTakesConnectionsAndHoldItsStreamAgain() {
        // when
        breakStream(1, 3);
        pass(Duration.ofMillis(150));

        // then
        assertThat(hasNode(3)).isTrue();
        assertThat(machine(1).held).containsExactly(3);
    }

    // DESIGN 6: czxid checked; a node of version 0 may be the next process's.
    // Fails if: DeadBrokers deletes whatever node stands under the id
    @Test
    void shouldLeaveTheNodeOfTheNextProcessAlone() {
        // given
        kill(3);
        breakStream(1, 3);

        // when: it is back before anything was concluded
        scheduler.advance(Duration.ofMillis(30));
        ensemble.end(machine(3).session.sessionId());
        ControllerProcess.register(ensemble, ensemble.tree().openSession(), 3, 33);
        pass(PROBED);

        // then
        assertThat(hasNode(3)).isTrue();
        assertThat(machine(1).controller.state().orElseThrow().registrations()).containsKey(3);
    }

    // DESIGN 6: at most once per broker and minute.
    // Fails if: ControllerLoop makes a ProbePace for each term
    @Test
    void shouldLeaveASecondDeathWithinAMinuteToTheSession() {
        // given
        kill(3);
        breakStream(1, 3);
        pass(PROBED);
        assertThat(hasNode(3)).isFalse();
        ControllerProcess.register(ensemble, ensemble.tree().openSession(), 3, 33);
        pass(PROBED);

        // when
        breakStream(1, 3);
        pass(Duration.ofSeconds(59));

        // then
        assertThat(hasNode(3)).isTrue();

        // when: its session is longer than that
        pass(Duration.ofSeconds(2));

        // then
        assertThat(hasNode(3)).isFalse();
    }

    // DESIGN 6: the dead controller likewise; then its broker, by the new controller.
    // Fails if: ControllerElection.onControllerNode watches whatever controller it finds
    @Test
    void shouldTakeTheOfficeOfADeadController() {
        // when
        kill(1);
        machine(2).controller.controllerStreamEnded();
        pass(Duration.ofMillis(500));

        // then
        assertThat(machine(2).terms).containsExactly(2);
        assertThat(controllerNode()).isEqualTo(2);
        assertThat(hasNode(1)).isFalse();
        assertThat(state(2).isr()).noneMatch(member -> member.brokerId() == 1);
    }

    // Issue 6 (2): what was proven of the dead controller's process holds for its broker; a probe takes a tenth of a
    // second.
    // Fails if: DeadController.takeProven answers nothing
    @Test
    void shouldNotProbeThePredecessorAgain() {
        // when
        kill(1);
        machine(2).controller.controllerStreamEnded();
        pass(Duration.ofMillis(150));

        // then
        assertThat(machine(2).terms).containsExactly(2);
        assertThat(hasNode(1)).isFalse();
        assertThat(state(2).isr()).noneMatch(member -> member.brokerId() == 1);
    }

    // Issue 6 (2): a standby prepares, and nothing comes of it.
    // Fails if: Rehearsal commits what it decides
    @Test
    void shouldChangeNothingByRehearsing() {
        // given
        String before = ensemble.tree().get(ZkPaths.partitionState(T0)).toString();
        String epoch = ensemble.tree().get(ZkPaths.CONTROLLER_EPOCH).toString();
        int pushed = machine(2).pushed.size();

        // when
        machine(2).controller.rehearse();
        pass(PROBED);

        // then
        assertThat(ensemble.tree().get(ZkPaths.partitionState(T0))).hasToString(before);
        assertThat(ensemble.tree().get(ZkPaths.CONTROLLER_EPOCH)).hasToString(epoch);
        assertThat(machine(2).pushed).hasSize(pushed);
        assertThat(machine(2).terms).isEmpty();
    }

    // DESIGN 6: several brokers may try; ZooKeeper lets one of them.
    // Fails if: the take-over multi does not check the epoch's version
    @Test
    void shouldHaveOneSuccessorOfADeadController() {
        // when
        kill(1);
        machine(2).controller.controllerStreamEnded();
        machine(3).controller.controllerStreamEnded();
        pass(Duration.ofSeconds(1));

        // then
        List<Integer> terms = new ArrayList<>(machine(2).terms);
        terms.addAll(machine(3).terms);
        assertThat(terms).containsExactly(2);
        assertThat(hasNode(1)).isFalse();
    }

    // DESIGN 6: nobody takes the office of a controller that lives for anybody.
    // Fails if: DeadController takes over when streams end
    @Test
    void shouldLeaveALivingControllerInOffice() {
        // given
        refused.add("2-1");

        // when
        machine(2).controller.controllerStreamEnded();
        machine(3).controller.controllerStreamEnded();
        pass(Duration.ofSeconds(10));

        // then
        assertThat(controllerNode()).isEqualTo(1);
        assertThat(machine(2).terms).isEmpty();
        assertThat(machine(3).terms).isEmpty();
    }

    // DESIGN 6: a controller and another broker die together; the last one is refused by both, and asks nobody else.
    // Fails if: FailureProbe takes a dead broker's silence for an objection
    @Test
    void shouldGoOnAloneWhenBothOthersAreDead() {
        // when
        kill(1);
        kill(3);
        machine(2).controller.controllerStreamEnded();
        pass(Duration.ofSeconds(1));

        // then
        assertThat(machine(2).terms).containsExactly(2);
        assertThat(hasNode(1)).isFalse();
        assertThat(hasNode(3)).isFalse();
    }

    // KAFKA-6082, DESIGN 6: every controller write checks the epoch node's version, the delete of a registration too.
    // Fails if: DeadBrokers deletes the node outside a multi
    @Test
    void shouldDeleteNothingOnceAnotherIsController() {
        // given: A has asked, and sleeps
        refused.add("1-3");
        refused.add("2-3");
        breakStream(1, 3);
        scheduler.advance(Duration.ofMillis(10));
        machine(1).loops.runAll();

        // when: another is elected meanwhile
        ensemble.tree().delete(ensemble.tree().openSession(), ZkPaths.CONTROLLER, -1);
        for (int i = 0; i < 20; i++) {
            machine(2).loops.runAll();
        }
        assertThat(machine(2).terms).containsExactly(2);
        pass(PROBED);

        // then
        assertThat(hasNode(3)).isTrue();
    }

    // DESIGN 6: a follower's death costs the others nothing but its place.
    // Fails if: BrokerChange.onDied loses brokers of another epoch, too
    @Test
    void shouldKeepTheLeaderWhenAFollowerDies() {
        // given
        int leader = state(1).leader();
        int dead = follower();
        int leaderEpoch = state(1).leaderEpoch();

        // when
        kill(dead);
        breakStream(1, dead);
        pass(PROBED);

        // then
        if (leader != dead) {
            assertThat(state(1).leader()).isEqualTo(leader);
            assertThat(state(1).leaderEpoch()).isEqualTo(leaderEpoch);
        }
        assertThat(state(1).isr()).noneMatch(member -> member.brokerId() == dead);
    }
}
