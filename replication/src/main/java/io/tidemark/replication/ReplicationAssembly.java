package io.tidemark.replication;

import io.micrometer.core.instrument.MeterRegistry;
import io.tidemark.core.config.LogConfig;
import io.tidemark.core.log.LogFlushers;
import io.tidemark.core.log.LogRegistry;
import io.tidemark.core.metrics.PurgatoryMetrics;
import io.tidemark.core.purgatory.DelayedOperation;
import io.tidemark.core.purgatory.Purgatory;
import io.tidemark.core.runtime.StorageLatch;
import io.tidemark.core.runtime.TaskFailureHandler;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.deletion.DeleteRecordsHandler;
import io.tidemark.replication.fetch.ColdReads;
import io.tidemark.replication.fetch.FetchHandler;
import io.tidemark.replication.fetch.FetchSessions;
import io.tidemark.replication.fetch.FetchSettings;
import io.tidemark.replication.fetch.FetchWaits;
import io.tidemark.replication.fetch.PurgatorySignals;
import io.tidemark.replication.fetch.SourceThrottle;
import io.tidemark.replication.follower.FetcherConfig;
import io.tidemark.replication.follower.FetcherEnvironment;
import io.tidemark.replication.follower.FetcherPool;
import io.tidemark.replication.follower.FollowerFlush;
import io.tidemark.replication.follower.ReplicationLagMetrics;
import io.tidemark.replication.partition.Follower;
import io.tidemark.replication.partition.IsrProposal;
import io.tidemark.replication.partition.ReplicaSettings;
import io.tidemark.replication.produce.ProduceHandler;
import io.tidemark.replication.throttle.ReplicationThrottle;
import io.tidemark.replication.throttle.ThrottleMetrics;
import io.tidemark.runtime.Clock;
import io.tidemark.runtime.EventLoops;
import io.tidemark.runtime.Randomness;
import io.tidemark.runtime.Scheduler;
import java.time.Duration;
import java.util.SortedMap;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The replicas of one broker, the requests that wait on them, and the fetchers that fill them, bound together: by the
 * broker process over gRPC and a disk, by the simulator over messages and memory. Holds no logic of its own.
 */
public final class ReplicationAssembly {
    private final ReplicaManager replicas;
    private final LocalReplicas local;
    private final ProduceHandler produces;
    private final FetchHandler fetches;
    private final FetcherPool fetchers;
    private final IsrProposals proposals;
    private final ReplicationThrottle throttle;
    private final DeleteRecordsHandler deletions;

    /**
     * Time, threads and chance, and who is told when something breaks.
     *
     * @param passEnds does work at the end of the pass of the loop that calls it, or at once on a thread without passes
     * @param storageFailures the process's only one: every part that can meet a storage failure reports to it
     */
    public record World(
            Clock clock,
            Scheduler scheduler,
            EventLoops loops,
            Executor passEnds,
            Randomness randomness,
            TaskFailureHandler taskFailures,
            StorageLatch storageFailures,
            MeterRegistry registry) {}

    /**
     * What the replicas live on.
     *
     * @param flushers of the logs' directories; in sync mode they move the high watermarks
     * @param configs a log's settings from its topic's overrides
     * @param topics the present settings of a partition's topic
     */
    public record Data(
            LogRegistry logs,
            LogFlushers flushers,
            HighWatermarkCheckpointer checkpoints,
            Duration checkpointInterval,
            Function<SortedMap<String, String>, LogConfig> configs,
            Function<TopicPartition, LogConfig> topics) {}

    /** How replicas behave. */
    public record Settings(ReplicaSettings replica, FetcherConfig fetcher, FetchSettings fetch) {}

    /**
     * Who this broker is, and how it reaches others.
     *
     * @param brokerEpoch of the present registration; a plain read
     */
    public record Self(
            int brokerId,
            LongSupplier brokerEpoch,
            LeaderChannels leaders,
            IsrChannel controller,
            DamageChannel damages) {}

