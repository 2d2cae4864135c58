package io.tidemark.sim.check;

import io.tidemark.coordination.zookeeper.ZkCodec;
import io.tidemark.coordination.zookeeper.ZkContent;
import io.tidemark.coordination.zookeeper.ZkNode;
import io.tidemark.coordination.zookeeper.ZkPaths;
import io.tidemark.coordination.zookeeper.testkit.ZkTree;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicPartition;
import io.tidemark.sim.check.StateStep.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What ZooKeeper records of partitions and brokers: told of each write as it is made, none is missed. */
final class StateWatch implements ZkTree.Changes {
    private static final String STATE = "/state";
    private static final String PARTITIONS = "/partitions/";

    private final ZkTree tree;
    private final Disasters moments;
    private final SortedMap<TopicPartition, PartitionState> recorded = new TreeMap<>();
    private final SortedMap<TopicPartition, SortedMap<Integer, Long>> epochBegan = new TreeMap<>();
    private final SortedMap<Integer, RecordedLife> lives = new TreeMap<>();
    private final SortedMap<String, TopicText> topics = new TreeMap<>();
    private final SortedSet<TopicPartition> afterUnclean = new TreeSet<>();
    private final SortedSet<TopicPartition> afterRecovery = new TreeSet<>();
    private List<StateStep> steps = new ArrayList<>();
    private int controllerEpoch = -1;
    private boolean livesChanged;

    private record TopicText(String text, ZkContent.Topic topic) {}

    StateWatch(ZkTree tree, Disasters moments) {
        this.tree = tree;
        this.moments = moments;
    }

    @Override
    public void node(String path) {
        if (path.endsWith(STATE)) {
            onState(path);
        } else if (path.startsWith(ZkPaths.BROKER_INCARNATIONS + "/")) {
            onIncarnation(path);
        } else if (path.equals(ZkPaths.CONTROLLER_EPOCH)) {
            ZkNode node = tree.get(path).value();
            controllerEpoch = node == null
                    ? -1
                    : ZkCodec.decodeControllerEpoch(node.data()).orThrow();
        }
    }

    @Override
    public void children(String path) {}

    /** Partitions that have a state. */
    Collection<TopicPartition> partitions() {
        return Collections.unmodifiableCollection(recorded.keySet());
    }

    /** The state as it is recorded now; null if there is none. */
    @Nullable
    PartitionState recorded(TopicPartition partition) {
        return recorded.get(partition);
    }

    /** What is recorded of the broker; null if nothing is. */
    @Nullable
    RecordedLife life(int brokerId) {
        return lives.get(brokerId);
    }

    /** When the first state of that leader epoch was written, as {@link Disasters} counts. */
    long began(TopicPartition partition, int leaderEpoch) {
        SortedMap<Integer, Long> began = epochBegan.getOrDefault(partition, new TreeMap<>());
        return began.getOrDefault(leaderEpoch, 0L);
    }

    /** Whether every leader so far was elected by an entry of ISR or eligible set. */
    boolean electionsClean(TopicPartition partition) {
        return !afterRecovery.contains(partition) && !hadUnclean(partition);
    }

    /** Whether somebody was elected who may lack committed records though others have them. */
    boolean hadUnclean(TopicPartition partition) {
        return afterUnclean.contains(partition);
    }

    /** The writes since the last call, in order. */
    List<StateStep> takeSteps() {
        List<StateStep> taken = steps;
        steps = taken.isEmpty() ? taken : new ArrayList<>();
        return taken;
    }

    /** Whether what is recorded of a broker changed since the last call. */
    boolean takeLivesChanged() {
        boolean taken = livesChanged;
        livesChanged = false;
        return taken;
    }

    private void onState(String path) {
        TopicPartition partition = partition(path);
        if (partition == null) {
            return;
        }
        ZkNode node = tree.get(path).value();
        ZkContent.Topic topic = topic(partition.topic());
        if (node == null || topic == null) {
            recorded.remove(partition);
            return;
        }
        List<Integer> replicas = topic.replicas().getOrDefault(partition.partition(), List.of());
        PartitionState after = ZkCodec.decodePartition(partition, topic.id(), replicas, node.data())
                .orThrow();
        StateStep step = new StateStep(recorded.put(partition, after), after, controllerEpoch, lives, moments.tick());
        epochBegan
                .computeIfAbsent(partition, unseen -> new TreeMap<>())
                .putIfAbsent(after.leaderEpoch(), step.moment());
        if (step.kind() == Kind.UNCLEAN) {
            afterUnclean.add(partition);
        } else if (step.kind() == Kind.RECOVERY) {
            afterRecovery.add(partition);
        }
        steps.add(step);
    }

    private void onIncarnation(String path) {
        OptionalInt brokerId = ZkPaths.number(path.substring(ZkPaths.BROKER_INCARNATIONS.length() + 1));
        ZkNode node = tree.get(path).value();
        if (brokerId.isEmpty() || node == null) {
            return;
        }
        ZkContent.Incarnation found =
                ZkCodec.decodeIncarnation(brokerId.getAsInt(), node.data()).orThrow();
        lives.put(
                brokerId.getAsInt(),
                new RecordedLife(found.incarnation(), found.registration().processNonce()));
        livesChanged = true;
    }

    private static @Nullable TopicPartition partition(String path) {
        int at = path.lastIndexOf(PARTITIONS);
        if (!path.startsWith(ZkPaths.TOPICS + "/") || at <= ZkPaths.TOPICS.length()) {
            return null;
        }
        String topic = path.substring(ZkPaths.TOPICS.length() + 1, at);
        OptionalInt number = ZkPaths.number(path.substring(at + PARTITIONS.length(), path.length() - STATE.length()));
        return number.isPresent() ? new TopicPartition(topic, number.getAsInt()) : null;
    }

    private ZkContent.@Nullable Topic topic(String name) {
        ZkNode node = tree.get(ZkPaths.topic(name)).value();
        if (node == null) {
            topics.remove(name);
            return null;
        }
        TopicText known = topics.get(name);
        if (known == null || !known.text().equals(node.data())) {
            known = new TopicText(
                    node.data(), ZkCodec.decodeTopic(name, node.data()).orThrow());
            topics.put(name, known);
        }
        return known.topic();
    }
}
