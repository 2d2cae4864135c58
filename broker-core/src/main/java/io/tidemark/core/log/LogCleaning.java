package io.tidemark.core.log;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.io.Files;
import io.tidemark.core.log.cleaner.CleanableLog;
import io.tidemark.core.log.cleaner.SegmentSwap;
import io.tidemark.core.log.segment.Segment;
import io.tidemark.core.log.segment.SegmentFiles;
import io.tidemark.core.log.segment.SegmentSpace;
import io.tidemark.core.log.segment.Segments;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A log as the cleaner sees it: what is swapped is checked and published under the log's lock. */
final class LogCleaning implements CleanableLog {
    private final LogContext context;
    private final LogState state;
    private final Parts parts;

    /** What a pass and a swap need of the log. */
    record Parts(DelayedDeletion deletion, ProducerSnapshots snapshots, LogForcer forcer) {}

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
    public Optional<Snapshot> snapshot() {
        return state.isClosed() ? Optional.empty() : Optional.of(snapshotNow());
    }

    @Override
    public Optional<Source> begin() {
        try {
            parts.forcer.force();
        } catch (LogClosedException e) {
            return Optional.empty();
        }
        state.lock();
        try {
            return state.isClosed() ? Optional.empty() : Optional.of(new Source(snapshotNow(), lastOffsets()));
        } finally {
            state.unlock();
        }
    }

    /** The count of truncations first: a truncation in between shows when the swap is checked. */
    private Snapshot snapshotNow() {
        long truncations = state.truncations();
        long committedBound = state.committedBound();
        LogView view = state.lastView();
        return new Snapshot(
                List.copyOf(view.segments().all()),
                view.startOffset(),
                view.end().offset(),
                committedBound,
                truncations,
                state.config());
    }

    private Map<Long, Long> lastOffsets() {
        Map<Long, Long> lastOffsets = new TreeMap<>();
        for (ProducerState producer : state.producers.all()) {
            producer.window().forEach(written -> lastOffsets.put(producer.producerId(), written.lastOffset()));
        }
        return lastOffsets;
    }

    @Override
    public Replaced replace(Replacement replacement) {
        try {
            if (!allowGap(replacement)) {
                return Replaced.ABORTED;
            }
            parts.snapshots.force(replacement.endBase());
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

    private Replaced swap(Replacement replacement) {
        state.lock();
        try {
            if (!isCurrent(replacement)) {
                return Replaced.ABORTED;
            }
            swapLocked(replacement);
            return Replaced.DONE;
        } catch (IOException | RuntimeException e) {
            throw state.fence("swap a cleaned segment into", e);
        } finally {
            state.unlock();
        }
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
                && replacement.endBase() <= state.committedBound()
                && replacement.endBase() <= segments.active().base()
                && present.equals(replacement.segments());
    }

    /**
     * The steps of {@link SegmentSwap}. The new segment is published under its interim names first: the name of the first old one
     * is free only when that is gone, and readers must find one or the other meanwhile.
     */
    private void swapLocked(Replacement replacement) throws IOException {
        Files io = state.space.io();
        long base = replacement.first().base();
        long startPosition = replacement.first().startPosition();
        SegmentFiles swap = SegmentSwap.commit(io, state.space.directory(), base, replacement.endBase());
        Segment interim = Segment.open(state.space, swap, startPosition, state.config());
        publish(replacement.segments(), interim);
        parts.deletion.discard(replacement.segments());
        io.forceDirectory(state.space.directory());
        interim.release();
        swap.renameTo(io, new SegmentFiles(state.space.directory(), base));
        publish(List.of(interim), Segment.open(state.space, base, startPosition, state.config()));
    }

    private void publish(Collection<Segment> old, Segment replacement) {
        LogView view = state.view();
        state.publish(
                new LogView(view.segments().replaced(old, replacement), view.end(), view.startOffset(), view.epochs()));
    }
}
