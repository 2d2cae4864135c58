package io.tidemark.replication.partition;

import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import java.util.List;

/**
 * The in-sync set that a leader asks the controller for (DESIGN section 5). One per partition is under way; it is sent
 * again unchanged until a state with a greater partition epoch releases it.
 *
 * @param topicId of the topic
 * @param partition which
 * @param leaderEpoch of the proposing leader
 * @param partitionEpoch on which it is based
 * @param members wanted, with the broker epochs seen in their fetches; the leader itself is one of them
 */
public record IsrProposal(
        TopicId topicId, TopicPartition partition, int leaderEpoch, int partitionEpoch, List<ProposedMember> members) {
    public IsrProposal {
        members = List.copyOf(members);
    }

    /**
     * A broker in one life.
     *
     * @param brokerEpoch under which the leader saw it fetch in this leader epoch; -1 for a member that stays and has not
     *     fetched yet
     */
    public record ProposedMember(int brokerId, long brokerEpoch) {}
}
