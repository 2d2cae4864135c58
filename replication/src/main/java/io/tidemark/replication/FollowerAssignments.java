package io.tidemark.replication;

import io.tidemark.model.Endpoint;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.partition.Partition;

/**
 * Who copies what from whom: told by {@link ReplicaManager} after a role changed, with no lock held. Returns at once;
 * thread-safe.
 */
public interface FollowerAssignments {
    /**
     * Copies the partition from that leader from now on, in place of what it was copied from before. Said again when the
     * leader's broker registers again: it is up, so no back-off is due.
     */
    void follow(Partition partition, int leaderId, Endpoint leaderPeer);

    /** Stops copying. Nothing happens if it is not copied. */
    void unfollow(TopicPartition partition);
}
