package io.tidemark.replication.partition;

/**
 * What a state from the controller did to a replica.
 *
 * @param change kind of the change
 * @param advance what moved; waiters of an ended role are told by the caller
 */
public record Became(Change change, Advance advance) {
    /** Kinds of change. */
    public enum Change {
        /** Leads now, in a new leader epoch. */
        LEADER,
        /** Follows now, in a new leader epoch (or for the first time). */
        FOLLOWER,
        /** Same leader epoch, greater partition epoch: in-sync set, eligible set or min ISR were adopted (I9). */
        UPDATED,
        /** No leader is known, or this broker is no replica: stopped. */
        STOPPED,
        /** Not newer than what the replica has: nothing happened. */
        STALE
    }

    /** Whether a role ended, so that its waiters must be told. */
    public boolean roleEnded() {
        return change == Change.LEADER || change == Change.FOLLOWER || change == Change.STOPPED;
    }
}
