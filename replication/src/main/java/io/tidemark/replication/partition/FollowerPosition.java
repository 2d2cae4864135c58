package io.tidemark.replication.partition;

import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;

/**
 * Where a follower stands: all that its fetch entry says.
 *
 * @param leaderEpoch of the role; answers for another one are fenced
 * @param leader broker to fetch from
 * @param fetchOffset its own log end offset
 * @param lastFetchedEpoch epoch of its last batch, or -1 when its log is empty
 */
public record FollowerPosition(
        TopicId topicId,
        TopicPartition partition,
        int leaderEpoch,
        int leader,
        long fetchOffset,
        int lastFetchedEpoch,
        long logStartOffset) {}
