package io.tidemark.core.log;

import io.tidemark.core.log.LogRetention.Candidate;
import io.tidemark.core.log.segment.Segment;
import io.tidemark.core.log.segment.Segments;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The front of a log: its start offset, and the segments that go when it rises.
 *
 * <p>Order of a retention: decide without the lock; roll the active segment if it goes too; raise the start offset, so that
 * nobody reads what is about to go; record the start, durably and without the lock; rename the segments below it (S43). A crash
 * at any point, power loss included, leaves a log that begins at the recorded start or, before that was written, at the
 * old one: a start drops the segments below the recorded one before it looks at any other, whichever of the renames
 * survived.
 *
 * <p>The lock is held for as long as it takes to rename what goes; no file is read under it (S49). Safe beside every other use
 * of the log: what a truncation changes meanwhile ends the pass, and the next one decides again (S48).
 */
final class LogHead {
    private final LogState state;
    private final Parts parts;

    /** What a change of the head involves. */
    record Parts(
            RecoveryPoints records,
            LogRoller roller,
            OpenSwap swap,
            DelayedDeletion deletion,
            EpochWriter epochWriter,
            LogForcer forcer) {}

    LogHead(LogState state, Parts parts) {
        this.state = state;
        this.parts = parts;
    }

    /** What may be recorded as the start offset; not above where a truncation is about to let the log start again. */
    long startToRecord() {
        return Math.min(state.lastView().startOffset(), parts.forcer.recordableOffset());
    }

    /** Of a log that is gone nothing is recorded: its name may be another one's by now. */
    private long startOfLiveLog() {
        return state.isClosed() ? 0 : startToRecord();
    }

    /** As {@link Log#advanceStartOffset}. */
    boolean advanceStartOffset(long offset) {
        state.lock();
        try {
            return advanceLocked(offset);
        } finally {
            state.unlock();
        }
    }

    private boolean advanceLocked(long offset) {
        LogView view = state.view();
        if (offset > Math.min(state.committedBound(), view.end().offset())) {
            return false;
        }
        if (offset > view.startOffset()) {
            LeaderEpochHistory shortened = view.epochs().truncatedFromStart(offset);
            state.publish(new LogView(view.segments(), view.end(), offset, shortened));
            parts.epochWriter.onChanged();
        }
        return true;
    }

    /** As {@link Log#recordStartOffset}. */
    long recordStartOffset() {
        return parts.records.recordStart(state.partition, this::startOfLiveLog);
    }

    /** As {@link Log#applyRetention}. */
    RetentionResult applyRetention(long nowMs) {
        long truncations = state.truncations();
        LogView view = state.view();
        LogRetention.Decision decision = LogRetention.decide(factsOf(view), state.config(), nowMs);
        if (decision.going().isEmpty()
                || (decision.takesActive() && !roll(view))
                || !advanceUnlessTruncated(decision.startOffset(), truncations)) {
            return RetentionResult.NOTHING;
        }
        return removeBelow(recordStartOffset(), decision, truncations);
    }

    private LogRetention.Facts factsOf(LogView view) {
        List<Candidate> candidates = new ArrayList<>();
        for (Segment segment : view.segments().all()) {
            candidates.add(new Candidate(
                    segment.base(),
                    view.publishedBytes(segment),
                    segment.largestTimestampMs(),
                    segment.hasUnreadTimestamps()));
        }
        return new LogRetention.Facts(candidates, view.startOffset(), view.end().offset(), state.committedBound());
    }

    /** Begins a new segment at the end of the log, unless something was published since {@code view}. */
    private boolean roll(LogView view) {
        state.lock();
        try {
            if (!state.view().equals(view)) {
                return false;
            }
            Segments rolled = parts.roller.roll(view.segments(), view.end().offset(), view.end());
            state.publish(new LogView(rolled, view.end(), view.startOffset(), view.epochs()));
            return true;
        } catch (IOException | RuntimeException e) {
            throw state.fence("roll", e);
        } finally {
            state.unlock();
        }
    }

    /** What was decided about one life of the log says nothing about the next. */
    private boolean advanceUnlessTruncated(long offset, long truncations) {
        state.lock();
        try {
            return state.truncations() == truncations && advanceLocked(offset);
        } finally {
            state.unlock();
        }
    }

    /** Removes the segments that end at or below {@code bound}, unless the log was truncated since it was decided. */
    private RetentionResult removeBelow(long bound, LogRetention.Decision decision, long truncations) {
        state.lock();
        try {
            parts.swap.settle();
            LogView view = state.view();
            Segments segments = view.segments();
            List<Segment> removed = new ArrayList<>();
            RetentionResult result = RetentionResult.NOTHING;
            Segment first = segments.first();
            Segment next = segments.after(first.base());
            while (state.truncations() == truncations && next != null && next.base() <= bound) {
                removed.add(first);
                result = result.plus(decision.reasonFor(first.base()), first.sizeBytes());
                first = next;
                next = segments.after(first.base());
            }
            if (!removed.isEmpty()) {
                state.publish(new LogView(
                        segments.startingWith(first.base()), view.end(), view.startOffset(), view.epochs()));
                parts.deletion.discard(removed);
            }
            return result;
        } catch (IOException | RuntimeException e) {
            throw state.fence("shorten", e);
        } finally {
            state.unlock();
        }
    }
}
