package io.tidemark.core.log;

import io.tidemark.model.TopicPartition;

/** Where the recovery points of logs are recorded. Called without any log's lock. */
@FunctionalInterface
interface RecoveryPoints {
    /**
     * Makes sure that the recorded recovery point of the log is not above {@code offset}, durably, before this returns: what
     * lies behind it is about to be replaced by bytes that nobody has forced.
     */
    void lowerTo(TopicPartition partition, long offset);

    /** The log is about to be cut at {@code offset}: {@link #lowerTo}, and whatever else is recorded of what goes. */
    default void beforeTruncation(TopicPartition partition, long offset) {
        lowerTo(partition, offset);
    }
}
