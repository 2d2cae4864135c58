package io.tidemark.core.log;

import io.tidemark.model.TopicPartition;

/** Where the recovery points of logs are recorded. Called without any log's lock. */
@FunctionalInterface
interface RecoveryPoints {
    /**
     * Makes sure that neither the recorded recovery point nor the recorded start of the log is above {@code offset}, durably,
     * before this returns: what lies behind it is about to be replaced by bytes that nobody has forced.
     */
    void lowerTo(TopicPartition partition, long offset);
}
