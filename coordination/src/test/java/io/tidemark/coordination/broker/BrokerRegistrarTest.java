package io.tidemark.coordination.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.coordination.broker.PeerIdentifier.Identity;
import io.tidemark.coordination.broker.RegistrationFailure.Reason;
import io.tidemark.coordination.zookeeper.ManualZkSession;
import io.tidemark.coordination.zookeeper.ZkCodec;
import io.tidemark.coordination.zookeeper.ZkContent;
import io.tidemark.coordination.zookeeper.ZkPaths;
import io.tidemark.coordination.zookeeper.ZkSession.CreateMode;
import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.ManualEventLoops;
import io.tidemark.core.testkit.ManualScheduler;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.Endpoint;
import io.tidemark.runtime.EventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Registration as DESIGN section 6 and KNOWN_BUGS 45 and 46 ask for it. */
final class BrokerRegistrarTest {
    private static final int ID = 5;
    private static final String PATH = ZkPaths.broker(ID);
    private static final String CLUSTER = "c1";
    private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(10);
    private static final long NOTHING = BrokerRegistration.PROVES_NOTHING;

    private final ManualEventLoops loops = new ManualEventLoops(new ManualScheduler(new ManualClock()));
    private final EventLoop loop = loops.open("broker");
    private final ManualZkSession.Ensemble ensemble = new ManualZkSession.Ensemble();
    private final ManualZkSession session = ensemble.client(loop);
    private final Told told = new Told();
    private Identity whoAnswers;
    private int identifyCalls;

    @BeforeEach
    void makeCluster() {
        long someSession = ensemble.tree().openSession();
        for (String path : ZkPaths.SKELETON) {
            ensemble.tree().create(someSession, path, "", CreateMode.PERSISTENT);
        }
        ensemble.tree()
                .create(someSession, ZkPaths.CLUSTER_ID, ZkCodec.encodeClusterId(CLUSTER), CreateMode.PERSISTENT);
    }

    @Test
    void shouldRegisterAndCountOnlyOnceTheEpochIsForced() {
        // given
        told.forcesAtOnce = false;
        start(broker(1, NOTHING, "d1"));

        // then the node stands but the broker is not registered yet
        assertThat(registeredNow()).isEqualTo(broker(1, NOTHING, "d1").withBrokerEpoch(czxid()));
        assertThat(told.events).containsExactly("force " + czxid());

        // when
        told.forced();

        // then
        assertThat(told.events).containsExactly("force " + czxid(), "registered " + czxid());
        assertThat(owner()).isEqualTo(session.sessionId());
    }

    @Test
    void shouldReplaceTheNodeThatAKilledPredecessorLeftAtOnce() {
        // given a restart within a second of kill -9
        long deadSession = ensemble.tree().openSession();
        register(deadSession, broker(77, NOTHING, "d1"));
        long oldEpoch = czxid();

        // when
        start(broker(1, oldEpoch, "d1"));

        // then
        assertThat(owner()).isEqualTo(session.sessionId());
        assertThat(registeredNow().continuesEpoch()).isEqualTo(oldEpoch);
        long epoch = czxid();

        // and 30 s later, with the dead session gone, the node still stands
        ensemble.end(deadSession);
        loops.advance(Duration.ofSeconds(30));
        assertThat(czxid()).isEqualTo(epoch);
        assertThat(told.events).containsExactly("force " + epoch, "registered " + epoch);
    }

    @Test
    void shouldReplaceTheNodeOfItsOwnPreviousSession() {
        // given an outage after which the client has a new session while the ensemble still holds the old one
        start(broker(1, NOTHING, "d1"));
        long first = czxid();
        long oldSession = session.sessionId();

        // when
        session.forgetSession();
        session.connect();
        loops.runAll();

        // then
        long second = czxid();
        assertThat(owner()).isEqualTo(session.sessionId()).isNotEqualTo(oldSession);
        ensemble.end(oldSession);
        loops.advance(Duration.ofSeconds(30));
        assertThat(czxid()).isEqualTo(second).isGreaterThan(first);
        assertThat(told.events)
                .containsExactly(
                        "force " + first, "registered " + first, "lost", "force " + second, "registered " + second);
    }

