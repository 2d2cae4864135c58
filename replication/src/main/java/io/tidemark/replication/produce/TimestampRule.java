package io.tidemark.replication.produce;

import io.tidemark.core.config.MessageConfig;
import io.tidemark.core.config.MessageConfig.TimestampType;
import io.tidemark.record.DecodeLimits;
import io.tidemark.record.ProducedLimits;
import io.tidemark.record.RecordBatch;
import io.tidemark.record.RecordBatches;
import java.nio.ByteBuffer;

/**
 * What a topic does with the timestamps that producers write (KAFKA-14991): with {@code CreateTime} it refuses those of the far
 * future, with {@code LogAppendTime} it puts its own in their place. Pure.
 */
final class TimestampRule {
    private final MessageConfig messages;
    private final long nowMs;

    /** @param nowMs the leader's wall clock */
    TimestampRule(MessageConfig messages, long nowMs) {
        this.messages = messages;
        this.nowMs = nowMs;
    }

    /** What is taken of a producer. */
    ProducedLimits limits(ProducedLimits.Keys keys) {
        return new ProducedLimits(messages.maxBytes(), messages.latestTimestampMs(nowMs), keys, DecodeLimits.DEFAULT);
    }

    /** Writes the leader's time into valid batches of a topic that goes by it. */
    void stamp(ByteBuffer batches) {
        if (messages.timestampType() != TimestampType.LOG_APPEND_TIME) {
            return;
        }
        for (RecordBatch batch : RecordBatches.of(batches)) {
            batch.stampAppendTime(nowMs);
        }
    }
}
