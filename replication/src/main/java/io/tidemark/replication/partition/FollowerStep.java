package io.tidemark.replication.partition;

import io.tidemark.core.log.LogEnd;
import io.tidemark.model.ErrorCode;

/** What became of an append or a truncation as a follower. */
public sealed interface FollowerStep {
    /**
     * Done.
     *
     * @param end of the log; the next fetch asks for its offset with its last epoch
     * @param highWatermark of this replica now
     */
    record Done(LogEnd end, long logStartOffset, long highWatermark) implements FollowerStep {}

    /** The replica is no longer a follower in that epoch: forget the answer. */
    record Fenced() implements FollowerStep {}

    /** The bytes were refused; back off and fetch again from the same place. */
    record Refused(ErrorCode error, String message) implements FollowerStep {}
}
