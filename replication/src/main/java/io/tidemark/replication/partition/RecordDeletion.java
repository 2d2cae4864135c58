package io.tidemark.replication.partition;

import io.tidemark.model.ErrorCode;

/** What became of a request to delete records, at the leader alone. */
public sealed interface RecordDeletion {
    /** Asks for everything below the high watermark. */
    long TO_HIGH_WATERMARK = -1;

    /**
     * The log starts at {@code beforeOffset} or above, in memory: whoever answers it records that durably first.
     *
     * @param leaderEpoch of the leader that did it
     */
    record Deleted(long beforeOffset, int leaderEpoch) implements RecordDeletion {}

    /**
     * Nothing changed. NOT_LEADER_OR_FOLLOWER; OFFSET_OUT_OF_RANGE for what is above the high watermark or no offset;
     * OFFSET_NOT_AVAILABLE when the high watermark is asked for and not known yet (I16).
     *
     * @param logStartOffset of this replica
     * @param highWatermark the largest offset that may be named, or -1 unless this leads
     * @param leader broker id of the leader if this replica knows another one, else -1
     */
    record Refused(
            ErrorCode error, String message, long logStartOffset, long highWatermark, int leader, int leaderEpoch)
            implements RecordDeletion {}
}
