package io.tidemark.core.config;

/** Where a replica cuts its log when it becomes a follower ({@code replica.truncation}, DESIGN section 5). */
public enum TruncationMode {
    /** Where its history and the leader's part. Loses nothing that was acknowledged. */
    LEADER_EPOCH,
    /** At its checkpointed high watermark. Loses acknowledged records (I1); there to show that it does. */
    HIGH_WATERMARK
}
