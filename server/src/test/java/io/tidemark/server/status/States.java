package io.tidemark.server.status;

import io.tidemark.model.BrokerRegistration;
import io.tidemark.model.ClusterUpdate;
import io.tidemark.model.Endpoint;
import io.tidemark.model.Member;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import io.tidemark.model.TopicState;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Makes what controllers tell brokers. */
public final class States {
    public static final TopicId TOPIC_ID = new TopicId(0, 1);

    private States() {}

    /** A partition of topic {@code orders} on brokers 1 to 3, whose min ISR is 2. */
    public static PartitionState partition(int number, int leader, int leaderEpoch, Integer... isr) {
        return new PartitionState(
                TOPIC_ID,
                new TopicPartition("orders", number),
                leader,
                leaderEpoch,
                1,
                List.of(1, 2, 3),
                List.of(isr).stream().map(id -> new Member(id, 1)).toList(),
                List.of(),
                2,
                1);
    }

    public static TopicState topic(PartitionState... partitions) {
        TreeMap<Integer, PartitionState> byNumber = new TreeMap<>();
        for (PartitionState state : partitions) {
            byNumber.put(state.partition().partition(), state);
        }
        return new TopicState("orders", TOPIC_ID, new TreeMap<>(), byNumber);
    }

    public static BrokerRegistration broker(int id) {
        return new BrokerRegistration(
                id,
                100 + id,
                7,
                new Endpoint("client" + id, 1),
                new Endpoint("peer" + id, 2),
                new Endpoint("http" + id, 3),
                "rack<" + id,
                List.of(),
                -1);
    }

    public static SortedMap<Integer, BrokerRegistration> brokers(int... ids) {
        TreeMap<Integer, BrokerRegistration> brokers = new TreeMap<>();
        for (int id : ids) {
            brokers.put(id, broker(id));
        }
        return brokers;
    }

    /** An update from controller 1, in which these brokers are live. */
    public static ClusterUpdate update(SortedMap<Integer, BrokerRegistration> live, TopicState... topics) {
        return new ClusterUpdate(false, live, 1, List.of(topics), List.of());
    }
}
