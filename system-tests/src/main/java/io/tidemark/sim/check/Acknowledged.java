package io.tidemark.sim.check;

import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * A broker answered acks=all with success for one record.
 *
 * @param confirmed the state that the broker had adopted when it answered; null if it had none
 */
record Acknowledged(
        int brokerId,
        TopicPartition partition,
        long offset,
        String value,
        @Nullable PartitionState confirmed) {}
