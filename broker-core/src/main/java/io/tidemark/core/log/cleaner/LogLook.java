package io.tidemark.core.log.cleaner;

import io.tidemark.core.config.CompactionConfig;
import io.tidemark.core.log.cleaner.CleanableLog.Snapshot;
import io.tidemark.core.log.segment.Segment;
import io.tidemark.model.TopicPartition;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Makes figures for the planner of a log as it is, and goes back from its answers to segments. */
final class LogLook {
    private static final long NOT_ASKED = -1;

    private LogLook() {}

    /** The figures; timestamps are looked up only where the settings make them matter. */
    static LogFigures figures(
            TopicPartition partition, Snapshot snapshot, OptionalLong checkpoint, OptionalLong earliestHorizonMs)
            throws IOException {
        return new LogFigures(
                partition,
                figures(snapshot),
                snapshot.startOffset(),
                snapshot.endOffset(),
                snapshot.committedBound(),
                checkpoint,
                earliestHorizonMs,
                snapshot.config().compaction());
    }

    /** The segments in a range of offsets, as {@link CleanerPlanner#segments}. */
    static List<Segment> segments(Snapshot snapshot, long from, long to) {
        List<SegmentFigures> bare = new ArrayList<>();
        for (Segment segment : snapshot.segments()) {
            bare.add(new SegmentFigures(segment.base(), segment.sizeBytes(), NOT_ASKED, NOT_ASKED));
        }
        List<SegmentFigures> chosen = CleanerPlanner.segments(bare, from, to);
        if (chosen.isEmpty()) {
            return List.of();
        }
        int first = bare.indexOf(chosen.get(0));
        return snapshot.segments().subList(first, first + chosen.size());
    }

    private static List<SegmentFigures> figures(Snapshot snapshot) throws IOException {
        CompactionConfig config = snapshot.config().compaction();
        boolean agesMatter = config.maxLag().compareTo(CompactionConfig.FOREVER) < 0;
        boolean youthMatters = config.minLag().compareTo(Duration.ZERO) > 0;
        List<SegmentFigures> figures = new ArrayList<>();
        int last = snapshot.segments().size() - 1;
        for (int i = 0; i <= last; i++) {
            Segment segment = snapshot.segments().get(i);
            long first = agesMatter && i < last ? segment.firstTimestampMs() : NOT_ASKED;
            long largest = youthMatters && i < last ? segment.largestTimestampMs() : NOT_ASKED;
            figures.add(new SegmentFigures(segment.base(), segment.sizeBytes(), first, largest));
        }
        return figures;
    }
}
