package io.tidemark.sim;

import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.tidemark.coordination.broker.BrokerRegistrar;
import io.tidemark.coordination.broker.ClusterIdentity;
import io.tidemark.coordination.broker.PeerIdentifier;
import io.tidemark.coordination.broker.ProducerIds;
import io.tidemark.coordination.broker.Push;
import io.tidemark.coordination.broker.PushReceiver;
import io.tidemark.coordination.broker.RegistrarPorts;
import io.tidemark.coordination.broker.RegistrationFailure;
import io.tidemark.coordination.broker.RegistrationListener;
import io.tidemark.coordination.cluster.Answer;
import io.tidemark.coordination.cluster.ClusterEvent;
import io.tidemark.coordination.cluster.ClusterSettings;
import io.tidemark.coordination.cluster.Notice;
import io.tidemark.coordination.controller.BrokerCommands;
import io.tidemark.coordination.controller.ControllerLoop;
import io.tidemark.coordination.controller.ControllerPorts;
import io.tidemark.coordination.zookeeper.ZkContent.Controller;
import io.tidemark.core.checkpoint.BrokerEpochFile;
import io.tidemark.core.checkpoint.BrokerEpochStamp;
import io.tidemark.core.checkpoint.CleanShutdownMarker;
import io.tidemark.core.checkpoint.ContinuityProof;
import io.tidemark.core.config.LogConfig;
import io.tidemark.core.config.TopicDefaults;
import io.tidemark.core.log.LoadProgress;
import io.tidemark.core.log.LogDirectories;
import io.tidemark.core.log.LogFlushers;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.replication.HighWatermarkCheckpointer;
import io.tidemark.replication.ReplicaManager;
import io.tidemark.replication.ReplicationAssembly;
import io.tidemark.replication.fetch.FetchSettings;
import io.tidemark.replication.follower.FetcherConfig;
import io.tidemark.runtime.EventLoops;
import io.tidemark.server.metadata.MetadataCache;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A broker process in the simulator: the classes that ship, bound to simulated messages, disk and ZooKeeper. Only the
 * composition differs from that of the real process.
 */
public final class SimProcess implements RegistrationListener, ControllerLoop.Listener {
    private static final int MAX_PRODUCER_ID_WAITERS = 1_000;

    private final SimHost host;
    private final SimWorld world;
    private final SimSettings settings;
    private final Consumer<Notice> decisions;
    private final ProcessThreads threads;
    private final SimZooKeeperClient zooKeeper;
    private final EventLoops.Loop loop;
    private final SimPeers peers;
    private final ReplicationAssembly replication;
    private final PushReceiver receiver = new PushReceiver();
    private final MetadataCache metadata = new MetadataCache();
    private final ProducerIds producerIds;
    private final long nonce;
    private final long continuedEpoch;
    private long brokerEpoch = -1;
    private @Nullable ControllerLoop controller;
    private String clusterId = "";

    SimProcess(SimHost host, SimCluster cluster) {
        this.host = host;
        this.world = cluster.world();
        this.settings = cluster.settings();
        this.decisions = cluster::noticed;
        this.threads = new ProcessThreads(world, host.id(), host.nextLife());
        this.loop = threads.open("broker-" + host.id());
        this.nonce = threads.randomness().nextLong();
        this.continuedEpoch = continuedEpoch(host);
        this.zooKeeper = cluster.zooKeeper().connect(threads, loop, settings.sessionTimeout());
        this.peers = new SimPeers(threads, cluster.network(), cluster.hosts(), () -> brokerEpoch);
        List<Path> directories = List.of(host.logDirectory());
        LogFlushers flushers = LogFlushers.onLoops(
                directories, new SlowDiskLoops(threads, threads.randomness().fork("disk")), this::storageFailed);
        LogDirectories logs = LogDirectories.load(
                new LogDirectories.World(
                        host.disk(), threads, threads.randomness().fork("logs"), flushers),
                LogDirectories.Settings.of(directories, settings.log()),
                Runnable::run,
                LoadProgress.SILENT);
        this.replication = replication(logs, flushers);
        this.producerIds = new ProducerIds(loop, peers, () -> brokerEpoch, MAX_PRODUCER_ID_WAITERS);
    }

    private static long continuedEpoch(SimHost host) {
        Path directory = host.logDirectory();
        ContinuityProof.Evidence evidence = new ContinuityProof.Evidence(
                directoryId(host),
                new BrokerEpochFile(host.disk(), directory).read(),
                host.disk().exists(directory.resolve(CleanShutdownMarker.FILE_NAME)));
        return ContinuityProof.continuedEpoch(List.of(evidence), Optional.of(host.bootId()))
                .orElse(BrokerRegistration.PROVES_NOTHING);
    }

    private static String directoryId(SimHost host) {
        return "directory-" + host.id();
    }

    private void storageFailed(KafkaStorageException failure) {
        world.note("broker " + host.id() + ": " + failure.getMessage());
    }

