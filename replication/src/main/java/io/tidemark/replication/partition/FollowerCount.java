package io.tidemark.replication.partition;

import io.tidemark.core.log.LeaderEpochs.EpochEnd;
import io.tidemark.model.ErrorCode;

/** What a follower's fetch entry proved to the leader, before anything is read for it. */
public sealed interface FollowerCount {
    /** The follower has everything below its fetch offset; {@code advance} is what that moved. Read for it next. */
    record Counted(Advance advance) implements FollowerCount {}

    /** The follower's history is not the leader's: it cuts and asks again. Nothing was counted. */
    record Diverging(EpochEnd end) implements FollowerCount {}

    /**
     * Nothing was counted (I6): FENCED_LEADER_EPOCH, UNKNOWN_LEADER_EPOCH (also for a broker that this leader does not
     * know as a replica yet), NOT_LEADER_OR_FOLLOWER, STALE_BROKER_EPOCH, INCONSISTENT_TOPIC_ID, OFFSET_OUT_OF_RANGE.
     *
     * @param logStartOffset of the leader
     */
    record Refused(ErrorCode error, long logStartOffset) implements FollowerCount {}
}
