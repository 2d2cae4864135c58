package io.tidemark.model;

import java.util.List;

/**
 * What the cluster agreed on about one partition: the content of its state node, with the topic's replica assignment.
 *
 * @param topicId identity of the topic
 * @param partition which partition
 * @param leader broker id of the leader, or {@link #NO_LEADER}
 * @param leaderEpoch rises by at least one whenever the leader changes (I9)
 * @param partitionEpoch rises by one with every write of this state; a broker adopts a state of its own leader epoch
 *     only if this is greater than what it has
 * @param replicas assigned brokers in order of preference
 * @param isr in-sync replicas; never empty once the partition exists
 * @param eligible members that left the ISR while it was below min ISR (KIP-966); empty when ISR is at min ISR
 * @param effectiveMinIsr min(configured, number of assigned replicas); changed by the controller only
 * @param controllerEpoch epoch of the controller that wrote this state
 */
public record PartitionState(
        TopicId topicId,
        TopicPartition partition,
        int leader,
        int leaderEpoch,
        int partitionEpoch,
        List<Integer> replicas,
        List<Member> isr,
        List<Member> eligible,
        int effectiveMinIsr,
        int controllerEpoch) {
    /** The value of {@link #leader} while the partition has none. */
    public static final int NO_LEADER = -1;

    public PartitionState {
        replicas = List.copyOf(replicas);
        isr = List.copyOf(isr);
        eligible = List.copyOf(eligible);
    }

    public boolean hasLeader() {
        return leader != NO_LEADER;
    }

    public boolean isReplica(int brokerId) {
        return replicas.contains(brokerId);
    }

    /** Whether the ISR names the broker, valid or void. */
    public boolean inIsr(int brokerId) {
        return isr.stream().anyMatch(member -> member.brokerId() == brokerId);
    }

    /** Broker ids of the ISR, in its order. */
    public List<Integer> isrIds() {
        return isr.stream().map(Member::brokerId).toList();
    }
}
