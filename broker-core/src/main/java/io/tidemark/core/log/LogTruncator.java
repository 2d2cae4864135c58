package io.tidemark.core.log;

import io.tidemark.core.log.segment.Segment;
import io.tidemark.core.log.segment.SegmentRead;
import io.tidemark.core.log.segment.Segments;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.record.InvalidBatchException;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Removes the end of a log, or all of it.
 *
 * <p>A batch that straddles the offset goes whole, and the log then ends at its base, so that what was lost below the offset is
 * fetched again; in a gap the log ends at the offset itself (S10).
 *
 * <p>Order: record a lower recovery point (without the lock), publish the shorter view, count the truncation, change files from
 * the end towards the front, so that a crash at any point leaves a prefix.
 */
final class LogTruncator {
    private final LogState state;
    private final Parts parts;
    private final LogExaminer examiner;

    /** What has to follow a truncation. */
    record Parts(
            RecoveryPoints recoveryPoints,
            OpenSwap swap,
            DelayedDeletion deletion,
            ProducerSnapshots snapshots,
            ProducerRebuild rebuild,
            EpochWriter epochWriter,
            LogForcer forcer) {}

    /** Where to cut: {@code position} in {@code segment}; null means everything. */
    private record Cut(@Nullable Segment segment, int position, long endOffset) {}

    LogTruncator(LogState state, Parts parts) {
        this.state = state;
        this.parts = parts;
        this.examiner = new LogExaminer(state);
    }

    LogEnd truncateTo(long offset) {
        while (true) {
            LogView view = state.view();
            if (offset >= view.end().offset()) {
                return view.end();
            }
            Cut cut = offset < view.startOffset() ? new Cut(null, 0, offset) : find(view, offset);
            Optional<LogEnd> end = cut == null ? Optional.empty() : apply(view, cut);
            if (end.isPresent()) {
                return end.get();
            }
        }
    }

    LogEnd truncateFullyAndStartAt(long offset) {
        while (true) {
            Optional<LogEnd> end = apply(state.view(), new Cut(null, 0, offset));
            if (end.isPresent()) {
                return end.get();
            }
        }
    }

    /** Null if the log changed meanwhile. */
    private @Nullable Cut find(LogView view, long offset) {
        Segment segment = view.segments().startFor(offset);
        try {
            LogDamage ahead = state.health.notBefore(segment, offset);
            if (ahead != null && ahead.covers(offset)) {
                return new Cut(segment, ahead.position(), Math.max(ahead.firstBadOffset(), view.startOffset()));
            }
            SegmentRead found = segment.read(examiner.locating(view, segment, offset));
            if (found == null) {
                return null;
            }
            if (!found.isHere()) {
                return new Cut(segment, view.publishedBytes(segment), offset);
            }
            Long base = segment.scan(
                    found.position(), scan -> scan.next() ? scan.header().baseOffset() : Long.valueOf(offset));
            long endOffset = base == null ? offset : Math.min(base, offset);
            return new Cut(segment, found.position(), Math.max(endOffset, view.startOffset()));
        } catch (InvalidBatchException e) {
            // Known from now on, a damage is in nobody's way.
            if (!state.view().equals(view) || examiner.learn(view, segment, offset, state.truncations())) {
                return null;
            }
            throw state.fenceUnlocked("truncate", e);
        } catch (IOException e) {
            throw state.fenceUnlocked("truncate", e);
        }
    }

    /** Cuts, unless something was published since {@code view}. */
    private Optional<LogEnd> apply(LogView view, Cut cut) {
        parts.forcer.capRecoveryPoint(cut.endOffset());
        lowerRecorded(cut.endOffset());
        state.lock();
        try {
            parts.swap.settle();
            if (!state.view().equals(view)) {
                return Optional.empty();
            }
            Segment segment = cut.segment();
            if (segment == null) {
                startAgainAt(cut.endOffset());
            } else {
                cutAt(view, segment, cut);
            }
            LogEnd end = state.view().end();
            parts.epochWriter.onChanged();
            parts.forcer.onTruncated(end);
            return Optional.of(end);
        } catch (IOException | RuntimeException e) {
            throw state.fence("truncate", e);
        } finally {
            state.unlock();
        }
    }

    private void lowerRecorded(long offset) {
        try {
            parts.recoveryPoints.beforeTruncation(state.partition, offset);
        } catch (KafkaStorageException e) {
            throw state.fenceUnlocked("truncate", e);
        }
    }

    private void cutAt(LogView view, Segment segment, Cut cut) throws IOException {
        long endOffset = cut.endOffset();
        Collection<Segment> removed = view.segments().from(segment.base() + 1);
        LeaderEpochHistory epochs = view.epochs().truncatedFromEnd(endOffset);
        LogEnd end = new LogEnd(endOffset, segment.startPosition() + cut.position(), epochBefore(view, segment, cut));
        Segments kept = view.segments().upTo(segment.base());
        state.publish(new LogView(kept, end, view.startOffset(), epochs));
        state.countTruncation();
        state.health.truncatedAt(segment, cut.position());
        state.committedBound(Math.min(state.committedBound(), endOffset));
        parts.deletion.discardFromTheEnd(removed);
        segment.activate();
        segment.truncateTo(endOffset, cut.position());
        parts.snapshots.deleteAbove(endOffset);
        if (!state.producers.truncateTo(endOffset)) {
            parts.rebuild.run(state.view(), state.producers);
        }
    }

    /** Epoch of the last batch in front of the cut; the history may know a later one that never got a batch. */
    private static int epochBefore(LogView view, Segment segment, Cut cut) throws IOException {
        Segment before = view.segments().before(segment.base());
        int found = LeaderEpochHistory.NO_EPOCH;
        if (cut.position() > 0) {
            found = lastEpoch(segment, segment.scanStart(cut.endOffset() - 1), cut.position());
        } else if (before == null) {
            return found;
        } else {
            found = lastEpoch(before, before.lastIndexedPosition(), before.sizeBytes());
        }
        // Where a damage keeps the scan from the last batch, the history knows at least its epoch.
        return found == LeaderEpochHistory.NO_EPOCH ? view.epochs().epochAt(cut.endOffset() - 1) : found;
    }

    private static int lastEpoch(Segment segment, int from, int to) throws IOException {
        try {
            Integer found = segment.scan(from, scan -> {
                int epoch = LeaderEpochHistory.NO_EPOCH;
                while (scan.next() && scan.end() <= to) {
                    epoch = scan.header().partitionLeaderEpoch();
                }
                return epoch;
            });
            return found == null ? LeaderEpochHistory.NO_EPOCH : found;
        } catch (InvalidBatchException e) {
            // The end of the file is missing.
            return LeaderEpochHistory.NO_EPOCH;
        }
    }

    /**
     * Readers find the log empty before its files go: until there are new ones, which waits for the disk, they have nothing to look
     * into.
     */
    private void startAgainAt(long offset) throws IOException {
        Collection<Segment> removed = state.view().segments().all();
        publishEmpty(Segment.standIn(state.space, offset), offset);
        state.countTruncation();
        state.health.emptied();
        state.committedBound(offset);
        parts.deletion.discardFromTheEnd(removed);
        publishEmpty(Segment.create(state.space, offset, 0), offset);
        state.producers.clear();
        parts.snapshots.deleteAll();
        state.space.io().forceDirectory(state.space.directory());
    }

    private void publishEmpty(Segment active, long offset) {
        LogEnd end = new LogEnd(offset, 0, LeaderEpochHistory.NO_EPOCH);
        state.publish(new LogView(Segments.of(List.of(active)), end, offset, LeaderEpochHistory.EMPTY));
    }
}
