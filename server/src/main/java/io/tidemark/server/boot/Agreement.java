package io.tidemark.server.boot;

import io.micrometer.core.instrument.Counter;
import io.tidemark.coordination.broker.BrokerRegistrar;
import io.tidemark.coordination.broker.ClusterIdentity;
import io.tidemark.coordination.broker.PeerIdentifier;
import io.tidemark.coordination.broker.RegistrarPorts;
import io.tidemark.coordination.broker.RegistrationListener;
import io.tidemark.coordination.cluster.ClusterSettings;
import io.tidemark.coordination.controller.BrokerCommands;
import io.tidemark.coordination.controller.ControllerLoop;
import io.tidemark.coordination.controller.ControllerPorts;
import io.tidemark.coordination.controller.FailureDetection;
import io.tidemark.coordination.zookeeper.CuratorZkSession;
import io.tidemark.coordination.zookeeper.ZkSession;
import io.tidemark.coordination.zookeeper.ZkSettings;
import io.tidemark.core.config.BrokerConfig;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.runtime.EventLoops;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** This broker's part in the cluster's agreement: its ZooKeeper session, its registration, and its controller. */
final class Agreement {
    private static final Logger LOG = LoggerFactory.getLogger(Agreement.class);
    private static final Duration IDENTITY_PATIENCE = Duration.ofSeconds(60);
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(5);
    private static final Duration RECOVERY_RETRY = Duration.ofSeconds(1);
    private static final int MAX_PARTITIONS_PER_TOPIC = 1_000;

    private final BrokerConfig config;
    private final EventLoops.Loop loop;
    private final CuratorZkSession session;
    private final Foundation foundation;
    private volatile ZkSession.State state = ZkSession.State.SUSPENDED;

    Agreement(BrokerConfig config, Foundation foundation) {
        this.config = config;
        this.foundation = foundation;
        this.loop = foundation.loops().open("tidemark-agreement");
        this.session = CuratorZkSession.open(
                ZkSettings.plain(
                        config.zooKeeper().connect(), config.zooKeeper().sessionTimeout()),
                loop);
        Counter expirations = Counter.builder("tidemark.zk.session.expirations")
                .description("ZooKeeper sessions that ended while this broker lived")
                .register(foundation.registry());
        session.onState(now -> {
            state = now;
            if (now == ZkSession.State.EXPIRED) {
                expirations.increment();
            }
        });
    }

    /** State of the ZooKeeper session, as last told. Thread-safe. */
    ZkSession.State state() {
        return state;
    }

    /** The id of the cluster, made up if both the cluster and this broker are new; waits for ZooKeeper. */
    String clusterId(Optional<String> own) throws StartFailure, InterruptedException {
        CompletableFuture<ClusterIdentity.Resolved> resolved = new CompletableFuture<>();
        loop.execute(() -> ClusterIdentity.resolve(session, loop, foundation.randomness(), own, resolved::complete));
        try {
            ClusterIdentity.Resolved answer = resolved.get(IDENTITY_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            String clusterId = answer.clusterId();
            if (clusterId == null) {
                throw new StartFailure(ExitStatus.CONFIGURATION, answer.problem());
            }
            return clusterId;
        } catch (TimeoutException e) {
            throw new StartFailure(
                    ExitStatus.FAILED,
                    "no ZooKeeper answered at " + config.zooKeeper().connect() + " within "
                            + IDENTITY_PATIENCE.toSeconds() + " s");
        } catch (ExecutionException e) {
            throw new StartFailure(ExitStatus.FAILED, "cannot find the cluster's id: " + e.getCause());
        }
    }

    /** The controller that this broker can be. */
    ControllerLoop controller(
            BrokerRegistration self,
            String clusterId,
            BrokerCommands commands,
            FailureDetection detection,
            ControllerLoop.Listener listener) {
        ControllerPorts ports = new ControllerPorts(
                self.id(), self.peer(), loop, session, commands, clusterId, config.fastDetection() ? detection : null);
        return new ControllerLoop(ports, settings(), listener);
    }

    /** The registration, not started yet. */
    BrokerRegistrar registrar(
            BrokerRegistration self, String clusterId, PeerIdentifier peers, RegistrationListener listener) {
        RegistrarPorts ports =
                new RegistrarPorts(session, loop, peers, config.zooKeeper().sessionTimeout());
        return new BrokerRegistrar(ports, clusterId, self, listener);
    }

    EventLoops.Loop loop() {
        return loop;
    }

    /** Ends the session: what is ephemeral goes at once. */
    void close() throws InterruptedException {
        session.close();
        if (!session.awaitClosed(CLOSE_PATIENCE)) {
            LOG.warn("ZooKeeper did not confirm the end of the session; it will time out");
        }
    }

    private ClusterSettings settings() {
        return new ClusterSettings(
                config.zooKeeper().sessionTimeout(), RECOVERY_RETRY, MAX_PARTITIONS_PER_TOPIC, config.topicDefaults());
    }
}
