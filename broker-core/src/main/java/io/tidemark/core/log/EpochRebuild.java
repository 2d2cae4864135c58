package io.tidemark.core.log;

import io.tidemark.core.log.segment.BadStretch;
import io.tidemark.core.log.segment.BatchScan;
import io.tidemark.core.log.segment.Segment;
import io.tidemark.core.log.segment.Segments;
import io.tidemark.record.RecordBatch;
import java.io.IOException;

/**
 * Works out the epochs of a log from its batch headers.
 *
 * <p>An epoch begins right behind the last batch of the one before, not at its own first batch: compaction may have taken the
 * batches that it really began with. Too early a start has whoever asks where the epoch before ended cut what this log has none of,
 * and fetch again what it has. Too late a one leaves records there that this log never had (I2, I3). Behind a damage it is the other
 * way round: this log had batches there and cannot give them again, so an epoch begins with what can be read, and nobody cuts
 * what may be the last copy.
 */
final class EpochRebuild {
    private LeaderEpochHistory epochs = LeaderEpochHistory.EMPTY;
    private long behind;

    private EpochRebuild(long startOffset) {
        this.behind = startOffset;
    }

    static LeaderEpochHistory of(Segments segments) throws IOException {
        EpochRebuild rebuild = new EpochRebuild(segments.first().base());
        for (Segment segment : segments.all()) {
            segment.scanSound(0, rebuild::add);
            for (BadStretch bad : segment.bad()) {
                rebuild.behind = Math.max(rebuild.behind, bad.behindOffset());
            }
        }
        return rebuild.epochs;
    }

    private boolean add(BatchScan scan) throws IOException {
        boolean isBehindDamage = true;
        while (scan.next()) {
            RecordBatch batch = scan.header();
            behind = isBehindDamage && scan.position() > 0 ? batch.baseOffset() : behind;
            isBehindDamage = false;
            epochs = epochs.assign(batch.partitionLeaderEpoch(), behind);
            behind = batch.nextOffset();
        }
        return true;
    }
}
