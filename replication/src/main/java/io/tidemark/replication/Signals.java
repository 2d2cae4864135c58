package io.tidemark.replication;

import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.partition.Advance;

/**
 * Carries out what a partition's step asks for. Called after every lock is gone, from any thread.
 */
public interface Signals {
    /** The log grew: followers' fetches may be done. */
    void appended(TopicPartition partition);

    /** Wakes consumers' fetches and produces if something was committed; sends the proposal if there is one. */
    void advanced(TopicPartition partition, Advance advance);

    /**
     * A follower's fetch was counted, so where its log starts may be news, or there are other replicas than before: deletions
     * of records look again.
     */
    void followersMoved(TopicPartition partition);

    /** The log start rose: consumers' fetches that wait for an offset below it are answered now (S36). */
    void startMoved(TopicPartition partition);

    /** A role ended, the log was truncated, or the replica stopped: everyone who waits is answered with {@code error} now (S38). */
    void ended(TopicPartition partition, ErrorCode error);
}
