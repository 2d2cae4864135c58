package io.tidemark.replication.fetch;

import io.tidemark.core.purgatory.DelayedOperation;
import io.tidemark.core.purgatory.Purgatory;
import io.tidemark.model.TopicPartition;

/**
 * Where fetches wait.
 *
 * @param consumers consumers' fetches, by partition
 * @param followers followers' fetches, by session id
 * @param sessions the sessions themselves
 * @param throttle sessions of which a part waits for tokens
 */
public record FetchWaits(
        Purgatory<TopicPartition, DelayedOperation> consumers,
        Purgatory<Long, DelayedOperation> followers,
        FetchSessions sessions,
        SourceThrottle throttle) {}
