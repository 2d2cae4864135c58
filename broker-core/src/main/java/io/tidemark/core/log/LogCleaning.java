package io.tidemark.core.log;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.log.cleaner.CleanableLog;
import io.tidemark.core.log.segment.Segment;
import io.tidemark.core.log.segment.SegmentSpace;
import io.tidemark.core.log.segment.Segments;
import io.tidemark.model.SafetyRule;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** A log as the cleaner sees it: what is swapped is checked and published under the log's lock, and forced without it. */
final class LogCleaning implements CleanableLog {
    private final LogContext context;
    private final LogState state;
    private final Parts parts;

    /** What a pass and a swap need of the log. */
    record Parts(OpenSwap swap, ProducerSnapshots snapshots, LogForcer forcer) {}

    LogCleaning(LogContext context, LogState state, Parts parts) {
        this.context = context;
        this.state = state;
        this.parts = parts;
    }

    @Override
    public TopicPartition partition() {
        return context.partition();
    }

    @Override
    public TopicId topicId() {
        return context.topicId();
    }

    @Override
    public LogConfig config() {
        return state.config();
    }

    @Override
    public SegmentSpace space() {
        return state.space;
    }

    @Override
    public boolean isClosed() {
        return state.isClosed();
    }

    @Override
    public long truncations() {
        return state.truncations();
    }

    @Override
    public Optional<Snapshot> snapshot() {
        return state.isClosed() ? Optional.empty() : Optional.of(snapshotNow());
    }

    @Override
    public Optional<Source> begin() {
        try {
            Optional<Source> begun = Optional.empty();
            while (begun.isEmpty() && !state.isClosed()) {
                begun = tryBegin();
            }
            return begun;
        } catch (LogClosedException e) {
            return Optional.empty();
        } catch (IOException e) {
            if (state.isClosed()) {
                return Optional.empty();
            }
            throw state.fenceUnlocked("read a snapshot of", e);
        }
    }

    /**
     * The active segment is not forced: a file system has appends to a file wait while much of it is written back. What may be lost
     * with its tail is the last batch of a producer, so the last one in front of it counts as well; that was written down when the
     * segment began.
     *
     * @return empty if a segment was begun or cut meanwhile
     */
    private Optional<Source> tryBegin() throws IOException {
        parts.forcer.forceSealed();
        long activeBase = state.view().segments().active().base();
        Optional<ProducerSnapshot> whenRolled = parts.snapshots.read(activeBase);
        if (whenRolled.isEmpty()) {
            parts.forcer.force();
        }
        state.lock();
        try {
            if (state.view().segments().active().base() != activeBase) {
                return Optional.empty();
            }
            Set<Long> lastOffsets = new TreeSet<>();
            state.producers.all().forEach(producer -> producer.lastOffset().ifPresent(lastOffsets::add));
            whenRolled
                    .map(ProducerSnapshot::producers)
                    .orElse(List.of())
                    .forEach(producer -> producer.lastOffset().ifPresent(lastOffsets::add));
            return Optional.of(new Source(snapshotNow(), lastOffsets));
        } finally {
            state.unlock();
        }
    }

    /** The count of truncations first: a truncation in between shows when the swap is checked. */
    private Snapshot snapshotNow() {
        long truncations = state.truncations();
        long committedBound = cleanableBound();
        LogView view = state.lastView();
        return new Snapshot(
                List.copyOf(view.segments().all()),
                view.startOffset(),
                view.end().offset(),
                committedBound,
                truncations,
                state.config());
    }

    /** What is cleaned lies below this, when a pass is planned and when it is swapped in (S69). */
    private long cleanableBound() {
        return context.rules().keeps(SafetyRule.CLEAN_BELOW_HW) ? state.committedBound() : Long.MAX_VALUE;
    }

    @Override
    public Replaced replace(Replacement replacement) {
        try {
            if (state.isClosed()) {
                return Replaced.ABORTED;
            }
            if (parts.snapshots.prepareGapBefore(replacement.endBase())) {
                if (!allowGap(replacement)) {
                    return Replaced.ABORTED;
                }
                state.space.io().forceDirectory(state.space.directory());
            }
            return swap(replacement);
        } catch (IOException e) {
            if (state.isClosed()) {
                return Replaced.ABORTED;
            }
            throw state.fenceUnlocked("swap a cleaned segment into", e);
        }
    }

    /**
     * The segment behind knows how large the one before it was, by which a recovery tells holes: what is smaller now is none. What is
     * replaced is durable, so no hole can be in front of it any more.
     */
    private boolean allowGap(Replacement replacement) throws IOException {
        state.lock();
        try {
            if (!isCurrent(replacement)) {
                return false;
            }
            parts.snapshots.allowGapBefore(replacement.endBase());
            return true;
        } finally {
            state.unlock();
        }
    }

    /** Each force is made without the lock, for appends not to wait for it. */
    private Replaced swap(Replacement replacement) throws IOException {
        if (!step(replacement, Step.BEGIN)) {
            return Replaced.ABORTED;
        }
        state.space.io().forceDirectory(state.space.directory());
        if (!step(replacement, Step.PUBLISH)) {
            return Replaced.ABORTED;
        }
        state.space.io().forceDirectory(state.space.directory());
        step(replacement, Step.FINISH);
        return Replaced.DONE;
    }

    private enum Step {
        BEGIN,
        PUBLISH,
        FINISH
    }

    /** Does a step of the swap under the lock; false if there is nothing to swap any more. */
    private boolean step(Replacement replacement, Step step) {
        state.lock();
        try {
            return !state.isClosed() && stepLocked(replacement, step);
        } catch (IOException | RuntimeException e) {
            throw state.fence("swap a cleaned segment into", e);
        } finally {
            state.unlock();
        }
    }

    private boolean stepLocked(Replacement replacement, Step step) throws IOException {
        if (step == Step.FINISH) {
            parts.swap.finish(replacement);
            return true;
        }
        if (!isCurrent(replacement)) {
            parts.swap.settle();
            return false;
        }
        if (step == Step.PUBLISH) {
            return parts.swap.publish(replacement);
        }
        parts.swap.begin(replacement);
        return true;
    }

    private boolean isCurrent(Replacement replacement) {
        if (state.isClosed()) {
            return false;
        }
        Segments segments = state.view().segments();
        List<Segment> present = segments.from(replacement.first().base()).stream()
                .takeWhile(segment -> segment.base() < replacement.endBase())
                .toList();
        return state.truncations() == replacement.basis().truncations()
                && replacement.endBase() <= cleanableBound()
                && replacement.endBase() <= segments.active().base()
                && present.equals(replacement.segments());
    }
}
