package io.tidemark.client.producer;

import io.tidemark.model.TopicPartition;

/**
 * Where a record was written.
 *
 * @param offset of the record; -1 with acks=0, where nobody knows
 */
public record RecordMetadata(TopicPartition partition, long offset) {}
