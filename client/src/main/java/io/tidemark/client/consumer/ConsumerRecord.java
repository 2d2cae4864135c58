package io.tidemark.client.consumer;

import io.tidemark.model.TopicPartition;
import io.tidemark.record.LogRecord;

/**
 * A committed record.
 *
 * @param leaderEpoch of the batch that it came in
 */
public record ConsumerRecord(TopicPartition partition, LogRecord record, int leaderEpoch) {
    public long offset() {
        return record.offset();
    }
}
