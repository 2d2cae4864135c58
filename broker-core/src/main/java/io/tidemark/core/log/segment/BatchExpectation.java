package io.tidemark.core.log.segment;

/** What a log knows about the batches of its files, from one published view. Immutable. */
public interface BatchExpectation {
    /** Instead of an epoch: the history does not tell. */
    int UNKNOWN_EPOCH = -1;

    /** The leader epoch of the batch that ends at {@code lastOffset}, or {@link #UNKNOWN_EPOCH}. */
    int epochAt(long lastOffset);

    /** Whether a missing offset calls for a closer look: so far nothing says that the log was ever compacted. */
    boolean isGapless();
}
