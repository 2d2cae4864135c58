package io.tidemark.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.coordination.broker.BrokerRegistrar;
import io.tidemark.coordination.broker.ClusterIdentity;
import io.tidemark.coordination.broker.RegistrarPorts;
import io.tidemark.coordination.broker.RegistrationFailure;
import io.tidemark.coordination.broker.RegistrationListener;
import io.tidemark.coordination.zookeeper.ZkCodec;
import io.tidemark.coordination.zookeeper.ZkPaths;
import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.ManualEventLoops;
import io.tidemark.core.testkit.ManualScheduler;
import io.tidemark.core.testkit.SeededRandomness;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.Endpoint;
import io.tidemark.runtime.EventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Brokers stay registered, or are again soon, whatever happens to ZooKeeper and the way to it (KNOWN_BUGS 45, 46). */
final class BrokerRegistrarSimTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(6);
    private static final int BROKERS = 3;
    private static final int RUNS = 10;

    @Test
    void shouldBeRegisteredAgainThirtySecondsAfterTheLastFault() {
        long first = Long.getLong("tidemark.seed", 1);
        for (long seed = first; seed < first + RUNS; seed++) {
            new Run(seed).play();
        }
    }

    private static final class Run {
        private final long seed;
        private final ManualEventLoops loops = new ManualEventLoops(new ManualScheduler(new ManualClock()));
        private final EventLoop loop = loops.open("brokers");
        private final SeededRandomness faults;
        private final SimZooKeeper zooKeeper;
        private final List<SimBroker> brokers = new ArrayList<>();

        private Run(long seed) {
            this.seed = seed;
            SeededRandomness randomness = new SeededRandomness(seed);
            faults = randomness.fork("faults");
            ManualScheduler scheduler = loops.scheduler();
            zooKeeper = new SimZooKeeper(
                    scheduler.clock(), scheduler, randomness.fork("zookeeper"), SimZooKeeper.Settings.DEFAULT);
            for (int id = 1; id <= BROKERS; id++) {
                brokers.add(new SimBroker(id, randomness.fork("broker " + id)));
            }
        }

        private void play() {
            for (int step = 0; step < 60; step++) {
                fault();
                loops.advance(Duration.ofMillis(1 + faults.nextInt(4_000)));
            }
            calm();
            loops.advance(Duration.ofSeconds(30));
            brokers.forEach(SimBroker::assertRegistered);
            List<Long> epochs = brokers.stream().map(SimBroker::epoch).toList();
            loops.advance(Duration.ofSeconds(60));
            assertThat(brokers.stream().map(SimBroker::epoch).toList())
                    .as("seed %d", seed)
                    .isEqualTo(epochs);
        }

        private void fault() {
            SimZooKeeperClient client = faults.pick(brokers).client;
            switch (faults.nextInt(12)) {
                case 0 -> client.cut();
                case 1 -> client.cutReplies();
                case 2, 3 -> client.heal();
                case 4, 5 -> client.loseNextReply();
                case 6 -> zooKeeper.expire(client.sessionId());
                case 7 -> zooKeeper.stop();
                case 8 -> zooKeeper.start();
                case 9 -> zooKeeper.pause();
                case 10 -> zooKeeper.resume();
                default -> removeNode(faults.pick(brokers).id);
            }
        }

        private void removeNode(int id) {
            zooKeeper.tree().delete(0, ZkPaths.broker(id), -1);
        }

        private void calm() {
            zooKeeper.resume();
            zooKeeper.start();
            brokers.forEach(broker -> broker.client.heal());
        }

        private final class SimBroker implements RegistrationListener {
            private final int id;
            private final SimZooKeeperClient client = zooKeeper.connect(loop, TIMEOUT);
            private final List<Long> epochs = new ArrayList<>();
            private boolean registered;

            private SimBroker(int id, SeededRandomness randomness) {
                this.id = id;
                ClusterIdentity.resolve(client, loop, randomness, Optional.empty(), resolved -> {
                    assertThat(resolved.problem()).as("seed %d", seed).isEmpty();
                    register(resolved.clusterId(), randomness.nextLong());
                });
            }

            private void register(String clusterId, long nonce) {
                Endpoint endpoint = new Endpoint("b" + id, 1);
                BrokerRegistration self = new BrokerRegistration(
                        id,
                        -1,
                        nonce,
                        endpoint,
                        endpoint,
                        endpoint,
                        "",
                        List.of("d" + id),
                        BrokerRegistration.PROVES_NOTHING);
                RegistrarPorts ports = new RegistrarPorts(client, loop, (at, answer) -> answer.accept(null), TIMEOUT);
                new BrokerRegistrar(ports, clusterId, self, this).start();
            }

            private long epoch() {
                return epochs.get(epochs.size() - 1);
            }

            private void assertRegistered() {
                assertThat(registered).as("broker %d, seed %d", id, seed).isTrue();
                BrokerRegistration stands = ZkCodec.decodeBroker(
                                id, zooKeeper.tree().get(ZkPaths.broker(id)).value())
                        .orThrow();
                assertThat(stands.brokerEpoch())
                        .as("broker %d, seed %d", id, seed)
                        .isEqualTo(epoch());
                assertThat(zooKeeper.tree().exists(ZkPaths.broker(id)).value().ephemeralOwner())
                        .as("broker %d, seed %d", id, seed)
                        .isEqualTo(client.sessionId());
            }

            @Override
            public void beforeAnnounce(BrokerRegistration registration, Runnable done) {
                loop.schedule(Duration.ofMillis(20), done);
            }

            @Override
            public void registered(BrokerRegistration registration) {
                assertThat(registered).as("registered twice, seed %d", seed).isFalse();
                assertThat(epochs.isEmpty() || epoch() < registration.brokerEpoch())
                        .as("epochs rise, seed %d", seed)
                        .isTrue();
                registered = true;
                epochs.add(registration.brokerEpoch());
            }

            @Override
            public void lost() {
                assertThat(registered).as("lost what it had, seed %d", seed).isTrue();
                registered = false;
            }

            @Override
            public void failed(RegistrationFailure failure) {
                throw new AssertionError(failure + ", seed " + seed);
            }
        }
    }
}
