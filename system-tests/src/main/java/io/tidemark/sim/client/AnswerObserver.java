package io.tidemark.sim.client;

import io.tidemark.model.TopicPartition;

/** Hears what brokers promise to clients, at the moment in which they do, whether it reaches anybody or not. */
@FunctionalInterface
public interface AnswerObserver {
    /** Hears nothing. */
    AnswerObserver NONE = (brokerId, partition, offset, value) -> {};

    /** A broker says for acks=all that it has a record; also when it had it from an earlier attempt. */
    void acknowledging(int brokerId, TopicPartition partition, long offset, String value);
}
