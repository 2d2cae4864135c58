package io.tidemark.client.consumer;

import io.tidemark.model.TopicPartition;
import java.util.List;

/**
 * Committed records of one partition, in order of their offsets.
 *
 * @param records none where only offsets without records were passed
 * @param nextOffset where to resume after them
 * @param highWatermark as known when they were fetched
 */
public record RecordSlice(
        TopicPartition partition, List<ConsumerRecord> records, long nextOffset, long highWatermark) {}
