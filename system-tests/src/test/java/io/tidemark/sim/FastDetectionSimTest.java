package io.tidemark.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.coordination.zookeeper.ZkCodec;
import io.tidemark.coordination.zookeeper.ZkNode;
import io.tidemark.coordination.zookeeper.ZkPaths;
import io.tidemark.core.config.TruncationMode;
import io.tidemark.core.testkit.SeededRandomness;
import java.time.Duration;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How soon a cluster with sessions of six seconds goes on without a process that ended, and whom it takes for dead. */
final class FastDetectionSimTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int DRAWS = 1_000;

    private SimWorld world = new SimWorld(31, Trace.lastLines(60));
    private SimCluster cluster;
    private int leader;
    private int controller;

    /** Three brokers that all hold one record; the leader is the controller, or is not. */
    private void start(long seed, Detection detection, Together together) {
        world = new SimWorld(seed, Trace.lastLines(60));
        cluster = new SimCluster(
                world, 3, SimSettings.of(TruncationMode.LEADER_EPOCH).withDetection(detection));
        cluster.brokerIds().forEach(cluster::start);
        cluster.run(Duration.ofSeconds(2));
        cluster.createTopic(2);
        cluster.await("all follow", cluster::allCaughtUp, PATIENCE);
        controller = ZkCodec.decodeController(node(ZkPaths.CONTROLLER).data())
                .orThrow()
                .brokerId();
        int wanted = together == Together.YES ? controller : controller % 3 + 1;
        if (cluster.leader().orElseThrow() != wanted) {
            cluster.transferLeader(wanted);
        }
        cluster.await(
                "broker " + wanted + " leads",
                () -> cluster.leader().filter(id -> id == wanted).isPresent(),
                PATIENCE);
        leader = wanted;
        cluster.produce(leader, "m0");
        cluster.await("m0", () -> cluster.acked().all().size() == 1, PATIENCE);
    }

    private enum Together {
        YES,
        NO
    }

    private ZkNode node(String path) {
        return Objects.requireNonNull(cluster.zooKeeper().tree().get(path).value());
    }

    /** By broker: the creation of its registration. */
    private SortedMap<Integer, Long> registrations() {
        SortedMap<Integer, Long> created = new TreeMap<>();
        for (int id : cluster.brokerIds()) {
            ZkNode node = cluster.zooKeeper().tree().get(ZkPaths.broker(id)).value();
            if (node != null) {
                created.put(id, node.stat().czxid());
            }
        }
        return created;
    }

    private Duration untilAnotherLeads(int... gone) {
        long beganNs = world.clock().monotonicNs();
        cluster.await("another leads", () -> cluster.leader().isPresent(), PATIENCE);
        assertThat(gone).doesNotContain(cluster.leader().orElseThrow());
        return Duration.ofNanos(world.clock().monotonicNs() - beganNs);
    }

    // DESIGN 6, issue 6 (2a): a leader's process ends, and another leads in a moment.
    // Fails if: SimPeers or GrpcBrokerCommands does not tell of streams that break
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void shouldHaveAnotherLeaderWithinHalfASecondOfACrash(long seed) {
        start(seed, Detection.FAST, Together.NO);

        cluster.crash(leader);

        assertThat(untilAnotherLeads(leader)).isLessThan(Duration.ofMillis(500));
        cluster.healAndVerify(PATIENCE);
    }

    // DESIGN 6, issue 6 (2b): a leader that is the controller, too.
    // Fails if: DeadController never takes over
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void shouldHaveAnotherLeaderWithinASecondOfACrashOfTheControllerThatLeads(long seed) {
        start(seed, Detection.FAST, Together.YES);

        cluster.crash(leader);

        assertThat(untilAnotherLeads(leader)).isLessThan(Duration.ofSeconds(1));
        cluster.healAndVerify(PATIENCE);
    }

    // DESIGN 6: both at once; the broker that is left has nobody to ask.
    // Fails if: FailureProbe takes the silence of a dead broker for an objection
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void shouldHaveAnotherLeaderWithinASecondOfTheCrashOfControllerAndLeader(long seed) {
        start(seed, Detection.FAST, Together.NO);

        cluster.crash(controller);
        cluster.crash(leader);

        assertThat(untilAnotherLeads(controller, leader)).isLessThan(Duration.ofSeconds(1));
        cluster.healAndVerify(PATIENCE);
    }

    /** What fast detection saves, so that the limits above mean something. */
    @Test
    void shouldWaitForTheSessionWithoutFastDetection() {
        start(1, Detection.SESSION, Together.NO);

        cluster.crash(leader);

        assertThat(untilAnotherLeads(leader)).isGreaterThan(Duration.ofSeconds(4));
    }

    // DESIGN 6: silent failures (power, cut cable) cost the session timeout.
    // Fails if: SimConnect or GrpcPeerProbe takes silence for a refusal
    @Test
    void shouldWaitForTheSessionOfAMachineWithoutPower() {
        start(1, Detection.FAST, Together.NO);
        SortedMap<Integer, Long> before = registrations();

        cluster.powerLoss(leader);
        cluster.run(Duration.ofSeconds(4));

        assertThat(registrations()).isEqualTo(before);
        assertThat(cluster.leader()).isEmpty();
        cluster.await("another leads", () -> cluster.leader().isPresent(), PATIENCE);
    }

    // DESIGN 6: cut links fence nobody while ZooKeeper hears of all.
    // Fails if: DeadBrokers takes a broken stream for a death
    @Test
    void shouldFenceNobodyForACutLink() {
        start(1, Detection.FAST, Together.NO);
        SortedMap<Integer, Long> before = registrations();
        SeededRandomness chance = new SeededRandomness(77);

        for (int i = 0; i < 100; i++) {
            int one = chance.pick(cluster.brokerIds());
            int other = one % 3 + 1;
            if (chance.oneIn(2)) {
                cluster.cut(one, other);
            } else {
                cluster.cutOneWay(one, other);
            }
            pushSomething(chance);
            cluster.run(Duration.ofMillis(1L + chance.nextInt(4_000)));
            cluster.heal();
            cluster.run(Duration.ofMillis(1L + chance.nextInt(500)));
        }

        assertThat(registrations()).isEqualTo(before);
    }

    /** A push that is not answered breaks its stream. */
    private void pushSomething(SeededRandomness chance) {
        cluster.transferLeader(chance.pick(cluster.brokerIds()));
    }

    // DESIGN 6, issue 6 (2): stops of a second fence no living broker, whatever becomes of its connections meanwhile.
    // Fails if: DeadBrokers takes a broken stream for a death
    @Test
    void shouldFenceNobodyWhoIsStoppedForASecond() {
        start(1, Detection.FAST, Together.NO);
        SortedMap<Integer, Long> before = registrations();
        ZkNode office = node(ZkPaths.CONTROLLER);
        SeededRandomness chance = new SeededRandomness(4711);

        for (int i = 0; i < DRAWS; i++) {
            int stopped = chance.pick(cluster.brokerIds());
            cluster.pause(stopped);
            int other = stopped % 3 + 1;
            if (chance.oneIn(2)) {
                // Each message that is lost breaks its stream.
                cluster.disturb(other, stopped, LinkFaults.NONE.withDrops(1 + chance.nextInt(1_000)));
            }
            pushSomething(chance);
            cluster.run(Duration.ofSeconds(1));
            cluster.disturb(other, stopped, LinkFaults.NONE);
            cluster.resume(stopped);
            cluster.run(Duration.ofMillis(1L + chance.nextInt(300)));
        }

        assertThat(registrations()).isEqualTo(before);
        assertThat(node(ZkPaths.CONTROLLER)).isEqualTo(office);
    }

    // DESIGN 6: listen first, then register; deregister, then close: a stop and a start are nobody's death.
    // Fails if: SimProcess registers before it listens
    @Test
    void shouldTakeNobodyForDeadWhoStopsOrStarts() {
        start(1, Detection.FAST, Together.NO);

        for (int i = 0; i < 10; i++) {
            int id = i % 3 + 1;
            cluster.stopCleanly(id);
            cluster.await("broker " + id + " is gone", () -> !cluster.isRunning(id), PATIENCE);
            cluster.start(id);
            cluster.await("all follow", cluster::allCaughtUp, PATIENCE);
        }

        assertThat(world.trace()).noneMatch(line -> line.contains("its process has ended"));
        cluster.healAndVerify(PATIENCE);
    }
}