    @Test
    void shouldRegisterAgainAfterExpiryWithTheSameNonceContinuingItsLastEpoch() {
        // given
        start(broker(1, NOTHING, "d1"));
        long first = czxid();

        // when
        ensemble.end(session.sessionId());
        session.connect();
        loops.runAll();

        // then
        assertThat(registeredNow().processNonce()).isEqualTo(1);
        assertThat(registeredNow().continuesEpoch()).isEqualTo(first);
        assertThat(told.last()).isEqualTo("registered " + czxid());
    }

    @Test
    void shouldContinueTheEpochThatTheControllerTookAccountOf() {
        // given a controller that has seen the first registration only
        start(broker(1, NOTHING, "d1"));
        BrokerRegistration first = registeredNow();
        String recorded = ZkCodec.encodeIncarnation(new ZkContent.Incarnation(3, first), ZkCodec.NOTHING_CARRIED);
        ensemble.tree().create(session.sessionId(), ZkPaths.incarnation(ID), recorded, CreateMode.PERSISTENT);

        // when the session expires twice
        for (int i = 0; i < 2; i++) {
            ensemble.end(session.sessionId());
            session.connect();
            loops.runAll();
        }

        // then
        assertThat(registeredNow().continuesEpoch()).isEqualTo(first.brokerEpoch());
    }

    @Test
    void shouldRegisterAgainWhenItsNodeVanishesWhileTheSessionLives() {
        start(broker(1, NOTHING, "d1"));
        long first = czxid();

        ensemble.tree().delete(session.sessionId(), PATH, -1);
        loops.runAll();

        assertThat(czxid()).isGreaterThan(first);
        assertThat(told.events)
                .containsExactly(
                        "force " + first, "registered " + first, "lost", "force " + czxid(), "registered " + czxid());
    }

    @Test
    void shouldWaitForTheNodeOfAnUnknownDeadOwnerThenCreate() {
        // given
        long deadSession = ensemble.tree().openSession();
        register(deadSession, broker(77, NOTHING, "other"));

        // when nobody answers at its address
        start(broker(1, NOTHING, "d1"));
        loops.advance(Duration.ofSeconds(9));
        assertThat(owner()).isEqualTo(deadSession);
        ensemble.end(deadSession);
        loops.runAll();

        // then
        assertThat(owner()).isEqualTo(session.sessionId());
        assertThat(told.last()).isEqualTo("registered " + czxid());
        loops.advance(Duration.ofSeconds(30));
        assertThat(told.failure).isNull();
    }

    @Test
    void shouldFailWhenALiveRivalAnswers() {
        // given
        long rivalSession = ensemble.tree().openSession();
        register(rivalSession, broker(77, NOTHING, "other"));
        whoAnswers = new Identity(CLUSTER, ID, 77);

        // when
        start(broker(1, NOTHING, "d1"));

        // then at once, and the rival keeps its node
        assertThat(told.failure.reason()).isEqualTo(Reason.ID_IN_USE);
        assertThat(told.failure.message()).contains("broker id 5", "peer:2");
        loops.advance(Duration.ofMinutes(1));
        assertThat(owner()).isEqualTo(rivalSession);
    }

    @Test
    void shouldFailWhenASilentRivalsSessionOutlivesTheTimeout() {
        // given
        long rivalSession = ensemble.tree().openSession();
        register(rivalSession, broker(77, NOTHING, "other"));

        // when
        start(broker(1, NOTHING, "d1"));
        loops.advance(SESSION_TIMEOUT);
        assertThat(told.failure).isNull();
        loops.advance(SESSION_TIMEOUT);

        // then
        assertThat(told.failure.reason()).isEqualTo(Reason.ID_IN_USE);
        assertThat(owner()).isEqualTo(rivalSession);
    }

    @Test
    void shouldFailWhenARivalKeepsRecreatingItsNode() {
        // given
        start(broker(1, NOTHING, "d1"), () -> register(ensemble.tree().openSession(), broker(77, NOTHING, "other")));

        // when
        for (int i = 0; i < 20 && told.failure == null; i++) {
            ensemble.tree().delete(0, PATH, -1);
            register(ensemble.tree().openSession(), broker(77, NOTHING, "other"));
            loops.advance(Duration.ofSeconds(1));
        }

        // then
        assertThat(told.failure.reason()).isEqualTo(Reason.ID_IN_USE);
    }

