package io.tidemark.replication.fetch;

import io.tidemark.model.Member;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicPartition;
import java.util.Arrays;
import java.util.List;

/** States of partitions with replicas 1, 2 and 3, as a controller would write them. */
public final class TestStates {
    private TestStates() {}

    public static PartitionState led(
            TopicPartition partition, int leader, int leaderEpoch, int partitionEpoch, Integer... isr) {
        List<Member> members = Arrays.stream(isr).map(id -> new Member(id, 1)).toList();
        return new PartitionState(
                TestLogs.TOPIC_ID,
                partition,
                leader,
                leaderEpoch,
                partitionEpoch,
                List.of(1, 2, 3),
                members,
                List.of(),
                1,
                1);
    }

    public static PartitionState withReplicas(PartitionState like, Integer... replicas) {
        return new PartitionState(
                like.topicId(),
                like.partition(),
                like.leader(),
                like.leaderEpoch(),
                like.partitionEpoch(),
                List.of(replicas),
                like.isr(),
                like.eligible(),
                like.effectiveMinIsr(),
                like.controllerEpoch());
    }

    public static PartitionState withMinIsr(int minIsr, PartitionState like) {
        return new PartitionState(
                like.topicId(),
                like.partition(),
                like.leader(),
                like.leaderEpoch(),
                like.partitionEpoch(),
                like.replicas(),
                like.isr(),
                like.eligible(),
                minIsr,
                like.controllerEpoch());
    }
}
