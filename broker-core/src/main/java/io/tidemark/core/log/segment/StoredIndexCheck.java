package io.tidemark.core.log.segment;

import java.io.IOException;

/** Looks whether the indexes of a segment that was opened match its batches (S8): by their last entries, with a read or two. */
final class StoredIndexCheck {
    private final Segment segment;
    private final SegmentIndexes indexes;

    StoredIndexCheck(Segment segment, SegmentIndexes indexes) {
        this.segment = segment;
        this.indexes = indexes;
    }

    /** @param last entry of the offset index */
    boolean isPassed(OffsetIndex.Hint last) throws IOException {
        return isRight(last) && isLargestRight(last);
    }

    /** Whether the batch that an index entry promises is there. */
    private boolean isRight(OffsetIndex.Hint entry) throws IOException {
        if (entry.lastOffset() == OffsetIndex.Hint.NO_ENTRY) {
            return true;
        }
        Boolean isThere = segment.scan(
                entry.position(),
                Segment.CHECK_WINDOW_BYTES,
                scan -> scan.next() && scan.lastOffset() == entry.lastOffset());
        return Boolean.TRUE.equals(isThere);
    }

    /**
     * Whether the batch with the largest timestamp is where the time index says; without an entry, that the first batch has
     * none. Whoever deletes by age relies on it.
     */
    private boolean isLargestRight(OffsetIndex.Hint lastEntry) throws IOException {
        TimeIndex.Entry largest = indexes.largest();
        if (largest.isNone()) {
            return segment.sizeBytes() == 0 || isUndated();
        }
        // Usually the last batches are the latest, and nothing has to be looked up.
        boolean isBehind = largest.lastOffset() >= lastEntry.lastOffset();
        int from = isBehind ? lastEntry.position() : segment.scanStart(largest.lastOffset());
        Boolean isThere = segment.scan(from, Segment.CHECK_WINDOW_BYTES, scan -> {
            while (scan.next()) {
                if (scan.lastOffset() >= largest.lastOffset()) {
                    return largest.describes(scan.header());
                }
            }
            return false;
        });
        return Boolean.TRUE.equals(isThere);
    }

    private boolean isUndated() throws IOException {
        Boolean isUndated = segment.scan(
                0,
                Segment.CHECK_WINDOW_BYTES,
                scan -> scan.next() && scan.header().maxTimestampMs() < 0);
        return Boolean.TRUE.equals(isUndated);
    }
}
