package io.tidemark.sim;

import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.tidemark.coordination.broker.ClusterIdentity;
import io.tidemark.coordination.broker.ControllerChannel;
import io.tidemark.coordination.broker.PeerIdentifier;
import io.tidemark.coordination.broker.PeerProbe;
import io.tidemark.coordination.broker.ProducerIds;
import io.tidemark.coordination.broker.Push;
import io.tidemark.coordination.broker.PushReceiver;
import io.tidemark.coordination.broker.RefusalCheck;
import io.tidemark.coordination.cluster.Answer;
import io.tidemark.coordination.cluster.ClusterEvent;
import io.tidemark.coordination.cluster.Notice;
import io.tidemark.coordination.controller.BrokerCommands;
import io.tidemark.core.log.LogDirectories;
import io.tidemark.core.log.LogHousekeeping;
import io.tidemark.core.log.LogRetention;
import io.tidemark.core.log.LogScrubber;
import io.tidemark.core.log.cleaner.LogCleaner;
import io.tidemark.core.metrics.HousekeepingMetrics;
import io.tidemark.core.metrics.ScrubMetrics;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.core.runtime.StorageLatch;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.ClusterUpdate;
import io.tidemark.model.Endpoint;
import io.tidemark.replication.HighWatermarkCheckpointer;
import io.tidemark.replication.ReplicaManager;
import io.tidemark.replication.ReplicationAssembly;
import io.tidemark.replication.fetch.FetchSettings;
import io.tidemark.replication.follower.FetcherConfig;
import io.tidemark.runtime.EventLoops;
import io.tidemark.server.metadata.ClusterView;
import io.tidemark.server.metadata.MetadataCache;
import io.tidemark.server.metadata.PushApplication;
import io.tidemark.server.metadata.TopicSettings;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A broker process in the simulator: the classes that ship, bound to simulated messages, disk and ZooKeeper. Only the composition
 * differs from that of the real process ({@code server.boot.Rooms}), and it starts in the same order: session, cluster's id, log
 * directory, replicas; then it listens, and then it registers. Before that nobody reaches it.
 */
public final class SimProcess {
    private static final int MAX_PRODUCER_ID_WAITERS = 10_000;
    private static final int MAX_CAUSES = 16;

    private final SimSurroundings around;
    private final ProcessThreads threads;
    private final Endpoint endpoint;
    private final Ends ends;
    private final EventLoops.Loop loop;
    private final EventLoops.Loop commandLoop;
    private final SimZooKeeperClient zooKeeper;
    private final SimPeers peers;
    private final ProcessController controller;
    private final StorageLatch storageFailures;
    private final ProcessStorage storage;
    private final ProcessStorage.Place place;
    private final MetadataCache metadata = new MetadataCache();
    private final TopicSettings topics;
    private final CompositeMeterRegistry registry = new CompositeMeterRegistry();
    private final long nonce;
    private @Nullable ProcessRooms rooms;
    private boolean listening;
    private boolean servesClients;
    private boolean stopping;

    /** How a process ends by itself; it is gone when these return. */
    interface Ends {
        /** It was asked to stop, and has. */
        void stopped();

        /** It halts, and a start may help. */
        void halted(String reason);

        /** It cannot run like this: no start helps before somebody has changed something. */
        void gaveUp(String reason);
    }

    SimProcess(
            SimSurroundings around, ProcessThreads threads, Endpoint endpoint, ProcessStorage.Place place, Ends ends) {
        this.around = around;
        this.threads = threads;
        this.endpoint = endpoint;
        this.place = place;
        this.ends = ends;
        this.loop = threads.open("broker-" + threads.id());
        this.commandLoop = threads.open("commands-" + threads.id());
        this.nonce = threads.randomness().nextLong();
        this.zooKeeper =
                around.zooKeeper().connect(threads, loop, around.settings().sessionTimeout());
        this.controller = new ProcessController(around.world(), threads, loop, zooKeeper, new Reports());
        this.peers = new SimPeers(threads, around.network(), around.hosts(), controller::brokerEpoch);
        SimHalt halt = new SimHalt(
                threads, peers::tellStorageFailed, failure -> ends.halted(String.valueOf(failure.getMessage())));
        this.storageFailures = new StorageLatch(halt);
        this.storage = new ProcessStorage(place, threads, around.settings(), storageFailures);
        halt.guard(List.of(storage.epochFile()));
        this.topics = new TopicSettings(around.settings().log(), metadata);
        threads.onTaskFailure(this::onTaskFailure);
    }

