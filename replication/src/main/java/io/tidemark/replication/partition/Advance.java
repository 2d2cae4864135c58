package io.tidemark.replication.partition;

import org.jspecify.annotations.Nullable;

/**
 * What a step of a partition moved, for the caller to act on once the partition's lock is gone.
 *
 * @param committed whether the high watermark, or the min-ISR gate, moved: consumers' fetches and produces may be done
 * @param highWatermark after the step
 * @param proposal to send to the controller, if the step made one
 */
public record Advance(
        boolean committed, long highWatermark, @Nullable IsrProposal proposal) {
    /** Nothing moved. */
    public static Advance none(long highWatermark) {
        return new Advance(false, highWatermark, null);
    }

    /** Whether there is anything to act on. */
    public boolean moved() {
        return committed || proposal != null;
    }
}