    @Test
    void shouldGiveWayToALaterProcessWithACopyOfItsDirectories() {
        // given
        start(broker(1, NOTHING, "d1"));
        ensemble.tree().delete(0, PATH, -1);
        long laterSession = ensemble.tree().openSession();
        register(laterSession, broker(2, NOTHING, "d1"));
        whoAnswers = new Identity(CLUSTER, ID, 2);

        // when
        loops.runAll();

        // then
        assertThat(told.failure.reason()).isEqualTo(Reason.ID_IN_USE);
        assertThat(owner()).isEqualTo(laterSession);
    }

    @Test
    void shouldNotTakeItselfForARivalAtTheAddressOfADeadOne() {
        // given the dead process used the address that this one listens on now
        long deadSession = ensemble.tree().openSession();
        register(deadSession, broker(77, NOTHING, "wiped"));
        whoAnswers = new Identity(CLUSTER, ID, 1);

        // when
        start(broker(1, NOTHING, "d1"));
        ensemble.end(deadSession);
        loops.runAll();

        // then
        assertThat(identifyCalls).isPositive();
        assertThat(told.last()).isEqualTo("registered " + czxid());
    }

    @Test
    void shouldGiveARivalsSessionANewLifeWhenZooKeeperWasAway() {
        // given
        register(ensemble.tree().openSession(), broker(77, NOTHING, "other"));
        start(broker(1, NOTHING, "d1"));
        loops.advance(Duration.ofSeconds(14));

        // when
        session.suspend();
        loops.advance(Duration.ofSeconds(5));
        session.connect();
        loops.advance(Duration.ofSeconds(14));

        // then
        assertThat(told.failure).isNull();
        loops.advance(Duration.ofSeconds(2));
        assertThat(told.failure.reason()).isEqualTo(Reason.ID_IN_USE);
    }

    @Test
    void shouldFindOutWhatALostReplyHid() {
        for (int lost = 0; lost < 16; lost++) {
            assertRegistersWithLostReplyAt(lost);
        }
    }

    private static void assertRegistersWithLostReplyAt(int step) {
        BrokerRegistrarTest run = new BrokerRegistrarTest();
        run.makeCluster();
        run.register(run.ensemble.tree().openSession(), run.broker(77, NOTHING, "d1"));
        run.startRegistrar(run.broker(1, NOTHING, "d1"));
        run.session.connect();
        int tasks = 0;
        while (run.loops.runOne()) {
            if (tasks++ == step) {
                run.session.loseReplies(1);
            }
        }
        run.loops.advance(Duration.ofSeconds(2));
        assertThat(run.told.last()).as("reply lost after task %d", step).isEqualTo("registered " + run.czxid());
        assertThat(run.owner()).isEqualTo(run.session.sessionId());
    }

    @Test
    void shouldStayRegisteredThroughAShortSuspension() {
        start(broker(1, NOTHING, "d1"));
        long epoch = czxid();

        session.suspend();
        loops.advance(Duration.ofSeconds(3));
        session.connect();
        loops.advance(Duration.ofSeconds(30));

        assertThat(told.events).containsExactly("force " + epoch, "registered " + epoch);
    }

    @Test
    void shouldNotAnnounceARegistrationThatExpiredWhileItsEpochWasForced() {
        // given
        told.forcesAtOnce = false;
        start(broker(1, NOTHING, "d1"));
        long first = czxid();
        Runnable lateForce = told.pendingForce;

        // when
        ensemble.end(session.sessionId());
        session.connect();
        loops.runAll();
        lateForce.run();
        loops.runAll();

        // then
        assertThat(told.events).containsExactly("force " + first, "force " + czxid());
        told.forced();
        assertThat(told.last()).isEqualTo("registered " + czxid());
    }

    @Test
    void shouldRefuseAZooKeeperThatHoldsAnotherCluster() {
        ensemble.tree().set(0, ZkPaths.CLUSTER_ID, ZkCodec.encodeClusterId("c2"), -1);

        start(broker(1, NOTHING, "d1"));

        assertThat(told.failure.reason()).isEqualTo(Reason.OTHER_CLUSTER);
        assertThat(told.failure.message()).contains("c1", "c2");
        assertThat(ensemble.tree().exists(PATH).isOk()).isFalse();
    }

