package io.tidemark.server.boot;

import io.tidemark.core.config.BrokerConfig;
import io.tidemark.core.config.ReplicationConfig;
import io.tidemark.core.log.LogRegistry;
import io.tidemark.core.metrics.PurgatoryMetrics;
import io.tidemark.core.purgatory.DelayedOperation;
import io.tidemark.core.purgatory.Purgatory;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.HighWatermarkCheckpointer;
import io.tidemark.replication.IsrChannel;
import io.tidemark.replication.IsrProposals;
import io.tidemark.replication.LeaderChannels;
import io.tidemark.replication.LocalReplicas;
import io.tidemark.replication.PartitionTable;
import io.tidemark.replication.ReplicaManager;
import io.tidemark.replication.Signals;
import io.tidemark.replication.fetch.FetchHandler;
import io.tidemark.replication.fetch.FetchSessions;
import io.tidemark.replication.fetch.FetchSettings;
import io.tidemark.replication.fetch.FetchWaits;
import io.tidemark.replication.fetch.PurgatorySignals;
import io.tidemark.replication.follower.FetcherConfig;
import io.tidemark.replication.follower.FetcherEnvironment;
import io.tidemark.replication.follower.FetcherPool;
import io.tidemark.replication.follower.FollowerFlush;
import io.tidemark.replication.follower.ReplicationLagMetrics;
import io.tidemark.replication.partition.Follower;
import io.tidemark.replication.partition.IsrProposal;
import io.tidemark.replication.partition.ReplicaSettings;
import io.tidemark.replication.produce.ProduceHandler;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** Replicas, the requests that wait on them, and the fetchers that fill them. */
final class ReplicaRoom {
    private static final Duration FIRST_FETCH_BACKOFF = Duration.ofMillis(20);

    private final ReplicaManager replicas;
    private final LocalReplicas local;
    private final ProduceHandler produces;
    private final FetchHandler fetches;
    private final FetcherPool fetchers;
    private final IsrProposals proposals;

    /** What this room is built from. */
    record Parts(
            BrokerConfig config,
            Foundation foundation,
            LogRegistry logs,
            TopicSettings topics,
            BrokerEpoch epoch,
            LeaderChannels leaders,
            IsrChannel controller) {}

    ReplicaRoom(Parts parts) {
        Foundation foundation = parts.foundation();
        ReplicationConfig config = parts.config().replication();
        PartitionTable table = new PartitionTable();
        FetchSettings settings = FetchSettings.DEFAULTS;
        FetchWaits waits = new FetchWaits(
                purgatory(foundation, "fetch"),
                purgatory(foundation, "replica-fetch"),
                new FetchSessions(settings, foundation.randomness()));
        Purgatory<TopicPartition, DelayedOperation> waitingProduces = purgatory(foundation, "produce");
        // Signals and proposals need each other; proposals come only once a partition leads, long after this.
        AtomicReference<Consumer<IsrProposal>> send = new AtomicReference<>(proposal -> {});
        Signals signals =
                new PurgatorySignals(waits, waitingProduces, proposal -> send.get().accept(proposal), Runnable::run);
        proposals = new IsrProposals(
                parts.controller(), table, signals, foundation.scheduler(), foundation.clock());
        send.set(proposals::send);
        local = new LocalReplicas(table::find, signals, foundation.storageHalt());
        produces = new ProduceHandler(local, parts.topics()::maxMessageBytes, waitingProduces);
        fetches = new FetchHandler(local, waits, foundation.clock(), foundation.randomness(), settings);
        fetchers = new FetcherPool(fetcherConfig(config), environment(parts));
        replicas = manager(parts, new ReplicaManager.Collaborators(table, fetchers, signals, proposals));
    }

    private static <K> Purgatory<K, DelayedOperation> purgatory(Foundation foundation, String name) {
        return new Purgatory<>(
                name,
                foundation.clock(),
                foundation.scheduler(),
                foundation.failures(),
                new PurgatoryMetrics(foundation.registry(), name));
    }

    private static FetcherConfig fetcherConfig(ReplicationConfig config) {
        return new FetcherConfig(
                config.fetchWaitMax(),
                config.fetchMinBytes(),
                config.fetchMaxBytes(),
                config.fetchResponseMaxBytes(),
                FIRST_FETCH_BACKOFF,
                config.fetchBackoff(),
                config.fetchersPerLeader());
    }

    private static FetcherEnvironment environment(Parts parts) {
        Foundation foundation = parts.foundation();
        int id = parts.config().brokerId();
        return new FetcherEnvironment(
                parts.leaders(),
                foundation.loops(),
                foundation.clock(),
                foundation.randomness(),
                () -> new Follower(id, parts.epoch().current()),
                FollowerFlush.NONE,
                foundation.storageHalt(),
                new ReplicationLagMetrics(foundation.registry()));
    }

    private static ReplicaManager manager(Parts parts, ReplicaManager.Collaborators collaborators) {
        Foundation foundation = parts.foundation();
        BrokerConfig config = parts.config();
        ReplicationConfig replication = config.replication();
        ReplicaManager.Storage storage = new ReplicaManager.Storage(
                parts.logs(),
                parts.topics()::of,
                new HighWatermarkCheckpointer(
                        foundation.files(), parts.logs().directories()),
                replication.highWatermarkCheckpointInterval(),
                foundation.storageHalt());
        ReplicaSettings settings = new ReplicaSettings(
                replication.lagTimeMax(),
                io.tidemark.replication.partition.TruncationMode.valueOf(
                        replication.truncation().name()),
                config.log().flushMode());
        return new ReplicaManager(
                new ReplicaManager.LocalBroker(config.brokerId(), parts.epoch()::current),
                settings,
                storage,
                collaborators,
                foundation.scheduler(),
                foundation.clock());
    }

    ReplicaManager replicas() {
        return replicas;
    }

    LocalReplicas local() {
        return local;
    }

    ProduceHandler produces() {
        return produces;
    }

    FetchHandler fetches() {
        return fetches;
    }

    FetcherPool fetchers() {
        return fetchers;
    }

    IsrProposals proposals() {
        return proposals;
    }
}
