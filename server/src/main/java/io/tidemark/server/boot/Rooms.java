package io.tidemark.server.boot;

import io.tidemark.coordination.broker.BrokerRegistrar;
import io.tidemark.coordination.broker.PeerIdentifier;
import io.tidemark.coordination.broker.ProducerIds;
import io.tidemark.coordination.broker.RegistrationFailure;
import io.tidemark.coordination.broker.RegistrationListener;
import io.tidemark.coordination.cluster.Notice;
import io.tidemark.coordination.controller.BrokerCommands;
import io.tidemark.coordination.controller.ControllerLoop;
import io.tidemark.coordination.zookeeper.ZkContent.Controller;
import io.tidemark.core.config.BrokerConfig;
import io.tidemark.core.io.Files;
import io.tidemark.core.log.LogDirectories;
import io.tidemark.core.log.LogHousekeeping;
import io.tidemark.core.log.LogRetention;
import io.tidemark.core.log.LogScrubber;
import io.tidemark.core.metrics.HousekeepingMetrics;
import io.tidemark.core.metrics.ScrubMetrics;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.ClusterUpdate;
import io.tidemark.replication.ReplicaManager;
import io.tidemark.replication.ReplicationAssembly;
import io.tidemark.runtime.EventLoops;
import io.tidemark.server.http.PageSource;
import io.tidemark.server.metadata.ClusterView;
import io.tidemark.server.metadata.MetadataCache;
import io.tidemark.server.metadata.TopicSettings;
import io.tidemark.server.peer.GrpcBrokerCommands;
import io.tidemark.server.peer.GrpcControllerChannel;
import io.tidemark.server.peer.GrpcLeaderChannels;
import io.tidemark.server.peer.GrpcLeaderRoute;
import io.tidemark.server.peer.GrpcPeerProbe;
import io.tidemark.server.peer.PeerConnections;
import io.tidemark.server.peer.PeerSettings;
import io.tidemark.server.rpc.BrokerCommandService;
import io.tidemark.server.rpc.Health;
import io.tidemark.server.rpc.LocalController;
import io.tidemark.server.rpc.LocalLeader;
import io.tidemark.server.rpc.StreamContext;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The rooms of a broker, each opened and closed by a step of {@link Broker}; opened in the order of the methods. */
final class Rooms implements RegistrationListener, ControllerLoop.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(Rooms.class);
    private static final long DEREGISTER_LIMIT_MS = 5_000;
    /** Leaves the first moments to what a start needs. */
    private static final Duration BEFORE_REHEARSAL = Duration.ofSeconds(2);

    private static final int MAX_PRODUCER_ID_WAITERS = 10_000;

    private final BrokerConfig config;
    private final IntConsumer halt;
    private final Foundation foundation;
    private final BrokerEpoch epoch = new BrokerEpoch();
    private final MetadataCache metadata = new MetadataCache();
    private final Health health = new Health();
    private final Standing standing = new Standing(health);
    private final InSyncCensus inSync;
    private final Observation observation;
    private final long processNonce;

    private @Nullable Agreement agreement;
    private @Nullable Storage storage;
    private @Nullable LogDirectories logs;
    private @Nullable CleanerRoom cleaner;
    private @Nullable Wiring wiring;
    private @Nullable LogScrubber scrubber;
    private @Nullable LogHousekeeping housekeeping;
    private @Nullable Doors doors;
    private @Nullable BrokerRegistrar registrar;
    private String clusterId = "";

    /** What binds replicas to peers and the controller; complete before any of it runs. */
    private record Wiring(
            PeerConnections peers,
            GrpcPeerProbe probe,
            PeerNews news,
            GrpcBrokerCommands commands,
            LocalController localController,
            GrpcControllerChannel channel,
            ReplicationAssembly replicas,
            CommandTarget target,
            EventLoops.Loop commandLoop,
            BrokerCommandService commandService,
            StreamContext peerContext,
            AtomicReference<@Nullable ControllerLoop> controller) {}

    Rooms(BrokerConfig config, Files disk, IntConsumer halt) {
        this.config = config;
        this.halt = halt;
        this.foundation = new Foundation(config, disk, halt);
        this.observation = new Observation(config, foundation, metadata);
        this.inSync = new InSyncCensus(config.brokerId());
        this.processNonce = foundation.randomness().nextLong();
    }

    void closeFoundation() {
        foundation.close();
    }

    void openSession() throws StartFailure, InterruptedException {
        Storage directories = new Storage(config, foundation);
        Agreement opened = new Agreement(config, foundation);
        agreement = opened;
        clusterId = opened.clusterId(directories.clusterId());
        storage = directories;
    }

    void closeSession() throws InterruptedException {
        Agreement opened = agreement;
        if (opened != null) {
            opened.close();
        }
    }

    void openStorage() throws StartFailure {
        Storage directories = opened(storage);
        directories.claim(clusterId);
        foundation.storageHalt().guard(directories.epochFiles());
        logs = directories.load();
    }

    /** Halts with the status of a storage failure if what was acknowledged cannot be made durable. */
    void closeStorage() {
        opened(storage).flushers().close();
        try {
            opened(logs).closeCleanly();
        } catch (KafkaStorageException e) {
            foundation.storageFailures().onStorageFailure(e);
        }
    }

    void openCleaner() {
        CleanerRoom opened = new CleanerRoom(config, foundation, opened(logs));
        cleaner = opened;
        opened.open();
    }

    void closeCleaner() throws InterruptedException {
        opened(cleaner).close();
    }

    void openReplicas() {
        PeerSettings settings = PeerSettings.of(Doors.messageLimits(config));
        PeerConnections peers = new PeerConnections(settings, foundation.scheduler(), foundation.randomness());
        AtomicReference<@Nullable ControllerLoop> controller = new AtomicReference<>();
        GrpcPeerProbe probe = new GrpcPeerProbe(peers, settings);
        PeerNews news = new PeerNews(probe, foundation.scheduler(), foundation.clock(), metadata, controller);
        GrpcBrokerCommands commands = new GrpcBrokerCommands(peers, settings, foundation.scheduler(), news);
        LocalController localController = localController(controller);
        GrpcControllerChannel channel = controllerChannel(localController, peers, settings);
        ReplicationAssembly replicas = ReplicaRoom.assemble(new ReplicaRoom.Parts(
                config,
                foundation,
                opened(logs),
                opened(storage).flushers(),
                new TopicSettings(config.log(), metadata),
                epoch,
                observation.leaders(new GrpcLeaderChannels(peers, settings, foundation.scheduler())),
                observation.proposals(channel),
                channel));
        CommandTarget target =
                new CommandTarget(metadata, replicas.replicas(), replicas.fetchers(), peers, this::applied);
        EventLoops.Loop commandLoop = foundation.loops().open("tidemark-commands");
        StreamContext peerContext = Doors.peerContext(config, foundation);
        BrokerCommandService commandService = new BrokerCommandService(
                new BrokerCommandService.Targets(
                        target, queries -> logEnds(replicas.replicas(), queries), identity(), commandLoop, news),
                peerContext);
        foundation.storageHalt().tellBy(commandService::announceStorageFailure);
        wiring = new Wiring(
                peers,
                probe,
                news,
                commands,
                localController,
                channel,
                replicas,
                target,
                commandLoop,
                commandService,
                peerContext,
                controller);
        replicas.replicas().startup();
    }

    private GrpcControllerChannel controllerChannel(
            LocalController localController, PeerConnections peers, PeerSettings settings) {
        return new GrpcControllerChannel(
                new GrpcControllerChannel.Self(config.brokerId(), epoch::current),
                localController,
                peers,
                settings,
                foundation.scheduler());
    }

    private PeerIdentifier.Identity identity() {
        return new PeerIdentifier.Identity(clusterId, config.brokerId(), processNonce);
    }

    private void applied(ClusterView before, ClusterUpdate update) {
        observation.applied(before, update);
        standing.told(inSync.observe(update));
    }

    private LocalController localController(AtomicReference<@Nullable ControllerLoop> controller) {
        return new LocalController(
                (request, answer) -> {
                    ControllerLoop loop = controller.get();
                    if (loop == null) {
                        answer.accept(ControllerLoop.NOT_CONTROLLER);
                    } else {
                        loop.request(request, answer);
                    }
                },
                foundation.randomness());
    }

    private BrokerCommands.LogEnds logEnds(ReplicaManager replicas, List<BrokerCommands.LogQuery> queries) {
        List<ReplicaManager.LogEndAnswer> ends = replicas.logEnds(queries.stream()
                .map(query -> new ReplicaManager.LogEndQuery(query.topicId(), query.partition()))
                .toList());
        return new BrokerCommands.LogEnds(
                epoch.current(),
                ends.stream()
                        .map(end -> new BrokerCommands.LogEndAnswer(
                                end.partition(), end.present(), end.lastEpoch(), end.endOffset()))
                        .toList());
    }

    void closeReplicas() {
        Wiring wired = opened(wiring);
        wired.replicas().fetchers().close();
        wired.replicas().replicas().shutdown();
        wired.commandLoop().close();
        wired.commands().close();
        wired.probe().close();
        wired.peers().close();
    }

    void startScrubber() {
        LogScrubber made = new LogScrubber(
                opened(logs),
                config.maintenance().scrubBytesPerSecond(),
                foundation.loops().open("tidemark-scrubber"),
                new ScrubMetrics(foundation.registry()),
                (partition, damage) -> opened(wiring).replicas().replicas().onDamage(partition));
        scrubber = made;
        made.start();
    }

    void stopScrubber() {
        opened(scrubber).close();
    }

    void openHousekeeping() {
        housekeeping = new LogHousekeeping(
                opened(logs),
                foundation.clock(),
                new HousekeepingMetrics(foundation.registry(), LogRetention.Reason.labels()),
                opened(wiring).replicas().local().signals()::startMoved,
                foundation.scheduler(),
                config.maintenance().retentionCheckInterval());
    }

    void closeHousekeeping() {
        opened(housekeeping).close();
    }

    void openDoors() throws StartFailure {
        Wiring wired = opened(wiring);
        ProducerIds ids =
                new ProducerIds(wired.commandLoop(), wired.channel(), epoch::current, MAX_PRODUCER_ID_WAITERS);
        LocalLeader leader = new LocalLeader(wired.replicas().deletions()::delete);
        try {
            doors = new Doors(
                    config,
                    foundation,
                    new Doors.Inside(
                            clusterId,
                            wired.replicas(),
                            metadata,
                            ids,
                            wired.channel(),
                            new GrpcLeaderRoute(config.brokerId(), leader, metadata, wired.peers()),
                            leader,
                            wired.localController(),
                            wired.commandService(),
                            wired.peerContext(),
                            health,
                            observation.topics(),
                            pages(wired)));
        } catch (IOException e) {
            throw new StartFailure(ExitStatus.FAILED, String.valueOf(e.getMessage()));
        }
    }

    private SortedMap<String, PageSource> pages(Wiring wired) {
        return observation.pages(new Observation.Seen(
                clusterId,
                epoch,
                standing,
                wired.replicas().replicas(),
                opened(agreement)::state,
                () -> Optional.ofNullable(wired.controller().get()).flatMap(ControllerLoop::state)));
    }

    void closeDoors() {
        opened(doors).close();
    }

    void startController() {
        Wiring wired = opened(wiring);
        ControllerLoop controller = opened(agreement)
                .controller(self(), clusterId, wired.commands(), wired.news().detection(), this);
        wired.controller().set(controller);
        controller.start();
        opened(agreement).loop().schedule(BEFORE_REHEARSAL, controller::rehearse);
        config.leaderRebalanceInterval()
                .ifPresent(each -> foundation.scheduler().scheduleEvery(each, controller::preferredElectionDue));
    }

    void stopController() {
        ControllerLoop controller = opened(wiring).controller().get();
        if (controller != null) {
            controller.stop();
        }
    }

    void register() {
        BrokerRegistrar made =
                opened(agreement).registrar(self(), clusterId, opened(wiring).commands(), this);
        registrar = made;
        opened(agreement).loop().execute(made::start);
    }

    void deregister() throws InterruptedException {
        BrokerRegistrar registered = opened(registrar);
        CountDownLatch done = new CountDownLatch(1);
        opened(agreement).loop().execute(() -> registered.deregister(done::countDown));
        if (!done.await(DEREGISTER_LIMIT_MS, TimeUnit.MILLISECONDS)) {
            LOG.warn("the registration could not be taken back in time; it ends with the session");
        }
    }

    /** Asks the controller to move leaders away, until none is left that can be moved or the retries are used up. */
    void handOver() throws InterruptedException {
        standing.stopping();
        if (config.controlledShutdown().enabled() && epoch.isRegistered()) {
            new HandOver(config.controlledShutdown(), opened(wiring).channel(), epoch).run();
        }
        opened(doors).closeClients();
    }

    private BrokerRegistration self() {
        Doors listening = opened(doors);
        return new BrokerRegistration(
                config.brokerId(),
                -1,
                processNonce,
                config.clientListener().advertisedWith(listening.clientPort()),
                config.peerListener().advertisedWith(listening.peerPort()),
                config.httpListener().advertisedWith(listening.httpPort()),
                config.rack(),
                opened(storage).directoryIds(),
                opened(storage).continuedEpoch());
    }

    int clientPort() {
        return opened(doors).clientPort();
    }

    int httpPort() {
        return opened(doors).httpPort();
    }

    @Override
    public void beforeAnnounce(BrokerRegistration registration, Runnable done) {
        Wiring wired = opened(wiring);
        epoch.registered(registration.brokerEpoch());
        wired.commandLoop().execute(() -> {
            wired.target().registered(registration.brokerEpoch());
            opened(storage).stamp(registration.brokerEpoch());
            done.run();
        });
    }

    @Override
    public void registered(BrokerRegistration registration) {
        LOG.info("broker {} is registered with broker epoch {}", registration.id(), registration.brokerEpoch());
        standing.registered();
    }

    @Override
    public void lost() {
        LOG.warn("the registration of broker {} is lost; it serves on and registers again", config.brokerId());
        standing.registrationLost();
    }

    @Override
    public void failed(RegistrationFailure failure) {
        LOG.error("broker {} cannot be registered: {}", config.brokerId(), failure.message());
        System.err.println("tidemark-server: " + failure.message());
        halt.accept(ExitStatus.CONFIGURATION);
    }

    @Override
    public void controllerIs(@Nullable Controller controller) {
        Wiring wired = opened(wiring);
        if (controller == null) {
            wired.channel().noController();
        } else {
            wired.channel().controllerIs(controller.brokerId(), controller.peer());
            wired.replicas().proposals().onNewController();
        }
    }

    @Override
    public void tookOffice(int controllerEpoch) {
        LOG.info("broker {} is in office with controller epoch {}", config.brokerId(), controllerEpoch);
    }

    @Override
    public void noticed(Notice notice) {
        observation.noticed(notice);
    }

    private static <T> T opened(@Nullable T room) {
        if (room == null) {
            throw new IllegalStateException("the rooms are opened in order");
        }
        return room;
    }
}
