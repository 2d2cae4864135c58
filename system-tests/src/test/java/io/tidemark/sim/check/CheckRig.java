package io.tidemark.sim.check;

import io.tidemark.model.Member;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.partition.PartitionView.Role;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Looks that nobody made by watching a cluster: replicas 1, 2 and 3 of one partition that have what a test says, and a ZooKeeper
 * that it writes to. Process nonces are 100 and more, one for each broker.
 */
final class CheckRig {
    static final TopicPartition PARTITION = RecordedCluster.PARTITION;

    final Disasters disasters = new Disasters();
    final SortedMap<TopicPartition, Accountable> accountable = new TreeMap<>();
    private final RecordedCluster recorded = new RecordedCluster();
    private final StateWatch states = new StateWatch(recorded.tree(), disasters);
    private final Mirrors mirrors = new Mirrors(new Nobody(), partition -> Cleanup.DELETE);
    private final SortedMap<Integer, FakeReplica> replicas = new TreeMap<>();
    private final SortedMap<TopicPartition, SortedMap<Long, String>> acked = new TreeMap<>();
    private final List<Acknowledged> answers = new ArrayList<>();
    private final CommittedOnce committedOnce = new CommittedOnce();
    private long nonceShift = 100;

    CheckRig() {
        this(Cleanup.DELETE);
    }

    CheckRig(Cleanup cleanup) {
        recorded.tellOf(states);
        controllerEpoch(1);
        accountable.put(PARTITION, new Accountable(cleanup, (broker, batch, epoch) -> false));
        for (int id = 1; id <= 3; id++) {
            replicas.put(id, new FakeReplica());
            mirrors.add(new ReplicaMirror(PARTITION, id, cleanup));
            disasters.processStarted(nonceShift + id);
            life(id, 1);
        }
    }

    /** Leader, leader epoch, partition epoch, and the ISR with incarnation 1; min ISR 2, written under controller epoch 1. */
    static PartitionState state(int leader, int leaderEpoch, int partitionEpoch, Integer... isr) {
        return new PartitionState(
                RecordedCluster.TOPIC_ID,
                PARTITION,
                leader,
                leaderEpoch,
                partitionEpoch,
                List.of(1, 2, 3),
                Arrays.stream(isr).map(id -> new Member(id, 1)).toList(),
                List.of(),
                2,
                1);
    }

    FakeReplica replica(int id) {
        FakeReplica replica = replicas.get(id);
        if (replica == null) {
            throw new IllegalArgumentException("no replica " + id);
        }
        return replica;
    }

    /** Writes the state to ZooKeeper. */
    PartitionState record(PartitionState state) {
        recorded.state(state);
        return state;
    }

    /** Records that the broker's process of now has logs of that incarnation. */
    void life(int brokerId, long incarnation) {
        recorded.life(brokerId, incarnation, nonceShift + brokerId);
    }

    void controllerEpoch(int epoch) {
        recorded.controllerEpoch(epoch);
    }

    /** From now on broker processes are others than before. */
    void restartProcesses() {
        nonceShift += 100;
        for (int id : replicas.keySet()) {
            disasters.processStarted(nonceShift + id);
        }
    }

    /** All have it, the leader of the state shows all of it as committed, the others follow with a mark of 0. */
    void allHave(PartitionState state, String... values) {
        replicas.forEach((id, replica) -> {
            replica.append(state.leaderEpoch(), values);
            boolean leads = id == state.leader();
            replica.shows(
                    state,
                    leads ? Role.LEADER : Role.FOLLOWER,
                    leads ? replica.end().offset() : 0);
        });
    }

    void acknowledge(int brokerId, long offset, String value, @Nullable PartitionState confirmed) {
        answers.add(new Acknowledged(brokerId, PARTITION, offset, value, confirmed));
        acked.computeIfAbsent(PARTITION, unseen -> new TreeMap<>()).put(offset, value);
    }

    ReplicaMirror mirror(int id) {
        ReplicaMirror mirror = mirrors.of(PARTITION, id);
        if (mirror == null) {
            throw new IllegalArgumentException("no replica " + id);
        }
        return mirror;
    }

    /** An event ends: what is committed is taken down, then the invariant looks. */
    void check(Invariant invariant) {
        List<ReplicaMirror> changed = new ArrayList<>();
        replicas.forEach((id, replica) -> {
            if (mirror(id).follow(replica, nonceShift + id) && replica.view() != null) {
                changed.add(mirror(id));
            }
        });
        List<StateStep> steps = states.takeSteps();
        for (StateStep step : steps) {
            look(changed, steps).accountable(PARTITION).recorded(step.after());
        }
        Look look = look(changed, steps);
        committedOnce.afterEvent(look);
        answers.clear();
        invariant.afterEvent(look);
    }

    private Look look(List<ReplicaMirror> changed, List<StateStep> steps) {
        Look.History history = new Look.History(mirrors, states, disasters, accountable, acked);
        return new Look(history, changed, steps, List.copyOf(answers));
    }

    private static final class Nobody implements Observed {
        @Override
        public List<Integer> brokerIds() {
            return List.of();
        }

        @Override
        public @Nullable RunningBroker running(int brokerId) {
            return null;
        }
    }
}
