package io.tidemark.replication.partition;

import io.tidemark.core.log.LeaderEpochs.EpochEnd;
import io.tidemark.model.ErrorCode;
import java.nio.ByteBuffer;

/** What a leader answers to a consumer about one partition: below the high watermark only (I15). */
public sealed interface ConsumerRead {
    /**
     * @param fetchPosition the consumer waits for high watermark position - this (S31)
     * @param leaderEpoch in which the waiter must stay
     */
    record Data(ByteBuffer batches, long highWatermark, long logStartOffset, long fetchPosition, int leaderEpoch)
            implements ConsumerRead {}

    /** The log was truncated below what the consumer has read. */
    record Diverging(EpochEnd end) implements ConsumerRead {}

    /** @param leader broker id of the leader if this replica knows another one, else -1 */
    record Refused(ErrorCode error, String message, int leader, int leaderEpoch, long logStartOffset)
            implements ConsumerRead {}
}