    public ReplicationAssembly(Self self, World world, Data data, Settings settings) {
        PartitionTable table = new PartitionTable();
        throttle = new ReplicationThrottle(self.brokerId());
        ThrottleMetrics.register(world.registry(), throttle);
        FetchWaits waits = waits(world, settings.fetch(), throttle);
        Purgatory<TopicPartition, DelayedOperation> waitingProduces = purgatory(world, "produce");
        Purgatory<TopicPartition, DelayedOperation> waitingDeletions = purgatory(world, "delete-records");
        // Signals and proposals need each other; a proposal comes only once a partition leads, long after this.
        LateProposals late = new LateProposals();
        Signals signals = new PurgatorySignals(waits, waitingProduces, waitingDeletions, late::send, world.passEnds());
        proposals = new IsrProposals(self.controller(), table, signals, world.scheduler(), world.clock());
        late.target = proposals;
        local = new LocalReplicas(table::find, signals, world.storageFailures());
        produces = new ProduceHandler(
                local,
                data.topics(),
                waitingProduces,
                world.clock(),
                settings.replica().rules());
        LiveBrokers live = liveBrokers(table, waitingDeletions);
        deletions = new DeleteRecordsHandler(
                local, data.topics(), waitingDeletions, live, world.loops().open("delete-records"));
        ColdReads coldReads = new ColdReads(world.loops(), ColdReads.LOOPS, ColdReads.MAX_READS);
        fetches = new FetchHandler(local, waits, world.clock(), world.randomness(), coldReads, settings.fetch());
        boolean isForced = settings.replica().countsForcedEnds();
        FollowerFlush flush = isForced ? new ForcedEnds(data.flushers(), table, signals).listen() : FollowerFlush.NONE;
        fetchers = new FetcherPool(settings.fetcher(), environment(self, world, flush, throttle));
        replicas = new ReplicaManager(
                new ReplicaManager.LocalBroker(self.brokerId(), self.brokerEpoch()),
                settings.replica(),
                new ReplicaManager.Storage(
                        data.logs(),
                        data.configs(),
                        data.checkpoints(),
                        data.checkpointInterval(),
                        world.storageFailures()),
                new ReplicaManager.Collaborators(
                        table, fetchers, signals, proposals, new DamageReports(self.damages()), live),
                world.scheduler(),
                world.clock());
    }

    /** A broker that went is not waited for any more. */
    private static LiveBrokers liveBrokers(
            PartitionTable table, Purgatory<TopicPartition, DelayedOperation> waitingDeletions) {
        LiveBrokers live = new LiveBrokers();
        live.listen(() -> {
            if (waitingDeletions.delayed() > 0) {
                table.all().forEach(each -> waitingDeletions.signal(each.partition()));
            }
        });
        return live;
    }

    /** Stands for the proposals until they are made. */
    private static final class LateProposals {
        private volatile @Nullable IsrProposals target;

        void send(IsrProposal proposal) {
            IsrProposals made = target;
            if (made == null) {
                throw new IllegalStateException("a proposal before the assembly was complete: " + proposal);
            }
            made.send(proposal);
        }
    }

    private static FetchWaits waits(World world, FetchSettings settings, ReplicationThrottle throttle) {
        Purgatory<Long, DelayedOperation> followers = purgatory(world, "replica-fetch");
        return new FetchWaits(
                purgatory(world, "fetch"),
                followers,
                new FetchSessions(settings, world.randomness()),
                new SourceThrottle(throttle, followers, world.clock(), world.scheduler()));
    }

    private static <K> Purgatory<K, DelayedOperation> purgatory(World world, String name) {
        return new Purgatory<>(
                name,
                world.clock(),
                world.scheduler(),
                world.taskFailures(),
                new PurgatoryMetrics(world.registry(), name));
    }

    private static FetcherEnvironment environment(
            Self self, World world, FollowerFlush flush, ReplicationThrottle throttle) {
        return new FetcherEnvironment(
                self.leaders(),
                world.loops(),
                world.clock(),
                world.randomness(),
                () -> new Follower(self.brokerId(), self.brokerEpoch().getAsLong()),
                flush,
                world.storageFailures(),
                throttle,
                new ReplicationLagMetrics(world.registry()));
    }

    public ReplicaManager replicas() {
        return replicas;
    }

    public LocalReplicas local() {
        return local;
    }

    public ProduceHandler produces() {
        return produces;
    }

    public FetchHandler fetches() {
        return fetches;
    }

    public DeleteRecordsHandler deletions() {
        return deletions;
    }

    public FetcherPool fetchers() {
        return fetchers;
    }

    /** For whoever decides which replicas are copied at a limited rate. */
    public ReplicationThrottle throttle() {
        return throttle;
    }

    public IsrProposals proposals() {
        return proposals;
    }
}
