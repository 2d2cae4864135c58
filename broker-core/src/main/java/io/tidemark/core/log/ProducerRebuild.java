package io.tidemark.core.log;

import io.tidemark.core.log.LeaderEpochs.EpochStart;
import io.tidemark.core.log.segment.BatchScan;
import io.tidemark.core.log.segment.Segment;
import io.tidemark.record.RecordBatch;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Works out the producer states of a log from its newest usable snapshot and the batch headers behind it. */
final class ProducerRebuild {
    private final ProducerSnapshots snapshots;

    ProducerRebuild(ProducerSnapshots snapshots) {
        this.snapshots = snapshots;
    }

    /** Makes {@code producers} what the log's batches say, up to the end of {@code view}. */
    void run(LogView view, ProducerStates producers) throws IOException {
        producers.clear();
        long from = restore(view, producers);
        if (from >= view.end().offset()) {
            return;
        }
        Segment segment = view.segments().startFor(from);
        while (segment != null) {
            long firstOffset = from;
            segment.scanSound(
                    segment.scanStart(from),
                    scan -> replay(scan, firstOffset, view.end().offset(), producers));
            segment = view.segments().after(segment.base());
        }
    }

    private static boolean replay(BatchScan scan, long firstOffset, long endOffset, ProducerStates producers)
            throws IOException {
        while (scan.next()) {
            RecordBatch batch = scan.header();
            if (batch.baseOffset() >= firstOffset && batch.lastOffset() < endOffset) {
                producers.onAppended(batch);
            }
        }
        return true;
    }

    /** Takes the newest snapshot that belongs to this history; answers the offset from which batches are missing. */
    private long restore(LogView view, ProducerStates producers) throws IOException {
        for (long name : snapshots.offsets().descendingSet()) {
            Optional<ProducerSnapshot> snapshot = snapshots.read(name);
            if (snapshot.isPresent() && belongsTo(view, snapshot.get())) {
                snapshot.get().producers().forEach(producers::put);
                return snapshot.get().endOffset();
            }
        }
        return view.segments().first().base();
    }

    private static boolean belongsTo(LogView view, ProducerSnapshot snapshot) {
        long endOffset = snapshot.endOffset();
        return endOffset >= view.segments().first().base()
                && endOffset <= view.end().offset()
                && (endOffset > view.startOffset()
                        ? snapshot.lastEpoch() == view.epochs().epochAt(endOffset - 1)
                        : isNotLaterThan(view, snapshot));
    }

    /**
     * The history begins with the log, so of a snapshot of what lies below its start it can only say that it is not of a later
     * epoch. It is all that is left of producers whose batches have gone, and they go on as if nothing had happened.
     */
    private static boolean isNotLaterThan(LogView view, ProducerSnapshot snapshot) {
        List<EpochStart> entries = view.epochs().entries();
        return entries.isEmpty() || snapshot.lastEpoch() <= entries.get(0).epoch();
    }
}
