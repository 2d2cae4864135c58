package io.tidemark.coordination.controller;

import io.tidemark.coordination.cluster.ClusterState;
import io.tidemark.coordination.cluster.Incarnation;
import io.tidemark.coordination.cluster.NextProducerIds;
import io.tidemark.coordination.cluster.Topic;
import io.tidemark.coordination.cluster.VersionedState;
import io.tidemark.coordination.zookeeper.Decoded;
import io.tidemark.coordination.zookeeper.ZkCodec;
import io.tidemark.coordination.zookeeper.ZkContent;
import io.tidemark.coordination.zookeeper.ZkNode;
import io.tidemark.coordination.zookeeper.ZkPaths;
import io.tidemark.coordination.zookeeper.ZkResult;
import io.tidemark.coordination.zookeeper.ZkSession;
import io.tidemark.coordination.zookeeper.ZkSession.ZkWatch;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads all that a new controller starts from: ZooKeeper and nothing else (DESIGN section 6). Reads are pipelined: first
 * the lists, then the topics and incarnations, then the partitions. Used once, on the session's loop.
 */
final class StateLoader {
    private final ZkSession session;
    private final Mandate mandate;
    private final Consumer<Loaded> done;

    private final List<Incarnation> incarnations = new ArrayList<>();
    private final SortedMap<String, TopicNodes> topics = new TreeMap<>();
    private final SortedMap<String, String> carried = new TreeMap<>();
    private NextProducerIds producerIds = NextProducerIds.NONE;
    private String problem = "";
    private int open;

    /** What was found. */
    sealed interface Loaded {
        /** @param carried fields of newer versions, by path */
        record State(ClusterState state, SortedMap<String, String> carried) implements Loaded {}

        /** A read failed, or a node cannot be understood: without it nothing may be decided. */
        record Failed(String problem) implements Loaded {}
    }

    /** A topic's nodes as they come in. */
    private static final class TopicNodes {
        private ZkContent.@Nullable Topic content;
        private int topicVersion;
        private int configVersion;
        private SortedMap<String, String> configs = new TreeMap<>();
        private final SortedMap<Integer, VersionedState> partitions = new TreeMap<>();
    }

    StateLoader(ZkSession session, Mandate mandate, Consumer<Loaded> done) {
        this.session = session;
        this.mandate = mandate;
        this.done = done;
    }

    void start() {
        open++;
        list(ZkPaths.BROKER_INCARNATIONS, names -> names.forEach(this::incarnation));
        list(ZkPaths.TOPICS, names -> names.forEach(this::topic));
        read(ZkPaths.PRODUCER_ID_BLOCK, ZkCodec::decodeProducerIdBlock, Missing.ALLOWED, (block, version) -> {
            producerIds = new NextProducerIds(block.nextId(), version);
        });
        close();
    }

    private enum Missing {
        ALLOWED,
        IS_A_PROBLEM
    }

    /** Takes a node's value and version. */
    private interface Taker<T> {
        void take(T value, int version);
    }

    private void incarnation(String name) {
        int id = ZkPaths.number(name).orElse(-1);
        if (id < 0) {
            fail("not a broker id: " + ZkPaths.BROKER_INCARNATIONS + "/" + name);
            return;
        }
        read(
                ZkPaths.incarnation(id),
                text -> ZkCodec.decodeIncarnation(id, text),
                Missing.IS_A_PROBLEM,
                (node, version) -> incarnations.add(new Incarnation(node.incarnation(), node.registration(), version)));
    }

    private void topic(String name) {
        TopicNodes nodes = new TopicNodes();
        topics.put(name, nodes);
        read(
                ZkPaths.topicConfig(name),
                text -> ZkCodec.decodeTopicConfig(name, text),
                Missing.IS_A_PROBLEM,
                (configs, version) -> {
                    nodes.configs = configs;
                    nodes.configVersion = version;
                });
        read(ZkPaths.topic(name), text -> ZkCodec.decodeTopic(name, text), Missing.IS_A_PROBLEM, (content, version) -> {
            nodes.content = content;
            nodes.topicVersion = version;
            content.replicas().forEach((number, replicas) -> partition(name, number, nodes, content));
        });
    }

    private void partition(String topic, int number, TopicNodes nodes, ZkContent.Topic content) {
        TopicPartition partition = new TopicPartition(topic, number);
        List<Integer> replicas = content.replicas().getOrDefault(number, List.of());
        Function<String, Decoded<PartitionState>> decoder =
                text -> ZkCodec.decodePartition(partition, content.id(), replicas, text);
        read(
                ZkPaths.partitionState(partition),
                decoder,
                Missing.IS_A_PROBLEM,
                (state, version) -> nodes.partitions.put(number, new VersionedState(state, version)));
    }

    private void list(String path, Consumer<List<String>> taker) {
        open++;
        session.children(path, ZkWatch.NONE, answer -> {
            List<String> names = answer.value();
            if (answer.isOk() && names != null) {
                taker.accept(names);
            } else {
                fail("cannot list " + path + ": " + answer.kind());
            }
            close();
        });
    }

    private <T> void read(String path, Function<String, Decoded<T>> decoder, Missing missing, Taker<T> taker) {
        open++;
        session.get(path, ZkWatch.NONE, answer -> {
            ZkNode node = answer.value();
            if (answer.isOk() && node != null) {
                take(path, decoder.apply(node.data()), node.stat().version(), taker);
            } else if (answer.kind() != ZkResult.Kind.NO_NODE || missing == Missing.IS_A_PROBLEM) {
                fail("cannot read " + path + ": " + answer.kind());
            }
            close();
        });
    }

    private <T> void take(String path, Decoded<T> decoded, int version, Taker<T> taker) {
        if (!decoded.isOk()) {
            fail(decoded.problem());
            return;
        }
        if (!decoded.carry().isEmpty()) {
            carried.put(path, decoded.carry());
        }
        taker.take(decoded.orThrow(), version);
    }

    private void fail(String what) {
        problem = problem.isEmpty() ? what : problem;
    }

    private void close() {
        open--;
        if (open == 0) {
            done.accept(problem.isEmpty() ? assembled() : new Loaded.Failed(problem));
        }
    }

    private Loaded assembled() {
        List<Topic> live = new ArrayList<>();
        List<Topic> deleting = new ArrayList<>();
        for (java.util.Map.Entry<String, TopicNodes> entry : topics.entrySet()) {
            TopicNodes nodes = entry.getValue();
            ZkContent.Topic content = nodes.content;
            if (content == null) {
                return new Loaded.Failed("no content of " + ZkPaths.topic(entry.getKey()));
            }
            Topic topic = new Topic(
                    entry.getKey(),
                    content.id(),
                    nodes.topicVersion,
                    nodes.configVersion,
                    nodes.configs,
                    nodes.partitions);
            (content.deleting() ? deleting : live).add(topic);
        }
        return new Loaded.State(
                ClusterState.loaded(mandate.controllerEpoch(), incarnations, live, deleting, producerIds), carried);
    }
}
