package io.tidemark.replication.fetch;

import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;

/**
 * One partition's part of a follower's fetch (DESIGN section 5).
 *
 * @param currentLeaderEpoch of the follower's role
 * @param fetchOffset its log end offset: it proves that the follower has everything below
 * @param lastFetchedEpoch epoch of its last batch, or -1 when its log is empty
 */
public record FetchEntry(
        TopicId topicId,
        TopicPartition partition,
        int currentLeaderEpoch,
        long fetchOffset,
        int lastFetchedEpoch,
        long followerLogStart,
        int maxBytes) {}
