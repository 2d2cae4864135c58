package io.tidemark.replication.partition;

import io.tidemark.core.log.LogEnd;
import io.tidemark.model.ErrorCode;

/** What became of a produce to one partition. */
public sealed interface LeaderAppend {
    /**
     * In the leader's log, now or (a duplicate of an idempotent producer) before.
     *
     * @param firstOffset of the first record
     * @param lastOffset acknowledged to acks=all once the high watermark is above it and the gate is open
     * @param leaderEpoch in which the waiter must stay
     * @param end of the log
     * @param logStartOffset of the log
     * @param advance what else moved
     */
    record Appended(
            long firstOffset, long lastOffset, int leaderEpoch, LogEnd end, long logStartOffset, Advance advance)
            implements LeaderAppend {}

    /**
     * Certainly not written.
     *
     * @param leader broker id of the leader if this replica knows another one, else -1
     * @param leaderEpoch of that leader, or -1
     */
    record Refused(ErrorCode error, String message, int leader, int leaderEpoch) implements LeaderAppend {}
}