    @Test
    void shouldRefuseAPersistentNodeUnderItsId() {
        ensemble.tree().create(0, PATH, "{}", CreateMode.PERSISTENT);

        start(broker(1, NOTHING, "d1"));

        assertThat(told.failure.reason()).isEqualTo(Reason.BAD_NODE);
        assertThat(told.failure.message()).contains(PATH);
    }

    @Test
    void shouldTakeItsRegistrationBackAndNotComeBack() {
        // given
        BrokerRegistrar registrar = start(broker(1, NOTHING, "d1"));
        List<String> done = new ArrayList<>();

        // when
        registrar.deregister(() -> done.add("done"));
        loops.runAll();

        // then
        assertThat(done).containsExactly("done");
        assertThat(ensemble.tree().exists(PATH).isOk()).isFalse();
        session.suspend();
        session.connect();
        loops.advance(Duration.ofMinutes(1));
        assertThat(ensemble.tree().exists(PATH).isOk()).isFalse();
        assertThat(done).containsExactly("done");
    }

    @Test
    void shouldNotTakeBackAnotherProcesssRegistration() {
        BrokerRegistrar registrar = start(broker(1, NOTHING, "d1"));
        ensemble.tree().delete(0, PATH, -1);
        register(ensemble.tree().openSession(), broker(2, NOTHING, "d1"));

        List<String> done = new ArrayList<>();
        registrar.deregister(() -> done.add("done"));
        loops.runAll();

        assertThat(done).containsExactly("done");
        assertThat(registeredNow().processNonce()).isEqualTo(2);
    }

    private BrokerRegistrar start(BrokerRegistration self) {
        return start(self, () -> {});
    }

    private BrokerRegistrar start(BrokerRegistration self, Runnable before) {
        before.run();
        BrokerRegistrar registrar = startRegistrar(self);
        session.connect();
        loops.runAll();
        return registrar;
    }

    private BrokerRegistrar startRegistrar(BrokerRegistration self) {
        PeerIdentifier peers = (at, answer) -> {
            identifyCalls++;
            answer.accept(whoAnswers);
        };
        BrokerRegistrar registrar =
                new BrokerRegistrar(new RegistrarPorts(session, loop, peers, SESSION_TIMEOUT), CLUSTER, self, told);
        registrar.start();
        return registrar;
    }

    private void register(long owner, BrokerRegistration registration) {
        ensemble.tree().create(owner, PATH, ZkCodec.encodeBroker(registration), CreateMode.EPHEMERAL);
    }

    private BrokerRegistration registeredNow() {
        return ZkCodec.decodeBroker(ID, ensemble.tree().get(PATH).value()).orThrow();
    }

    private long czxid() {
        return ensemble.tree().exists(PATH).value().czxid();
    }

    private long owner() {
        return ensemble.tree().exists(PATH).value().ephemeralOwner();
    }

    private BrokerRegistration broker(long nonce, long continues, String... directoryIds) {
        return new BrokerRegistration(
                ID,
                -1,
                nonce,
                new Endpoint("client", 1),
                new Endpoint("peer", 2),
                new Endpoint("http", 3),
                "",
                List.of(directoryIds),
                continues);
    }

    private final class Told implements RegistrationListener {
        private final List<String> events = new ArrayList<>();
        private boolean forcesAtOnce = true;
        private Runnable pendingForce;
        private RegistrationFailure failure;

        private String last() {
            return events.get(events.size() - 1);
        }

        private void forced() {
            pendingForce.run();
            loops.runAll();
        }

        @Override
        public void beforeAnnounce(BrokerRegistration registration, Runnable done) {
            events.add("force " + registration.brokerEpoch());
            pendingForce = done;
            if (forcesAtOnce) {
                done.run();
            }
        }

        @Override
        public void registered(BrokerRegistration registration) {
            events.add("registered " + registration.brokerEpoch());
        }

        @Override
        public void lost() {
            events.add("lost");
        }

        @Override
        public void failed(RegistrationFailure why) {
            failure = why;
        }
    }
}
