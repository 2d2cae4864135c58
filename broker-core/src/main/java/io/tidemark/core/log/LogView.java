package io.tidemark.core.log;

import io.tidemark.core.log.segment.Segment;
import io.tidemark.core.log.segment.Segments;

/**
 * What is published of a log, in one object: nobody sees a new end with old segments, or an epoch's end that belongs to
 * another history (KAFKA-2477).
 *
 * @param segments in order, the last one active
 * @param end bounds every read
 * @param startOffset first offset that may be read
 * @param epochs history up to {@code end}
 */
record LogView(Segments segments, LogEnd end, long startOffset, LeaderEpochHistory epochs) {
    /** Bytes of {@code segment} that may be read. */
    int publishedBytes(Segment segment) {
        return segment == segments.active() ? (int) (end.position() - segment.startPosition()) : segment.sizeBytes();
    }

    /** All offsets in the segment are below this. */
    long upperOffset(Segment segment) {
        Segment next = segments.after(segment.base());
        return next == null ? end.offset() : next.base();
    }

    /** Roughly how many bytes lie between {@code offset} and the end: as if those of a segment were spread evenly over it. */
    long bytesBehindEnd(long offset) {
        if (offset >= end.offset()) {
            return 0;
        }
        Segment segment = segments.startFor(offset);
        double span = Math.max(1, upperOffset(segment) - segment.base());
        double passed = Math.max(0, Math.min(1, (offset - segment.base()) / span));
        return end.position() - segment.startPosition() - (long) (passed * publishedBytes(segment));
    }

    /** Whether there is no record to read. */
    boolean isEmpty() {
        return startOffset == end.offset();
    }

    LogView withEpochs(LeaderEpochHistory changed) {
        return new LogView(segments, end, startOffset, changed);
    }
}
