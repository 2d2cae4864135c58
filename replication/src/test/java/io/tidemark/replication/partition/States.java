package io.tidemark.replication.partition;

import io.tidemark.model.Member;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import java.util.Arrays;
import java.util.List;

/** States of partition {@code t-0} with replicas 1, 2 and 3, as a controller would write them. */
public final class States {
    public static final TopicId TOPIC_ID = new TopicId(7, 7);
    public static final TopicPartition PARTITION = new TopicPartition("t", 0);

    private final int leader;
    private final int leaderEpoch;
    private final List<Integer> replicas;
    private final int minIsr;

    private States(int leader, int leaderEpoch, List<Integer> replicas, int minIsr) {
        this.leader = leader;
        this.leaderEpoch = leaderEpoch;
        this.replicas = replicas;
        this.minIsr = minIsr;
    }

    /** A leader in an epoch; min ISR 1. */
    public static States led(int leader, int leaderEpoch) {
        return new States(leader, leaderEpoch, List.of(1, 2, 3), 1);
    }

    public States minIsr(int effectiveMinIsr) {
        return new States(leader, leaderEpoch, replicas, effectiveMinIsr);
    }

    public States replicas(Integer... ids) {
        return new States(leader, leaderEpoch, List.of(ids), minIsr);
    }

    /** The state at that partition epoch with that in-sync set. */
    public PartitionState at(int partitionEpoch, Integer... isr) {
        List<Member> members = Arrays.stream(isr).map(id -> new Member(id, 1)).toList();
        return new PartitionState(
                TOPIC_ID, PARTITION, leader, leaderEpoch, partitionEpoch, replicas, members, List.of(), minIsr, 1);
    }
}
