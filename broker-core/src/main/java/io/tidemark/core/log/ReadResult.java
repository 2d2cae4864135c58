package io.tidemark.core.log;

import java.nio.ByteBuffer;

/** What a read found. */
public sealed interface ReadResult {
    /**
     * @param batches whole batches, possibly none; a copy that the caller owns
     * @param position where the fetch offset lies ({@link Log#positionOf})
     * @param startOffset of the log
     * @param end the snapshot that bounded the read
     */
    record Data(ByteBuffer batches, long position, long startOffset, LogEnd end) implements ReadResult {}

    /** The offset is below {@code startOffset} or above {@code endOffset}. */
    record OutOfRange(long startOffset, long endOffset) implements ReadResult {}

    /**
     * The log is damaged at the offset, or right behind the gap that it lies in. What lies in front of the damage, and behind
     * it, reads as usual.
     */
    record Corrupt(LogDamage damage) implements ReadResult {}
}