    private ReplicationAssembly replication(LogDirectories logs, LogFlushers flushers) {
        LogConfig config = settings.log();
        return new ReplicationAssembly(
                new ReplicationAssembly.Self(host.id(), () -> brokerEpoch, peers, peers::propose),
                new ReplicationAssembly.World(
                        threads.clock(),
                        threads,
                        threads,
                        threads.randomness().fork("replication"),
                        (runner, failure) -> {
                            throw new IllegalStateException(runner + " failed", failure);
                        },
                        this::storageFailed,
                        new CompositeMeterRegistry()),
                new ReplicationAssembly.Data(
                        logs,
                        flushers,
                        new HighWatermarkCheckpointer(host.disk(), logs.directories()),
                        settings.checkpointInterval(),
                        overrides -> config,
                        partition -> config),
                new ReplicationAssembly.Settings(settings.replica(), FetcherConfig.DEFAULTS, FetchSettings.DEFAULTS));
    }

    private static ClusterSettings clusterSettings(SimSettings settings) {
        return new ClusterSettings(
                settings.sessionTimeout(), Duration.ofSeconds(1), 1_000, new TopicDefaults(1, 3, 2, false));
    }

    void start() {
        replication.replicas().startup();
        ClusterIdentity.resolve(zooKeeper, loop, threads.randomness(), host.clusterId(), resolved -> {
            String found = resolved.clusterId();
            if (found == null) {
                world.note("broker " + host.id() + " does not join: " + resolved.problem());
            } else {
                join(found);
            }
        });
    }

    private void join(String found) {
        clusterId = found;
        host.joined(found);
        ControllerLoop made = new ControllerLoop(
                new ControllerPorts(host.id(), host.endpoint(), loop, zooKeeper, peers, found),
                clusterSettings(settings),
                this);
        controller = made;
        made.start();
        RegistrarPorts ports = new RegistrarPorts(zooKeeper, loop, peers, settings.sessionTimeout());
        new BrokerRegistrar(ports, found, self(), this).start();
    }

    /** The process is gone at once. */
    void die() {
        threads.die();
        zooKeeper.kill();
    }

    /** It stops in its tracks: nothing of it runs, what reaches it waits. */
    void pause() {
        threads.pause();
        zooKeeper.pause();
    }

    /** It goes on, and finds how much time has passed. */
    void resume() {
        threads.resume();
        zooKeeper.resume();
    }

    ProcessThreads threads() {
        return threads;
    }

    /** Its replicas and who asks them; for calls from within the process alone. */
    public ReplicationAssembly replication() {
        return replication;
    }

    /** What it was told about the cluster. */
    public MetadataCache metadata() {
        return metadata;
    }

    /** Where it has producer ids from. */
    public ProducerIds producerIds() {
        return producerIds;
    }

    /** The cluster that it has joined; empty before. */
    public String clusterId() {
        return clusterId;
    }

    /** Asks this broker's controller for a decision. */
    public void ask(LongFunction<ClusterEvent.Request> request, Consumer<Answer> answer) {
        ControllerLoop made = controller;
        if (made == null) {
            answer.accept(ControllerLoop.NOT_CONTROLLER);
        } else {
            made.request(request, answer);
        }
    }

    SimZooKeeperClient zooKeeper() {
        return zooKeeper;
    }

    boolean isRegistered() {
        return brokerEpoch >= 0;
    }

    PeerIdentifier.Identity identity() {
        return new PeerIdentifier.Identity(clusterId, host.id(), nonce);
    }

    BrokerCommands.LogEnds logEnds(List<BrokerCommands.LogQuery> queries) {
        List<ReplicaManager.LogEndQuery> asked = queries.stream()
                .map(query -> new ReplicaManager.LogEndQuery(query.topicId(), query.partition()))
                .toList();
        return new BrokerCommands.LogEnds(
                brokerEpoch,
                replication.replicas().logEnds(asked).stream()
                        .map(end -> new BrokerCommands.LogEndAnswer(
                                end.partition(), end.present(), end.lastEpoch(), end.endOffset()))
                        .toList());
    }

    void onPush(Push.Request push, Consumer<Push.Answer> answer) {
        PushReceiver.Received received = receiver.receive(push);
        if (received.update() != null) {
            metadata.apply(received.update(), push.controllerEpoch());
            replication.replicas().apply(received.update());
        }
        answer.accept(received.answer());
    }

    private BrokerRegistration self() {
        return new BrokerRegistration(
                host.id(),
                -1,
                nonce,
                host.endpoint(),
                host.endpoint(),
                host.endpoint(),
                "",
                List.of(directoryId(host)),
                continuedEpoch);
    }

    @Override
    public void beforeAnnounce(BrokerRegistration registration, Runnable done) {
        brokerEpoch = registration.brokerEpoch();
        receiver.registered(brokerEpoch);
        new BrokerEpochFile(host.disk(), host.logDirectory())
                .write(new BrokerEpochStamp(
                        brokerEpoch, directoryId(host), Optional.of(host.bootId()), settings.flushMode()));
        done.run();
    }

    @Override
    public void registered(BrokerRegistration registration) {
        world.note("broker " + host.id() + " is registered");
    }

    @Override
    public void lost() {
        world.note("broker " + host.id() + " lost its registration");
    }

    @Override
    public void failed(RegistrationFailure failure) {
        world.note("broker " + host.id() + " cannot register: " + failure.message());
    }

    @Override
    public void controllerIs(@Nullable Controller known) {
        peers.controllerIs(known == null ? -1 : known.brokerId());
        if (known != null) {
            replication.proposals().onNewController();
        }
    }

    @Override
    public void tookOffice(int controllerEpoch) {
        world.note("broker " + host.id() + " is the controller with epoch " + controllerEpoch);
    }

    @Override
    public void noticed(Notice notice) {
        decisions.accept(notice);
    }
}
