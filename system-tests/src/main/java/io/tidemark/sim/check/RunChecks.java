package io.tidemark.sim.check;

import io.tidemark.coordination.zookeeper.testkit.ZkTree;
import io.tidemark.core.config.FlushMode;
import io.tidemark.core.config.TruncationMode;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.partition.Partition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Everything that must hold in a run. Told of what the cluster does not show by itself (disasters, acknowledgements), asked after
 * each event. What did not change costs a few comparisons. For one run, on its one thread.
 */
public final class RunChecks {
    private final Observed observed;
    private final CheckSettings settings;
    private final Consumer<ReplicaMirror> onChange;
    private final Disasters disasters = new Disasters();
    private final StateWatch states;
    private final Mirrors mirrors;
    private final SortedMap<TopicPartition, Accountable> accountable = new TreeMap<>();
    private final SortedMap<TopicPartition, SortedMap<Long, String>> acked = new TreeMap<>();
    private final Look.History history;
    private final List<Invariant> invariants;
    private List<Acknowledged> acknowledged = new ArrayList<>();

    /**
     * @param tree what ZooKeeper holds; {@link #zooKeeperChanges()} is to be told of its changes
     * @param onChange told of each replica that is not what it was, before anything is checked
     */
    public RunChecks(Observed observed, ZkTree tree, CheckSettings settings, Consumer<ReplicaMirror> onChange) {
        this.observed = observed;
        this.settings = settings;
        this.onChange = onChange;
        this.states = new StateWatch(tree, disasters);
        this.mirrors = new Mirrors(observed, settings.cleanup());
        this.history = new Look.History(mirrors, states, disasters, accountable, acked);
        this.invariants = invariants(settings);
    }

    /** All invariants, in the order in which they run. */
    private static List<Invariant> invariants(CheckSettings settings) {
        List<Invariant> all = new ArrayList<>();
        all.add(new CommittedOnce());
        if (settings.truncation() == TruncationMode.LEADER_EPOCH) {
            // The other mode breaks it at each change of a leader; what that costs is seen at the election.
            all.add(new InSyncHolds());
        }
        all.add(new LeaderHolds());
        all.add(new AckedByEnough(settings.flushMode()));
        all.add(new StateSteps(settings.unclean()));
        all.add(new MarksInOrder(settings.truncation()));
        all.add(new CleanedBelowHighWatermark());
        all.add(new OneLeader());
        return all;
    }

    /** To be told of each change in ZooKeeper, after it was made. */
    public ZkTree.Changes zooKeeperChanges() {
        return states;
    }

    /**
     * One invariant is not checked from now on: for scenarios that show what comes of its violation.
     *
     * @param name as {@link Invariant#name}
     * @return false if nothing is checked under that name
     */
    public boolean overlook(String name) {
        return invariants.removeIf(invariant -> invariant.name().equals(name));
    }

    /** The state of the partition that stands in ZooKeeper; null if there is none. */
    public @Nullable PartitionState recorded(TopicPartition partition) {
        return states.recorded(partition);
    }

    /** What all machines have. */
    public Mirrors mirrors() {
        return mirrors;
    }

    /** A machine lost power: what it had not forced may be gone, which only async mode accepts. */
    public void powerLost(int brokerId) {
        if (settings.flushMode() == FlushMode.ASYNC) {
            disasters.struck(brokerId);
        }
    }

    /** A machine lost its disk with everything on it. */
    public void wiped(int brokerId) {
        disasters.struck(brokerId);
        mirrors.diskGone(brokerId);
        accountable.values().forEach(each -> each.destroyed(brokerId, batch -> true));
    }

    /** A machine's copy of a partition is bad from that offset on, and will be cut there. */
    public void damaged(int brokerId, TopicPartition partition, long fromOffset) {
        disasters.struck(brokerId);
        disasters.settled(brokerId);
        Accountable damaged = accountable.get(partition);
        if (damaged != null) {
            damaged.destroyed(brokerId, batch -> batch.lastOffset() >= fromOffset);
        }
    }

    /** A broker answers acks=all with success for a record at this moment; to be told before the answer leaves the broker. */
    public void acknowledged(int brokerId, TopicPartition partition, long offset, String value) {
        RunningBroker process = observed.running(brokerId);
        Partition replica = process == null ? null : process.replica(partition);
        PartitionState confirmed = replica == null ? null : replica.state().orElse(null);
        acknowledged.add(new Acknowledged(brokerId, partition, offset, value, confirmed));
        acked.computeIfAbsent(partition, unseen -> new TreeMap<>()).put(offset, value);
    }