    /** As in the real process a storage failure ends it, wherever it shows; anything else is a bug, and ends the run. */
    private void onTaskFailure(RuntimeException failure) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++) {
            if (cause instanceof KafkaStorageException storageFailure) {
                storageFailures.onStorageFailure(storageFailure);
                return;
            }
            cause = cause.getCause();
        }
        throw failure;
    }

    /** The process's first task. */
    void start() {
        guarded(() -> ClusterIdentity.resolve(zooKeeper, loop, threads.randomness(), storage.clusterId(), resolved -> {
            String found = resolved.clusterId();
            if (found == null) {
                ends.gaveUp(resolved.problem());
            } else {
                guarded(() -> open(found));
            }
        }));
    }

    /** A disk that fails while the process starts ends the start; there is nothing to tell anybody yet. */
    private void guarded(Runnable step) {
        try {
            step.run();
        } catch (KafkaStorageException e) {
            ends.halted(String.valueOf(e.getMessage()));
        }
    }

    private void open(String clusterId) {
        Optional<String> refusal = storage.claim(clusterId);
        if (refusal.isPresent()) {
            ends.gaveUp(refusal.get());
            return;
        }
        LogDirectories logs = storage.load();
        ReplicationAssembly replication = replication(logs);
        PushApplication pushes = new PushApplication(
                new PushReceiver(around.settings().rules()),
                metadata,
                replication.replicas(),
                replication.fetchers(),
                new Unobserved());
        replication.replicas().startup();
        rooms = rooms(clusterId, logs, replication, pushes);
        listening = true;
        servesClients = true;
        controller.join(clusterId, self(), peers, () -> metadata.view().brokers(), around.settings());
    }

    /** What tends the logs begins here, in the order of the real process. */
    private ProcessRooms rooms(
            String clusterId, LogDirectories logs, ReplicationAssembly replication, PushApplication pushes) {
        SimUpkeep upkeep = around.settings().upkeep();
        LogScrubber scrubber = new LogScrubber(
                logs,
                upkeep.maintenance().scrubBytesPerSecond(),
                threads.open("scrubber-" + threads.id()),
                new ScrubMetrics(registry),
                (partition, damage) -> replication.replicas().onDamage(partition));
        scrubber.start();
        LogHousekeeping housekeeping = new LogHousekeeping(
                logs,
                threads.clock(),
                new HousekeepingMetrics(registry, LogRetention.Reason.labels()),
                replication.local().signals()::startMoved,
                threads,
                upkeep.maintenance().retentionCheckInterval());
        LogCleaner cleaner = new LogCleaner(
                upkeep.cleaner(),
                new LogCleaner.World(threads.clock(), threads, storageFailures),
                logs::cleanerTargets);
        cleaner.start();
        ProducerIds producerIds = new ProducerIds(commandLoop, peers, controller::brokerEpoch, MAX_PRODUCER_ID_WAITERS);
        return new ProcessRooms(clusterId, logs, replication, pushes, producerIds, scrubber, housekeeping, cleaner);
    }

    private ReplicationAssembly replication(LogDirectories logs) {
        SimSettings settings = around.settings();
        return new ReplicationAssembly(
                new ReplicationAssembly.Self(
                        threads.id(), controller::brokerEpoch, peers, peers::propose, peers::reportDamage),
                new ReplicationAssembly.World(
                        threads.clock(),
                        threads,
                        threads,
                        loop,
                        threads.randomness().fork("replication"),
                        (runner, failure) -> onTaskFailure(new IllegalStateException(runner + " failed", failure)),
                        storageFailures,
                        registry),
                new ReplicationAssembly.Data(
                        logs,
                        storage.flushers(),
                        new HighWatermarkCheckpointer(place.files(), logs.directories()),
                        settings.checkpointInterval(),
                        topics::of,
                        topics::of),
                new ReplicationAssembly.Settings(settings.replica(), FetcherConfig.DEFAULTS, FetchSettings.DEFAULTS));
    }

    private BrokerRegistration self() {
        return new BrokerRegistration(
                threads.id(),
                -1,
                nonce,
                endpoint,
                endpoint,
                endpoint,
                "",
                List.of(storage.directoryId()),
                storage.continuedEpoch());
    }

    /** Hands leaders over, takes the registration back, and closes everything; ends at once if it has not begun to listen. */
    void stop() {
        ProcessRooms open = rooms;
        if (open == null) {
            ends.stopped();
        } else if (!stopping) {
            stopping = true;
            ProcessStop.Parts parts =
                    new ProcessStop.Parts(open, controller, peers, storage, zooKeeper, storageFailures);
            new ProcessStop(parts, loop, new Stages()).run();
        }
    }

    /** Whether it was asked to stop, and has not yet. */
    boolean isStopping() {
        return stopping;
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

    SimZooKeeperClient zooKeeper() {
        return zooKeeper;
    }

    /** Whether others reach it. */
    boolean isListening() {
        return listening;
    }

    /** Whether it takes what clients send; it stops to before it stops to listen. */
    public boolean servesClients() {
        return servesClients;
    }

    boolean isRegistered() {
        return controller.isRegistered();
    }

    private ProcessRooms rooms() {
        ProcessRooms open = rooms;
        if (open == null) {
            throw new IllegalStateException(threads + " does not listen yet");
        }
        return open;
    }

    /** Its replicas and who asks them; for calls from within a process that listens, and for looks from outside. */
    public ReplicationAssembly replication() {
        return rooms().replication();
    }

    /** The logs on its disk; null until it has loaded them. */
    @Nullable
    LogDirectories logs() {
        ProcessRooms open = rooms;
        return open == null ? null : open.logs();
    }

    /** The cluster that it belongs to. */
    public String clusterId() {
        return rooms().clusterId();
    }

    /** What it was told about the cluster. */
    public MetadataCache metadata() {
        return metadata;
    }

    /** What topics' logs run with here. */
    public TopicSettings topics() {
        return topics;
    }

    /** Ids for producers, from the controller's blocks. */
    public ProducerIds producerIds() {
        return rooms().producerIds();
    }

    /** Its way to the controller. */
    public ControllerChannel channel() {
        return peers;
    }

    /** Asks this broker's controller for a decision. */
    public void ask(LongFunction<ClusterEvent.Request> request, Consumer<Answer> answer) {
        controller.ask(request, answer);
    }

    /** A broker that ends says that its disk failed. */
    void storageFailedAt(int failedBroker, long failedEpoch) {
        controller.storageFailedAt(failedBroker, failedEpoch);
    }

    /** A stream by which a controller pushed to this broker ended with that controller's process. */
    void controllerStreamEnded() {
        controller.controllerStreamEnded();
    }

    /** Its opinion about another broker, of which it has to know. */
    void probe(PeerProbe.Suspect suspect, Consumer<PeerProbe.Outcome> opinion) {
        BrokerRegistration known = metadata.view().brokers().get(suspect.brokerId());
        if (known != null && known.peer().equals(suspect.peer())) {
            new RefusalCheck(peers, threads, threads.clock()).run(suspect.peer(), opinion);
        } else {
            opinion.accept(PeerProbe.Outcome.UNKNOWN);
        }
    }

    PeerIdentifier.Identity identity() {
        return new PeerIdentifier.Identity(clusterId(), threads.id(), nonce);
    }

    void describeLogEnds(List<BrokerCommands.LogQuery> queries, Consumer<BrokerCommands.LogEnds> answer) {
        commandLoop.execute(() -> answer.accept(logEnds(queries)));
    }

    private BrokerCommands.LogEnds logEnds(List<BrokerCommands.LogQuery> queries) {
        List<ReplicaManager.LogEndQuery> asked = queries.stream()
                .map(query -> new ReplicaManager.LogEndQuery(query.topicId(), query.partition()))
                .toList();
        return new BrokerCommands.LogEnds(
                controller.brokerEpoch(),
                replication().replicas().logEnds(asked).stream()
                        .map(end -> new BrokerCommands.LogEndAnswer(
                                end.partition(), end.present(), end.lastEpoch(), end.endOffset()))
                        .toList());
    }

    void onPush(Push.Request push, Consumer<Push.Answer> answer) {
        commandLoop.execute(() -> answer.accept(rooms().pushes().onPush(push)));
    }

    private final class Reports implements ProcessController.Reports {
        @Override
        public void beforeAnnounce(long brokerEpoch, Runnable done) {
            commandLoop.execute(() -> {
                rooms().pushes().registered(brokerEpoch);
                storage.stamp(brokerEpoch);
                done.run();
            });
        }

        @Override
        public void controllerIs(int brokerId) {
            peers.controllerIs(brokerId);
            if (brokerId >= 0) {
                replication().proposals().onNewController();
            }
        }

        @Override
        public void cannotRegister(String problem) {
            ends.gaveUp(problem);
        }

        @Override
        public void noticed(Notice notice) {
            around.decisions().accept(notice);
        }
    }

    private final class Stages implements ProcessStop.Stages {
        @Override
        public void refuseClients() {
            servesClients = false;
        }

        @Override
        public void refuseAll() {
            listening = false;
        }

        @Override
        public void end() {
            ends.stopped();
        }
    }

    /** Connections are the network's: nothing has to learn who there is. */
    private static final class Unobserved implements PushApplication.Observer {
        @Override
        public void onMetadata(ClusterUpdate update) {}

        @Override
        public void onApplied(ClusterView before, ClusterUpdate update) {}
    }
}
