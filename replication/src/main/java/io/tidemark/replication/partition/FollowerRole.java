package io.tidemark.replication.partition;

import io.tidemark.model.PartitionState;

/**
 * What a follower decides: whose answers count, and how far its high watermark may go. Pure.
 *
 * @param leaderEpoch answers of another one are fenced
 * @param leader broker to copy from
 */
record FollowerRole(int leaderEpoch, int leader) {
    static FollowerRole of(PartitionState state) {
        return new FollowerRole(state.leaderEpoch(), state.leader());
    }

    /** min(leader's, own log end), and never less than it was (I17). */
    static long highWatermark(long own, long leaders, long logEnd) {
        return Math.max(own, Math.min(leaders, logEnd));
    }
}
