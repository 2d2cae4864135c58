package io.tidemark.core.log;

import io.tidemark.core.log.segment.Segment;
import io.tidemark.core.log.segment.Segments;
import java.io.IOException;
import java.util.List;

/** Begins new segments. Guarded by the log's lock; an I/O error is for the caller to fence the log with. */
final class LogRoller {
    private final LogState state;
    private final OpenSwap swap;
    private final DelayedDeletion deletion;
    private final ProducerSnapshots snapshots;
    private final LogForcer forcer;

    LogRoller(LogState state, OpenSwap swap, DelayedDeletion deletion, ProducerSnapshots snapshots, LogForcer forcer) {
        this.state = state;
        this.swap = swap;
        this.deletion = deletion;
        this.snapshots = snapshots;
        this.forcer = forcer;
    }

    /**
     * Ends the active segment and begins one at {@code base}, which is the first offset that will be in it (no guess,
     * KAFKA-4451). An empty active segment is replaced (KAFKA-6388).
     *
     * @param end of the log, of which not everything may be published
     * @return the segments then, not published
     */
    Segments roll(Segments segments, long base, LogEnd end) throws IOException {
        Segment active = segments.active();
        if (active.sizeBytes() == 0 && active.base() == base) {
            return segments;
        }
        forcer.beforeRoll(active);
        Segment next = Segment.create(state.space, base, end.position());
        Segment preceding = active.sizeBytes() > 0 ? active : segments.before(active.base());
        int precedingBytes = preceding == null ? 0 : preceding.sizeBytes();
        snapshots.write(
                base, new ProducerSnapshot(end.offset(), end.lastEpoch(), precedingBytes, state.producers.all()));
        if (active.sizeBytes() == 0) {
            deletion.discard(List.of(active));
        } else {
            active.seal();
        }
        forcer.onRolled();
        return segments.withActive(next);
    }

    /** Makes an empty log begin at {@code base}, below its start offset, which stays (KAFKA-6975). */
    void restartBelow(long base) throws IOException {
        swap.settle();
        LogView view = state.view();
        deletion.discardFromTheEnd(view.segments().all());
        snapshots.deleteAll();
        state.producers.clear();
        Segment active = Segment.create(state.space, base, 0);
        LogEnd end = new LogEnd(view.end().offset(), 0, view.end().lastEpoch());
        state.publish(new LogView(Segments.of(List.of(active)), end, view.startOffset(), view.epochs()));
        state.countTruncation();
        forcer.onTruncated(end);
        forcer.onRolled();
    }
}
