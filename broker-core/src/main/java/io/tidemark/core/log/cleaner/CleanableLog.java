package io.tidemark.core.log.cleaner;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.log.segment.Segment;
import io.tidemark.core.log.segment.SegmentSpace;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What the cleaner sees of a log and may do to it. Thread-safe. A log that was closed or deleted answers so; an I/O error fences
 * it and is a {@link KafkaStorageException}.
 */
public interface CleanableLog {
    TopicPartition partition();

    /** Tells a log from another one of the same name. */
    TopicId topicId();

    /** Its present settings. */
    LogConfig config();

    /** Where its files are. */
    SegmentSpace space();

    /** Whether it was closed or deleted: then errors of its files mean nothing. */
    boolean isClosed();

    /** How often it was truncated; a truncation counts itself before it touches a file. */
    long truncations();

    /** The log as it is now, without a lock; empty if it is closed. */
    Optional<Snapshot> snapshot();

    /**
     * The log as a pass begins with it: everything in front of its active segment is durable then, so that what takes its place is
     * never worth less. Waits for the disk. Empty if the log is closed.
     */
    Optional<Source> begin();

    /**
     * Puts one segment in the place of several, in one step for readers and for a crash; who reads the old ones finishes. Later
     * segments keep their start positions (S37).
     *
     * @return {@link Replaced#ABORTED}, and nothing changed, if the log was closed or truncated since the pass began, or one
     *     of the segments went
     */
    Replaced replace(Replacement replacement);

    /**
     * A log at one moment.
     *
     * @param segments in order; the last one is active
     * @param truncations so far
     */
    record Snapshot(
            List<Segment> segments,
            long startOffset,
            long endOffset,
            long committedBound,
            long truncations,
            LogConfig config) {
        /** Copies the list. */
        public Snapshot {
            segments = List.copyOf(segments);
        }
    }

    /**
     * What a pass begins with.
     *
     * @param lastOffsets of each live producer, the last offset of its last batch, and of its last batch in front of the active
     *     segment, behind which the tail of that may yet be lost
     */
    record Source(Snapshot snapshot, Set<Long> lastOffsets) {}

    /**
     * What takes whose place.
     *
     * @param basis the log as the pass began
     * @param segments neighbours, all sealed, all below the committed bound
     * @param endBase base of the segment behind them; the new one, durable, is in the files that {@link SegmentSwap} has for the two
     *     bases
     */
    record Replacement(Snapshot basis, List<Segment> segments, long endBase) {
        /** The first of the segments, whose name the new one gets. */
        public Segment first() {
            return segments.get(0);
        }
    }

    /** What became of a replacement. */
    enum Replaced {
        DONE,
        ABORTED
    }
}
