package io.tidemark.replication.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemark.core.config.CleanupPolicy;
import io.tidemark.core.config.LogConfig;
import io.tidemark.core.config.MessageConfig;
import io.tidemark.core.log.Log;
import io.tidemark.core.metrics.PurgatoryMetrics;
import io.tidemark.core.purgatory.DelayedOperation;
import io.tidemark.core.purgatory.Purgatory;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.core.runtime.StorageLatch;
import io.tidemark.core.testkit.ManualEventLoops;
import io.tidemark.core.testkit.SeededRandomness;
import io.tidemark.model.Acks;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.PartitionState;
import io.tidemark.model.SafetyRules;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.LiveBrokers;
import io.tidemark.replication.LocalReplicas;
import io.tidemark.replication.deletion.DeleteRecordsHandler;
import io.tidemark.replication.partition.Became;
import io.tidemark.replication.partition.Follower;
import io.tidemark.replication.partition.IsrProposal;
import io.tidemark.replication.partition.Partition;
import io.tidemark.replication.partition.ReplicaSettings;
import io.tidemark.replication.produce.Produce;
import io.tidemark.replication.produce.ProduceHandler;
import io.tidemark.replication.throttle.ReplicationThrottle;
import io.tidemark.runtime.Cancellable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executor;

/** One broker's replicas, handlers and purgatories on a test's time. */
public final class TestBroker {
    public static final int MAX_MESSAGE_BYTES = 1 << 20;
    public static final String COMPACTED_PREFIX = "compacted";

    /** Cold reads that run or wait. */
    public static final int MAX_COLD_READS = 3;

    private final int id;
    private final long brokerEpoch;
    private final ManualEventLoops loops;
    private final ReplicationThrottle throttle;
    private final TreeMap<TopicPartition, Partition> partitions = new TreeMap<>();
    private final List<Throwable> failures = new ArrayList<>();
    private final List<KafkaStorageException> storageFailures = new ArrayList<>();
    private final StorageLatch storageLatch = new StorageLatch(storageFailures::add);
    private final List<IsrProposal> proposals = new ArrayList<>();
    private final FetchWaits waits;
    private final Purgatory<TopicPartition, DelayedOperation> produces;
    private final Purgatory<TopicPartition, DelayedOperation> deletions;
    private final LiveBrokers live = new LiveBrokers();
    private final PurgatorySignals signals;
    private final ProduceHandler produceHandler;
    private final FetchHandler fetchHandler;
    private final DeleteRecordsHandler deleteHandler;
    private MessageConfig messages = MessageConfig.DEFAULTS.withMaxBytes(MAX_MESSAGE_BYTES);

    public TestBroker(int id, ManualEventLoops loops) {
        this(id, epochOf(id), loops, FetchSettings.DEFAULTS, Runnable::run);
    }

    public TestBroker(int id, long brokerEpoch, ManualEventLoops loops, FetchSettings settings, Executor wakeUps) {
        this.id = id;
        this.brokerEpoch = brokerEpoch;
        this.loops = loops;
        this.throttle = new ReplicationThrottle(id);
        SeededRandomness randomness = new SeededRandomness(id);
        Purgatory<Long, DelayedOperation> followers = purgatory("replica fetch");
        this.waits = new FetchWaits(
                purgatory("fetch"),
                followers,
                new FetchSessions(settings, randomness),
                new SourceThrottle(throttle, followers, loops.scheduler().clock(), loops.scheduler()));
        this.produces = purgatory("produce");
        this.deletions = purgatory("delete-records");
        this.signals = new PurgatorySignals(waits, produces, deletions, proposals::add, wakeUps);
        LocalReplicas replicas = new LocalReplicas(this::find, signals, storageLatch);
        this.produceHandler = new ProduceHandler(
                replicas, this::config, produces, loops.scheduler().clock(), SafetyRules.ALL);
        live.listen(() -> partitions.keySet().forEach(deletions::signal));
        this.deleteHandler =
                new DeleteRecordsHandler(replicas, this::config, deletions, live, loops.open("delete-records"));
        this.fetchHandler = new FetchHandler(
                replicas,
                waits,
                loops.scheduler().clock(),
                randomness,
                new ColdReads(loops, 2, MAX_COLD_READS),
                settings);
    }

