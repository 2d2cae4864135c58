package io.tidemark.replication.partition;

/** How a follower finds what to cut from its log ({@code replica.truncation}, DESIGN section 5). */
public enum TruncationMode {
    /** By comparing leader epochs with the leader (I3). */
    LEADER_EPOCH,
    /** The seeds' rule: on becoming follower, back to the last checkpointed high watermark. Loses committed records (I1). */
    HIGH_WATERMARK
}
