package io.tidemark.core.log.cleaner;

import io.tidemark.core.config.CompactionConfig;
import io.tidemark.model.TopicPartition;
import java.util.List;
import java.util.OptionalLong;

/**
 * What the planner knows of a log.
 *
 * @param segments in order; the last one is active
 * @param startOffset first offset that may be read; it may lie inside any segment (S66)
 * @param endOffset where the log ends
 * @param committedBound never passed
 * @param checkpoint up to where the log was cleaned; empty if never
 * @param earliestHorizonMs when the first tombstone that was kept may go; empty if there is none, or none is known of
 */
record LogFigures(
        TopicPartition partition,
        List<SegmentFigures> segments,
        long startOffset,
        long endOffset,
        long committedBound,
        OptionalLong checkpoint,
        OptionalLong earliestHorizonMs,
        CompactionConfig config) {
    LogFigures {
        segments = List.copyOf(segments);
        if (segments.isEmpty()) {
            throw new IllegalArgumentException("a log has a segment: " + partition);
        }
    }
}
