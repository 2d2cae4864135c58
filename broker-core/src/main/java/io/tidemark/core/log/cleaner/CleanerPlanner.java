package io.tidemark.core.log.cleaner;

import io.tidemark.core.config.CompactionConfig;
import io.tidemark.core.log.cleaner.CleaningPlan.Reason;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;

/**
 * Decides which log is cleaned next, and which part of it. Pure.
 *
 * <p>The part to clean runs from the first dirty offset to the first uncleanable one:
 *
 * <ul>
 *   <li>first dirty: the checkpoint; where that is below the start of the log or above its end it says nothing, then the start,
 *       and the checkpoint has to be set right at once (S68, KAFKA-9826). A checkpoint that is missing needs no setting;
 *   <li>first uncleanable: the base of the first segment of which anything must be left alone (S69): the active one, the one that
 *       holds the committed bound, the first dirty one with a record younger than {@code min.compaction.lag.ms}.
 * </ul>
 *
 * <p>Either may lie anywhere, the second below the first too (S66): then nothing is cleanable, and a log of which nothing is
 * cleanable is never chosen for being dirty (S71).
 */
final class CleanerPlanner {
    private static final Comparator<CleaningPlan> DIRTIEST_FIRST =
            Comparator.comparingDouble(CleaningPlan::dirtyRatio).reversed().thenComparing(CleaningPlan::partition);

    private CleanerPlanner() {}

    /** What there is to clean at {@code nowMs} by the wall clock. */
    static CleaningPlan plan(LogFigures log, long nowMs) {
        OptionalLong forced = forcedCheckpoint(log);
        long firstDirty =
                forced.isPresent() ? forced.getAsLong() : log.checkpoint().orElse(log.startOffset());
        long firstUncleanable = firstUncleanable(log, firstDirty, nowMs);
        long cleanEnd = Math.min(firstDirty, firstUncleanable);
        List<SegmentFigures> dirty = segments(log.segments(), cleanEnd, firstUncleanable);
        long cleanableBytes = sizeBytes(dirty);
        long cleanBytes = cleanBytes(
                log.segments(), dirty.isEmpty() ? cleanEnd : dirty.get(0).base());
        double ratio = cleanableBytes == 0 ? 0 : (double) cleanableBytes / (cleanBytes + cleanableBytes);
        Reason reason = Reason.NONE;
        if (cleanableBytes > 0 && ratio >= log.config().minDirtyRatio()) {
            reason = Reason.DIRTY_RATIO;
        } else if (cleanableBytes > 0 && isOverdue(dirty, log.config(), nowMs)) {
            reason = Reason.MAX_LAG;
        } else if (hasSpentTombstones(log, cleanEnd, nowMs)) {
            reason = Reason.TOMBSTONES;
        }
        return new CleaningPlan(
                log.partition(), firstDirty, firstUncleanable, cleanBytes, cleanableBytes, ratio, forced, reason);
    }

    private static boolean hasSpentTombstones(LogFigures log, long cleanEnd, long nowMs) {
        return cleanEnd > log.segments().get(0).base()
                && log.earliestHorizonMs().isPresent()
                && log.earliestHorizonMs().getAsLong() <= nowMs;
    }

    /** The logs that are worth a pass, the dirtiest first. */
    static List<CleaningPlan> candidates(List<CleaningPlan> plans) {
        return plans.stream()
                .filter(CleaningPlan::isCandidate)
                .sorted(DIRTIEST_FIRST)
                .toList();
    }

    /**
     * Those of {@code segments} from the one that holds {@code from} up to the one that holds {@code to - 1}; none if the two are
     * equal, wherever they lie (S67).
     *
     * @throws IllegalArgumentException if {@code to} is below {@code from}
     */
    static List<SegmentFigures> segments(List<SegmentFigures> segments, long from, long to) {
        if (to < from) {
            throw new IllegalArgumentException("no range: from " + from + " to " + to);
        }
        List<SegmentFigures> found = new ArrayList<>();
        if (from == to) {
            return found;
        }
        for (int i = 0; i < segments.size(); i++) {
            boolean endsBefore = i + 1 < segments.size() && segments.get(i + 1).base() <= from;
            if (!endsBefore && segments.get(i).base() < to) {
                found.add(segments.get(i));
            }
        }
        return found;
    }

    private static OptionalLong forcedCheckpoint(LogFigures log) {
        if (log.checkpoint().isEmpty()) {
            return OptionalLong.empty();
        }
        long recorded = log.checkpoint().getAsLong();
        boolean isRight = recorded >= log.startOffset() && recorded <= log.endOffset();
        return isRight ? OptionalLong.empty() : OptionalLong.of(log.startOffset());
    }

    private static long firstUncleanable(LogFigures log, long firstDirty, long nowMs) {
        List<SegmentFigures> segments = log.segments();
        int last = segments.size() - 1;
        for (int i = 0; i < last; i++) {
            long endOffset = segments.get(i + 1).base();
            boolean isDirty = endOffset > firstDirty;
            if (endOffset > log.committedBound() || (isDirty && isTooYoung(segments.get(i), log.config(), nowMs))) {
                return segments.get(i).base();
            }
        }
        return segments.get(last).base();
    }

    private static boolean isTooYoung(SegmentFigures segment, CompactionConfig config, long nowMs) {
        long minLagMs = config.minLag().toMillis();
        return minLagMs > 0 && segment.largestTimestampMs() > nowMs - minLagMs;
    }

    private static boolean isOverdue(List<SegmentFigures> dirty, CompactionConfig config, long nowMs) {
        long maxLagMs = config.maxLag().toMillis();
        for (SegmentFigures segment : dirty) {
            if (segment.firstTimestampMs() >= 0 && segment.firstTimestampMs() < nowMs - maxLagMs) {
                return true;
            }
        }
        return false;
    }

    private static long cleanBytes(List<SegmentFigures> all, long endBase) {
        return sizeBytes(
                all.stream().filter(segment -> segment.base() < endBase).toList());
    }

    private static long sizeBytes(List<SegmentFigures> segments) {
        return segments.stream().mapToLong(SegmentFigures::sizeBytes).sum();
    }
}
