package io.tidemark.coordination.cluster;

import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import java.util.List;

/**
 * The in-sync set that a leader asks for.
 *
 * @param partitionEpoch on which it is based
 * @param members wanted, with the broker epochs that the leader saw in their fetches
 */
public record IsrProposal(
        TopicId topicId, TopicPartition partition, int leaderEpoch, int partitionEpoch, List<ProposedMember> members) {
    public IsrProposal {
        members = List.copyOf(members);
    }

    /** A broker under the broker epoch that the leader saw it fetch with. */
    public record ProposedMember(int brokerId, long brokerEpoch) {}
}
