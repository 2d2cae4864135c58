package io.tidemark.replication.partition;

import io.tidemark.core.log.LeaderEpochs.EpochEnd;
import io.tidemark.model.ErrorCode;
import java.nio.ByteBuffer;

/** What a leader answers to a follower about one partition, after {@link Partition#countFollowerFetch}. */
public sealed interface FollowerRead {
    /**
     * @param batches whole batches up to the log's end, possibly none; a copy
     * @param highWatermark of the leader when this was read
     * @param logStartOffset of the leader
     * @param fetchPosition of the fetch offset: the follower waits for log end position - this (S32)
     */
    record Data(ByteBuffer batches, long highWatermark, long logStartOffset, long fetchPosition)
            implements FollowerRead {}

    /** The follower's history is not the leader's: it cuts and asks again. */
    record Diverging(EpochEnd end) implements FollowerRead {}

    /** Includes FENCED_LEADER_EPOCH, UNKNOWN_LEADER_EPOCH, NOT_LEADER_OR_FOLLOWER, OFFSET_OUT_OF_RANGE, INCONSISTENT_TOPIC_ID. */
    record Refused(ErrorCode error, long logStartOffset) implements FollowerRead {}
}