    /** Looks at the cluster; throws {@link Violation} if something does not hold. */
    public void afterEvent() {
        Collection<TopicPartition> partitions = states.partitions();
        List<ReplicaMirror> changed = mirrors.follow(partitions);
        mirrors.restarted().forEach(this::onStart);
        List<StateStep> steps = states.takeSteps();
        for (StateStep step : steps) {
            accountable.computeIfAbsent(step.partition(), this::newAccountable).recorded(step.after());
        }
        boolean livesChanged = states.takeLivesChanged();
        boolean restarted = !mirrors.restarted().isEmpty();
        if (changed.isEmpty() && steps.isEmpty() && acknowledged.isEmpty() && !livesChanged && !restarted) {
            return;
        }
        changed.forEach(onChange);
        Look look = new Look(history, changed, steps, acknowledged);
        acknowledged = new ArrayList<>();
        for (Invariant invariant : invariants) {
            invariant.afterEvent(look);
        }
    }

    /** How many committed batches disasters have taken for good, in a way that nobody promised to prevent. */
    public int excused() {
        return accountable.values().stream()
                .mapToInt(Accountable::excusedBatches)
                .sum();
    }

    /** By partition, the offsets of the records that are excused. */
    public SortedMap<TopicPartition, SortedSet<Long>> excusedRecords() {
        SortedMap<TopicPartition, SortedSet<Long>> excused = new TreeMap<>();
        accountable.forEach((partition, each) -> {
            if (each.excusedBatches() > 0) {
                excused.put(partition, each.excused());
            }
        });
        return excused;
    }

    /** Whether a disaster excuses that this record is gone. */
    public boolean isExcused(TopicPartition partition, long offset, String value) {
        Accountable each = accountable.get(partition);
        return each != null && each.isExcused(offset, value);
    }

    /** How many batches were committed. */
    public int committed() {
        return accountable.values().stream().mapToInt(Accountable::size).sum();
    }

    /** Compares all replicas that run, as they are on disk (DESIGN section 9); for the end of a run, when all have caught up. */
    public void compareReplicas() {
        for (TopicPartition partition : states.partitions()) {
            List<ReplicaComparison.Replica> replicas = new ArrayList<>();
            for (int brokerId : observed.brokerIds()) {
                ReplicaComparison.Replica replica = onDisk(partition, brokerId);
                if (replica != null) {
                    replicas.add(replica);
                }
            }
            ReplicaComparison.of(settings.cleanup().apply(partition))
                    .difference(replicas)
                    .ifPresent(difference -> {
                        throw new Violation("ReplicasEqual", "I2: " + partition + ": " + difference);
                    });
        }
    }

    private ReplicaComparison.@Nullable Replica onDisk(TopicPartition partition, int brokerId) {
        RunningBroker process = observed.running(brokerId);
        Partition replica = process == null ? null : process.replica(partition);
        return replica == null ? null : ReplicaComparison.Replica.read(brokerId, replica);
    }

    private Accountable newAccountable(TopicPartition partition) {
        return new Accountable(
                settings.cleanup().apply(partition),
                (brokerId, batch, leaderEpoch) -> isTaken(partition, brokerId, batch, leaderEpoch));
    }

    private boolean isTaken(TopicPartition partition, int brokerId, BatchMark batch, int leaderEpoch) {
        if (disasters.isPending(brokerId) || !disasters.since(brokerId, states.began(partition, leaderEpoch))) {
            return false;
        }
        ReplicaMirror mirror = mirrors.of(partition, brokerId);
        return mirror == null || !mirror.holds(batch);
    }

    private void onStart(int brokerId) {
        RunningBroker process = observed.running(brokerId);
        if (process != null) {
            disasters.processStarted(process.processNonce());
        }
        if (disasters.isPending(brokerId)) {
            disasters.settled(brokerId);
            accountable.forEach((partition, each) -> {
                ReplicaMirror mirror = mirrors.of(partition, brokerId);
                each.destroyed(brokerId, batch -> mirror == null || !mirror.holds(batch));
            });
        }
    }
}
