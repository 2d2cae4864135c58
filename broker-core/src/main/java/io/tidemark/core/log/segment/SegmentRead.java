package io.tidemark.core.log.segment;

import java.nio.ByteBuffer;

/**
 * What a read of one segment found.
 *
 * @param batches whole batches, possibly none
 * @param position where the first batch starts whose last offset is at or above the target, or {@link #NOT_HERE}
 */
public record SegmentRead(ByteBuffer batches, int position) {
    /** The segment has no such batch. */
    public static final int NOT_HERE = -1;

    private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);
    private static final SegmentRead NONE = new SegmentRead(EMPTY, NOT_HERE);

    /** No batches. */
    public static ByteBuffer empty() {
        return EMPTY.duplicate();
    }

    static SegmentRead none() {
        return NONE;
    }

    static SegmentRead nothingAt(int position) {
        return new SegmentRead(empty(), position);
    }

    public boolean isHere() {
        return position != NOT_HERE;
    }
}
