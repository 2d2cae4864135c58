package io.tidemark.sim.check;

import io.tidemark.coordination.zookeeper.ZkCodec;
import io.tidemark.coordination.zookeeper.ZkContent;
import io.tidemark.coordination.zookeeper.ZkPaths;
import io.tidemark.coordination.zookeeper.ZkSession;
import io.tidemark.coordination.zookeeper.ZkSession.CreateMode;
import io.tidemark.coordination.zookeeper.testkit.ZkTree;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.Endpoint;
import io.tidemark.model.Member;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicId;
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
    static final TopicPartition PARTITION = new TopicPartition("t", 0);

    private static final TopicId TOPIC_ID = new TopicId(7, 7);
    private static final Endpoint NOWHERE = new Endpoint("nowhere", 1);

    final Disasters disasters = new Disasters();
    final SortedMap<TopicPartition, Accountable> accountable = new TreeMap<>();
    private final ZkTree tree = new ZkTree(new ToWatch());
    private final StateWatch states = new StateWatch(tree, disasters);
    private final Mirrors mirrors = new Mirrors(new Nobody(), partition -> Cleanup.DELETE);
    private final SortedMap<Integer, FakeReplica> replicas = new TreeMap<>();
    private final SortedMap<TopicPartition, SortedMap<Long, String>> acked = new TreeMap<>();
    private final List<Acknowledged> answers = new ArrayList<>();
    private final CommittedOnce committedOnce = new CommittedOnce();
    private final long session;
    private long nonceShift = 100;

    CheckRig() {
        this(Cleanup.DELETE);
    }

    CheckRig(Cleanup cleanup) {
        session = tree.openSession();
        ZkPaths.SKELETON.forEach(this::node);
        put(ZkPaths.topic("t"), ZkCodec.encodeTopic(topic(), ""));
        node(ZkPaths.partitions("t"));
        node(ZkPaths.partition(PARTITION));
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
                TOPIC_ID,
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
        put(ZkPaths.partitionState(PARTITION), ZkCodec.encodePartition(state, ""));
        return state;
    }

    /** Records that the broker's process of now has logs of that incarnation. */
    void life(int brokerId, long incarnation) {
        BrokerRegistration registration = new BrokerRegistration(
                brokerId, 1, nonceShift + brokerId, NOWHERE, NOWHERE, NOWHERE, "", List.of("d"), -1);
        put(
                ZkPaths.incarnation(brokerId),
                ZkCodec.encodeIncarnation(new ZkContent.Incarnation(incarnation, registration), ""));
    }

    void controllerEpoch(int epoch) {
        put(ZkPaths.CONTROLLER_EPOCH, ZkCodec.encodeControllerEpoch(epoch, ""));
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
            replica.shows(state, leads ? Role.LEADER : Role.FOLLOWER, leads ? replica.end().offset() : 0);
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

    private static ZkContent.Topic topic() {
        SortedMap<Integer, List<Integer>> assigned = new TreeMap<>();
        assigned.put(0, List.of(1, 2, 3));
        return ZkContent.Topic.of(TOPIC_ID, assigned);
    }

    private void node(String path) {
        put(path, "");
    }

    private void put(String path, String data) {
        if (tree.exists(path).isOk()) {
            tree.set(session, path, data, ZkSession.ANY_VERSION);
        } else if (!tree.create(session, path, data, CreateMode.PERSISTENT).isOk()) {
            throw new IllegalStateException("no parent of " + path);
        }
    }

    private final class ToWatch implements ZkTree.Changes {
        @Override
        public void node(String path) {
            states.node(path);
        }

        @Override
        public void children(String path) {
            states.children(path);
        }
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
