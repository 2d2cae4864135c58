package io.tidemark.replication.partition;

import io.tidemark.model.ErrorCode;

/** What a leader answers to "where does the partition start or end, or reach a time?". */
public sealed interface OffsetLookup {
    /** Which offset is wanted. */
    enum Which {
        /** The log start offset. */
        EARLIEST,
        /** The high watermark: what a consumer that starts at the end fetches first. */
        LATEST
    }

    /** @param leaderEpoch of the answering leader */
    record Found(long offset, int leaderEpoch) implements OffsetLookup {}

    /**
     * Includes OFFSET_NOT_AVAILABLE: the latest offset is not known until a new leader's high watermark has reached the
     * start of its epoch (I16). A search by time may also end with REQUEST_TIMED_OUT, CORRUPT_MESSAGE or THROTTLED.
     *
     * @param leader broker id of the leader if this replica knows another one, else -1
     */
    record Refused(ErrorCode error, int leader, int leaderEpoch) implements OffsetLookup {}
}
