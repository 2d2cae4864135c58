package io.tidemark.core.log;

import io.tidemark.core.log.segment.Examination;

/**
 * Where the scrubbing of one log goes on.
 *
 * @param segmentBase the segment; if it is gone, the next behind it, from its front
 * @param position in the segment, where a batch starts
 * @param lastBefore last offset of the batch in front of it, or {@link Examination#UNKNOWN}
 */
public record ScrubPoint(long segmentBase, int position, long lastBefore) {
    /** The front of a log. */
    public static final ScrubPoint FRONT = frontOf(Long.MIN_VALUE);

    static ScrubPoint frontOf(long segmentBase) {
        return new ScrubPoint(segmentBase, 0, Examination.UNKNOWN);
    }
}
