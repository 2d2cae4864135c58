package io.tidemark.replication.partition;

import io.tidemark.model.PartitionState;

/**
 * What waiters compare their numbers with: published as one volatile reference after each step, read without a lock.
 *
 * @param role of this replica now
 * @param leaderEpoch of the role; -1 without one
 * @param leader broker id of the leader, or {@link PartitionState#NO_LEADER}
 * @param highWatermark first offset that consumers may not read
 * @param highWatermarkPosition its position (DESIGN section 4), which follows it always (S29); -1 unless this is the leader
 * @param gateOpen whether |members confirmed and not proposed for removal| is at least the effective min ISR; false unless
 *     this is the leader
 * @param truncations of the log when this was published
 */
public record PartitionView(
        Role role,
        int leaderEpoch,
        int leader,
        long highWatermark,
        long highWatermarkPosition,
        boolean gateOpen,
        long truncations) {
    /** What a replica does. */
    public enum Role {
        LEADER,
        FOLLOWER,
        /** Stopped, or not told what to do yet. */
        NONE
    }

    /** Whether this is the leader in {@code epoch}. */
    public boolean leadsIn(int epoch) {
        return role == Role.LEADER && leaderEpoch == epoch;
    }
}
