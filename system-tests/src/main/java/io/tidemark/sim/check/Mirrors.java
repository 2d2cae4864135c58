package io.tidemark.sim.check;

import io.tidemark.core.log.Log;
import io.tidemark.model.TopicPartition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What all machines have of all partitions, as of the last event. */
public final class Mirrors {
    private final Observed observed;
    private final Function<TopicPartition, Cleanup> cleanup;
    private final SortedMap<TopicPartition, SortedMap<Integer, ReplicaMirror>> byPartition = new TreeMap<>();
    private final SortedMap<Integer, RunningBroker> processes = new TreeMap<>();
    private final SortedMap<TopicPartition, SortedMap<Integer, LiveReplica>> replicas = new TreeMap<>();
    private final SortedSet<Integer> restarted = new TreeSet<>();

    Mirrors(Observed observed, Function<TopicPartition, Cleanup> cleanup) {
        this.observed = observed;
        this.cleanup = cleanup;
    }

    /** The replica on that machine; null if it never had one. */
    public @Nullable ReplicaMirror of(TopicPartition partition, int brokerId) {
        SortedMap<Integer, ReplicaMirror> known = byPartition.get(partition);
        return known == null ? null : known.get(brokerId);
    }

    /** All replicas of the partition that there ever were, by broker id. */
    public Collection<ReplicaMirror> of(TopicPartition partition) {
        SortedMap<Integer, ReplicaMirror> known = byPartition.get(partition);
        return known == null ? List.of() : known.values();
    }

    /** Another replica. */
    void add(ReplicaMirror mirror) {
        byPartition
                .computeIfAbsent(mirror.partition(), unseen -> new TreeMap<>())
                .put(mirror.brokerId(), mirror);
    }

    /** Brokers on whose machine another process runs than at the look before the last one. */
    SortedSet<Integer> restarted() {
        return restarted;
    }

    /** Looks at everything again; answers the replicas of processes that are not what they were, by broker and partition. */
    List<ReplicaMirror> follow(Collection<TopicPartition> partitions) {
        List<ReplicaMirror> changed = new ArrayList<>();
        restarted.clear();
        for (int brokerId : observed.brokerIds()) {
            RunningBroker process = observed.running(brokerId);
            boolean isNew = isNew(brokerId, process);
            for (TopicPartition partition : partitions) {
                if (process != null) {
                    follow(process, partition, brokerId, changed);
                } else if (isNew) {
                    ended(partition, brokerId);
                }
            }
            if (isNew && process != null) {
                restarted.add(brokerId);
            }
        }
        return changed;
    }

    /** The machine's disk is another one, or empty. */
    void diskGone(int brokerId) {
        for (SortedMap<Integer, ReplicaMirror> known : byPartition.values()) {
            ReplicaMirror mirror = known.get(brokerId);
            if (mirror != null) {
                mirror.logGone();
            }
        }
    }

    // One object stands for one life of a process.
    @SuppressWarnings("ReferenceEquality")
    private boolean isNew(int brokerId, @Nullable RunningBroker process) {
        if (process == processes.get(brokerId)) {
            return false;
        }
        if (process == null) {
            processes.remove(brokerId);
        } else {
            processes.put(brokerId, process);
        }
        return true;
    }

    private void ended(TopicPartition partition, int brokerId) {
        ReplicaMirror mirror = of(partition, brokerId);
        if (mirror != null) {
            mirror.processEnded();
        }
    }

    private void follow(RunningBroker process, TopicPartition partition, int brokerId, List<ReplicaMirror> changed) {
        Log log = process.log(partition);
        ReplicaMirror mirror = of(partition, brokerId);
        if (log == null) {
            if (mirror != null) {
                mirror.processEnded();
                mirror.logGone();
            }
            return;
        }
        if (mirror == null) {
            mirror = new ReplicaMirror(partition, brokerId, cleanup.apply(partition));
            add(mirror);
        }
        if (mirror.follow(replica(process, partition, brokerId, log), process.processNonce())
                && mirror.view() != null) {
            changed.add(mirror);
        }
    }

    private LiveReplica replica(RunningBroker process, TopicPartition partition, int brokerId, Log log) {
        SortedMap<Integer, LiveReplica> known = replicas.computeIfAbsent(partition, unseen -> new TreeMap<>());
        LiveReplica replica = known.get(brokerId);
        if (replica == null || !replica.isOf(process, log)) {
            replica = new LiveReplica(observed, process, partition, log);
            known.put(brokerId, replica);
        }
        return replica;
    }
}
