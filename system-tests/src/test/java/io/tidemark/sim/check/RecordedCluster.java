package io.tidemark.sim.check;

import io.tidemark.coordination.zookeeper.ZkCodec;
import io.tidemark.coordination.zookeeper.ZkContent;
import io.tidemark.coordination.zookeeper.ZkPaths;
import io.tidemark.coordination.zookeeper.ZkSession;
import io.tidemark.coordination.zookeeper.ZkSession.CreateMode;
import io.tidemark.coordination.zookeeper.testkit.ZkTree;
import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.Endpoint;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** A ZooKeeper with one topic of one partition on brokers 1, 2 and 3, to which a test writes as controllers do. */
final class RecordedCluster {
    static final TopicPartition PARTITION = new TopicPartition("t", 0);
    static final TopicId TOPIC_ID = new TopicId(7, 7);

    private static final Endpoint NOWHERE = new Endpoint("nowhere", 1);

    private final List<ZkTree.Changes> told = new ArrayList<>();
    private final ZkTree tree = new ZkTree(new ToAll());
    private final long session = tree.openSession();

    RecordedCluster() {
        ZkPaths.SKELETON.forEach(this::node);
        SortedMap<Integer, List<Integer>> assigned = new TreeMap<>();
        assigned.put(0, List.of(1, 2, 3));
        put(ZkPaths.topic("t"), ZkCodec.encodeTopic(ZkContent.Topic.of(TOPIC_ID, assigned), ""));
        node(ZkPaths.partitions("t"));
        node(ZkPaths.partition(PARTITION));
    }

    ZkTree tree() {
        return tree;
    }

    void tellOf(ZkTree.Changes changes) {
        told.add(changes);
    }

    void state(PartitionState state) {
        put(ZkPaths.partitionState(PARTITION), ZkCodec.encodePartition(state, ""));
    }

    void life(int brokerId, long incarnation, long processNonce) {
        BrokerRegistration registration =
                new BrokerRegistration(brokerId, 1, processNonce, NOWHERE, NOWHERE, NOWHERE, "", List.of("d"), -1);
        put(
                ZkPaths.incarnation(brokerId),
                ZkCodec.encodeIncarnation(new ZkContent.Incarnation(incarnation, registration), ""));
    }

    void controllerEpoch(int epoch) {
        put(ZkPaths.CONTROLLER_EPOCH, ZkCodec.encodeControllerEpoch(epoch, ""));
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

    private final class ToAll implements ZkTree.Changes {
        @Override
        public void node(String path) {
            told.forEach(each -> each.node(path));
        }

        @Override
        public void children(String path) {
            told.forEach(each -> each.children(path));
        }
    }
}
