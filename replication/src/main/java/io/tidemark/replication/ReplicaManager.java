package io.tidemark.replication;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.log.Log;
import io.tidemark.core.log.LogEnd;
import io.tidemark.core.log.LogRegistry;
import io.tidemark.core.runtime.Invariant.InvariantBrokenException;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.core.runtime.StorageFailureHandler;
import io.tidemark.model.ClusterUpdate;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import io.tidemark.model.TopicState;
import io.tidemark.replication.partition.Advance;
import io.tidemark.replication.partition.Became;
import io.tidemark.replication.partition.Partition;
import io.tidemark.replication.partition.ReplicaSettings;
import io.tidemark.runtime.Cancellable;
import io.tidemark.runtime.Clock;
import io.tidemark.runtime.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives this broker's replicas the roles that the controller decides (DESIGN section 6, the push contract), and runs what is
 * periodic about them.
 *
 * <p>Nothing here removes data but a topic's deletion by its id: a replica that a full update does not name stops, and its
 * log is reported as stray. A storage failure in one partition goes to the {@link StorageFailureHandler}; the update goes on
 * with the others (S14).
 *
 * <p>{@link #startup}, {@link #apply} and {@link #shutdown} are called one at a time; everything else is thread-safe. No lock
 * is held around calls to others.
 */
public final class ReplicaManager {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaManager.class);

    private final LocalBroker local;
    private final ReplicaSettings settings;
    private final Storage storage;
    private final Collaborators others;
    private final Scheduler scheduler;
    private final Clock clock;
    private final Following following;
    private final List<Cancellable> timers = new ArrayList<>();
    private final AtomicLong retiredCuts = new AtomicLong();
    private int controllerId = -1;
    private volatile List<TopicPartition> strays = List.of();

    /** This broker; {@code epoch} is that of its present registration, a plain read. */
    public record LocalBroker(int id, LongSupplier epoch) {}

    /**
     * What keeps the data.
     *
     * @param configs a log's settings from its topic's overrides
     * @param checkpointInterval between two checkpoints of the high watermarks ({@code
     *     replica.high.watermark.checkpoint.interval.ms}, S58)
     */
    public record Storage(
            LogRegistry logs,
            Function<SortedMap<String, String>, LogConfig> configs,
            HighWatermarkCheckpointer checkpoints,
            Duration checkpointInterval,
            StorageFailureHandler failures) {}

    /** Who shares the replicas, and who is told of their changes. */
    public record Collaborators(
            PartitionTable partitions,
            FollowerAssignments assignments,
            Signals signals,
            IsrProposals proposals,
            DamageReports damages,
            LiveBrokers live) {}

    /** Which log a recovery election asks about. */
    public record LogEndQuery(TopicId topicId, TopicPartition partition) {}

    /**
     * How far a log goes.
     *
     * @param present whether there is a log of that topic id
     * @param lastEpoch epoch of its last batch, or -1
     * @param endOffset its log end offset, 0 if absent
     */
    public record LogEndAnswer(TopicPartition partition, boolean present, int lastEpoch, long endOffset) {}

    public ReplicaManager(
            LocalBroker local,
            ReplicaSettings settings,
            Storage storage,
            Collaborators others,
            Scheduler scheduler,
            Clock clock) {
        this.local = local;
        this.settings = settings;
        this.storage = storage;
        this.others = others;
        this.scheduler = scheduler;
        this.clock = clock;
        this.following = new Following(others.assignments());
    }

    /** Reads the checkpoints, then starts what is periodic. To be called once, before the first update. */
    public void startup() {
        storage.checkpoints().load();
        timers.add(scheduler.scheduleEvery(storage.checkpointInterval(), this::checkpointHighWatermarks));
        timers.add(scheduler.scheduleEvery(settings.replicaLagTimeMax().dividedBy(2), this::checkReplicas));
    }

    /**
     * Stops all replicas and checkpoints their high watermarks (S59). The fetchers have been stopped before, or are told to
     * forget everything here; the logs are closed afterwards, by their owner.
     */
    public void shutdown() {
        timers.forEach(Cancellable::cancel);
        timers.clear();
        others.proposals().close();
        for (Partition partition : partitions()) {
            guarded(partition.partition(), () -> stop(partition, ErrorCode.NOT_LEADER_OR_FOLLOWER));
        }
        checkpointHighWatermarks();
    }

    /** The replica of the partition, if this broker has one. */
    public Optional<Partition> find(TopicPartition partition) {
        return others.partitions().find(partition);
    }

    /** All replicas, ordered by partition. */
    public List<Partition> partitions() {
        return others.partitions().all();
    }

    /** Logs that the last full update did not place here; their data is kept. Ordered. */
    public List<TopicPartition> strays() {
        return strays;
    }

    /** Truncations below a high watermark so far: none unless elections were unclean or recoveries (DESIGN section 5). */
    public long belowHighWatermarkCuts() {
        long live = partitions().stream()
                .mapToLong(Partition::belowHighWatermarkCuts)
                .sum();
        return live + retiredCuts.get();
    }

    /** Takes over what the controller pushed. The push's order and epochs were checked by the caller. */
    public void apply(ClusterUpdate update) {
        update.deletedTopics().forEach(this::delete);
        SortedSet<TopicPartition> named = new TreeSet<>();
        for (TopicState topic : update.topics()) {
            LogConfig config = storage.configs().apply(topic.configs());
            for (PartitionState state : topic.partitions().values()) {
                if (state.isReplica(local.id())) {
                    named.add(state.partition());
                }
                guarded(state.partition(), () -> take(state, config));
            }
        }
        if (update.full()) {
            stopUnnamed(named);
        }
        following.connect(update.brokers());
        others.live().are(new TreeSet<>(update.brokers().keySet()));
        if (controllerId != update.controllerId()) {
            controllerId = update.controllerId();
            others.proposals().onNewController();
        }
    }

    /** A log was found to be damaged: the controller is told at once. */
    public void onDamage(TopicPartition name) {
        find(name).ifPresent(others.damages()::check);
    }

    /** How far the logs go that a recovery election asks about, whatever roles they have. */
    public List<LogEndAnswer> logEnds(List<LogEndQuery> queries) {
        return queries.stream().map(this::logEnd).toList();
    }

    /** Writes the high watermarks of all replicas, carrying forward those of logs without one. */
    void checkpointHighWatermarks() {
        try {
            storage.checkpoints().write(this::partitions);
        } catch (KafkaStorageException e) {
            storage.failures().onStorageFailure(e);
        }
    }

    /** In-sync sets, and damages: what a read stumbled on, and what the controller could not free before. */
    private void checkReplicas() {
        for (Partition partition : partitions()) {
            others.damages().check(partition);
            Advance advance = partition.checkIsr(clock.monotonicNs());
            if (advance.moved()) {
                others.signals().advanced(partition.partition(), advance);
            }
        }
    }

    private LogEndAnswer logEnd(LogEndQuery query) {
        Optional<LogEnd> end = storage.logs()
                .find(query.partition())
                .filter(log -> log.topicId().equals(query.topicId()))
                .map(Log::end);
        return end.map(at -> new LogEndAnswer(query.partition(), true, at.lastEpoch(), at.offset()))
                .orElseGet(() -> new LogEndAnswer(query.partition(), false, -1, 0));
    }

    private void take(PartitionState state, LogConfig config) {
        TopicPartition name = state.partition();
        Optional<Partition> replica = find(name);
        if (replica.isPresent() && !replica.get().topicId().equals(state.topicId())) {
            // Created again under its old name while this broker was away: the old data is set aside, not deleted.
            retire(replica.get());
            replica = Optional.empty();
        }
        if (replica.isEmpty() && !state.isReplica(local.id())) {
            return;
        }
        replica.ifPresent(known -> known.log().reconfigure(config));
        Partition partition = replica.orElseGet(() -> open(state, config));
        act(partition, partition.become(state, clock.monotonicNs()));
    }

    private Partition open(PartitionState state, LogConfig config) {
        TopicPartition name = state.partition();
        boolean isLoaded = storage.logs()
                .find(name)
                .filter(log -> log.topicId().equals(state.topicId()))
                .isPresent();
        if (!isLoaded) {
            storage.checkpoints().forget(List.of(name));
        }
        Log log = storage.logs().open(name, state.topicId(), config);
        long highWatermark = storage.checkpoints().read(log.logDirectory(), name);
        Partition partition = new Partition(log, local.id(), local.epoch(), settings, highWatermark);
        others.partitions().put(partition);
        return partition;
    }

    private void act(Partition partition, Became became) {
        if (became.roleEnded()) {
            following.end(partition.partition());
            others.signals().ended(partition.partition(), ErrorCode.NOT_LEADER_OR_FOLLOWER);
        } else if (became.change() == Became.Change.UPDATED) {
            others.signals().followersMoved(partition.partition());
        }
        if (became.change() == Became.Change.FOLLOWER) {
            following.begin(partition);
        }
        if (became.advance().moved()) {
            others.signals().advanced(partition.partition(), became.advance());
        }
        if (became.change() != Became.Change.STALE) {
            others.damages().check(partition);
        }
    }

    private void stopUnnamed(SortedSet<TopicPartition> named) {
        for (Partition partition : partitions()) {
            if (!named.contains(partition.partition())) {
                guarded(partition.partition(), () -> stop(partition, ErrorCode.NOT_LEADER_OR_FOLLOWER));
            }
        }
        strays = storage.logs().logs().stream()
                .map(Log::partition)
                .filter(name -> !named.contains(name))
                .toList();
        if (!strays.isEmpty()) {
            LOG.warn("logs that the cluster does not place on this broker, kept and not served: {}", strays);
        }
    }

    private void delete(ClusterUpdate.DeletedTopic topic) {
        partitions().stream()
                .filter(partition -> partition.topicId().equals(topic.id()))
                .forEach(this::retire);
        List<TopicPartition> doomed = storage.logs().logs().stream()
                .filter(log -> log.topicId().equals(topic.id()))
                .map(Log::partition)
                .toList();
        for (TopicPartition name : doomed) {
            guarded(name, () -> {
                storage.logs().delete(name, topic.id());
                storage.checkpoints().forget(List.of(name));
            });
        }
    }

    /** Ends a replica for good; its log is not touched. */
    private void retire(Partition partition) {
        stop(partition, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
        others.partitions().remove(partition.partition());
        retiredCuts.addAndGet(partition.belowHighWatermarkCuts());
    }

    private void stop(Partition partition, ErrorCode error) {
        following.end(partition.partition());
        partition.stop(error);
        others.signals().ended(partition.partition(), error);
    }

    /**
     * A storage failure is the process's, which hears of it before anybody is answered (S15); should it go on, the partition is out
     * of the game. One that cannot take what was decided for another reason stops alone: those behind it are not to blame.
     */
    private void guarded(TopicPartition name, Runnable step) {
        try {
            step.run();
        } catch (KafkaStorageException e) {
            storage.failures().onStorageFailure(e);
            LOG.error("{} met a storage failure", name, e);
            find(name).ifPresent(partition -> stop(partition, ErrorCode.KAFKA_STORAGE_ERROR));
        } catch (InvariantBrokenException e) {
            throw e;
        } catch (RuntimeException e) {
            LOG.error("{} cannot take what the controller decided and stops", name, e);
            find(name).ifPresent(partition -> stop(partition, ErrorCode.NOT_LEADER_OR_FOLLOWER));
        }
    }
}