    /** Topics of this prefix are compacted. */
    private LogConfig config(TopicPartition partition) {
        LogConfig config = LogConfig.DEFAULTS.with(messages);
        return partition.topic().startsWith(COMPACTED_PREFIX)
                ? config.with(config.compaction().withPolicy(CleanupPolicy.COMPACT))
                : config;
    }

    private <K> Purgatory<K, DelayedOperation> purgatory(String name) {
        return new Purgatory<>(
                name,
                loops.scheduler().clock(),
                loops.scheduler(),
                (runner, failure) -> failures.add(failure),
                new PurgatoryMetrics(new SimpleMeterRegistry(), name));
    }

    /** What every topic takes from producers, from now on. */
    public void takes(MessageConfig changed) {
        messages = changed;
    }

    public Partition add(Log log) {
        return add(log, 0);
    }

    public Partition add(Log log, long highWatermark) {
        Partition partition = new Partition(log, id, () -> brokerEpoch, ReplicaSettings.DEFAULTS, highWatermark);
        partitions.put(log.partition(), partition);
        return partition;
    }

    /** Of a broker that lives once. */
    public static long epochOf(int brokerId) {
        return brokerId * 10L;
    }

    /** What a replica manager does with a state: the change, then the signals. */
    public Became become(PartitionState state) {
        Partition partition = partition(state.partition());
        Became became = partition.become(state, nowNs());
        if (became.roleEnded()) {
            signals.ended(state.partition(), ErrorCode.NOT_LEADER_OR_FOLLOWER);
        } else if (became.change() == Became.Change.UPDATED) {
            signals.followersMoved(state.partition());
        }
        signals.advanced(state.partition(), became.advance());
        return became;
    }

    public void stop(TopicPartition name, ErrorCode error) {
        partition(name).stop(error);
        partitions.remove(name);
        signals.ended(name, error);
    }

    public List<List<Produce.Result>> produce(Acks acks, int timeoutMs, TopicPartition name, ByteBuffer batches) {
        List<List<Produce.Result>> answers = new ArrayList<>();
        produce(new Produce.Request(acks, timeoutMs, List.of(new Produce.Part(name, -1, batches))), answers);
        return answers;
    }

    public Cancellable produce(Produce.Request request, List<List<Produce.Result>> answers) {
        return produceHandler.produce(request, answers::add);
    }

    public DeleteRecordsHandler deleteHandler() {
        return deleteHandler;
    }

    /** Whose replicas are waited for. */
    public LiveBrokers live() {
        return live;
    }

    public FetchHandler fetchHandler() {
        return fetchHandler;
    }

    public Optional<Partition> find(TopicPartition name) {
        return Optional.ofNullable(partitions.get(name));
    }

    public Partition partition(TopicPartition name) {
        return find(name).orElseThrow();
    }

    public PurgatorySignals signals() {
        return signals;
    }

    /** Everything that waits, wherever. */
    public int waiting() {
        return produces.watched()
                + deletions.watched()
                + waits.consumers().watched()
                + waits.followers().watched();
    }

    public Purgatory<TopicPartition, DelayedOperation> consumerWaits() {
        return waits.consumers();
    }

    public FetchSessions sessions() {
        return waits.sessions();
    }

    public ReplicationThrottle throttle() {
        return throttle;
    }

    /** Takes the proposals made so far. */
    public List<IsrProposal> takeProposals() {
        List<IsrProposal> taken = List.copyOf(proposals);
        proposals.clear();
        return taken;
    }

    public Follower asFollower() {
        return new Follower(id, brokerEpoch);
    }

    public List<KafkaStorageException> storageFailures() {
        return storageFailures;
    }

    /** What every part of the broker reports a storage failure to. */
    public StorageLatch storageLatch() {
        return storageLatch;
    }

    public long nowNs() {
        return loops.scheduler().clock().monotonicNs();
    }

    /** To be called after each test: nothing failed out of sight. */
    public void assertNothingFailed() {
        assertThat(failures).isEmpty();
    }
}
