package io.tidemark.sim;

import io.tidemark.coordination.broker.BrokerRegistrar;
import io.tidemark.coordination.broker.RegistrarPorts;
import io.tidemark.coordination.broker.RegistrationFailure;
import io.tidemark.coordination.broker.RegistrationListener;
import io.tidemark.coordination.cluster.Answer;
import io.tidemark.coordination.cluster.ClusterEvent;
import io.tidemark.coordination.cluster.ClusterSettings;
import io.tidemark.coordination.cluster.Notice;
import io.tidemark.coordination.controller.ControllerLoop;
import io.tidemark.coordination.controller.ControllerPorts;
import io.tidemark.coordination.controller.FailureDetection;
import io.tidemark.coordination.zookeeper.ZkContent.Controller;
import io.tidemark.core.config.TopicDefaults;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.runtime.Clock;
import io.tidemark.runtime.EventLoops;
import java.time.Duration;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A process's part in the cluster's agreement: its registration, and its candidature for controller. On the loop of its session. */
final class ProcessController implements RegistrationListener, ControllerLoop.Listener {
    private static final Duration IDENTIFY_LIMIT = Duration.ofSeconds(1);
    private static final int MOST_PARTITIONS = 1_000;

    private final SimWorld world;
    private final int brokerId;
    private final Clock clock;
    private final EventLoops.Loop loop;
    private final SimZooKeeperClient zooKeeper;
    private final Reports reports;
    private long brokerEpoch = BrokerRegistration.PROVES_NOTHING;
    private @Nullable ControllerLoop controller;
    private @Nullable BrokerRegistrar registrar;

    /** What the process does about what is heard here. */
    interface Reports {
        /** The node stands; the process counts as registered once {@code done} is called. */
        void beforeAnnounce(long brokerEpoch, Runnable done);

        /** That broker is the controller, -1 if nobody is known to be. */
        void controllerIs(int brokerId);

        /** The process has to end. */
        void cannotRegister(String problem);

        /** This process's controller decided something. */
        void noticed(Notice notice);
    }

    /** @param loop the session's */
    ProcessController(
            SimWorld world,
            ProcessThreads threads,
            EventLoops.Loop loop,
            SimZooKeeperClient zooKeeper,
            Reports reports) {
        this.world = world;
        this.brokerId = threads.id();
        this.clock = threads.clock();
        this.loop = loop;
        this.zooKeeper = zooKeeper;
        this.reports = reports;
    }

    /** Stands for election and registers; the process listens already. */
    void join(
            String clusterId,
            BrokerRegistration self,
            SimPeers peers,
            Supplier<SortedMap<Integer, BrokerRegistration>> known,
            SimSettings settings) {
        FailureDetection detection =
                settings.detection() == Detection.FAST ? new FailureDetection(peers, clock, known) : null;
        ControllerLoop made = new ControllerLoop(
                new ControllerPorts(brokerId, self.peer(), loop, zooKeeper, peers, clusterId, detection),
                clusterSettings(settings),
                this);
        controller = made;
        if (detection != null) {
            peers.tellBreaks(made::brokerStreamBroke);
        }
        made.start();
        RegistrarPorts ports = new RegistrarPorts(zooKeeper, loop, peers, settings.sessionTimeout());
        BrokerRegistrar registering = new BrokerRegistrar(ports, clusterId, self, this);
        registrar = registering;
        registering.start();
    }

    private static ClusterSettings clusterSettings(SimSettings settings) {
        return new ClusterSettings(
                        settings.sessionTimeout(), IDENTIFY_LIMIT, MOST_PARTITIONS, new TopicDefaults(1, 3, 2, false))
                .withRules(settings.rules());
    }

    /** Asks this broker's controller for a decision. */
    void ask(LongFunction<ClusterEvent.Request> request, Consumer<Answer> answer) {
        ControllerLoop made = controller;
        if (made == null) {
            answer.accept(ControllerLoop.NOT_CONTROLLER);
        } else {
            made.request(request, answer);
        }
    }

    /** A stream from a controller ended. */
    void controllerStreamEnded() {
        ControllerLoop made = controller;
        if (made != null) {
            made.controllerStreamEnded();
        }
    }

    /** A broker told this one that its disk failed. */
    void storageFailedAt(int failedBroker, long failedEpoch) {
        ControllerLoop made = controller;
        if (made != null) {
            made.brokerStorageFailed(failedBroker, failedEpoch);
        }
    }

    /** Of the present registration, or the last one; -1 before the first. */
    long brokerEpoch() {
        return brokerEpoch;
    }

    /** Whether there was ever a registration. */
    boolean isRegistered() {
        return brokerEpoch >= 0;
    }

    /** Takes the registration back, leaves office, and calls {@code done}. */
    void leave(Runnable done) {
        BrokerRegistrar registering = registrar;
        ControllerLoop made = controller;
        if (registering == null || made == null) {
            done.run();
            return;
        }
        registering.deregister(() -> {
            made.stop();
            done.run();
        });
    }

    @Override
    public void beforeAnnounce(BrokerRegistration registration, Runnable done) {
        brokerEpoch = registration.brokerEpoch();
        reports.beforeAnnounce(brokerEpoch, done);
    }

    @Override
    public void registered(BrokerRegistration registration) {
        world.note(() -> "broker " + brokerId + " is registered");
    }

    @Override
    public void lost() {
        world.note(() -> "broker " + brokerId + " lost its registration");
    }

    @Override
    public void failed(RegistrationFailure failure) {
        reports.cannotRegister(failure.message());
    }

    @Override
    public void controllerIs(@Nullable Controller known) {
        reports.controllerIs(known == null ? -1 : known.brokerId());
    }

    @Override
    public void tookOffice(int controllerEpoch) {
        world.note(() -> "broker " + brokerId + " is the controller with epoch " + controllerEpoch);
    }

    @Override
    public void noticed(Notice notice) {
        reports.noticed(notice);
    }
}
