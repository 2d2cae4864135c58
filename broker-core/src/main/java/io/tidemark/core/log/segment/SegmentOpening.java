package io.tidemark.core.log.segment;

import io.tidemark.core.config.LogConfig;
import io.tidemark.record.InvalidBatchException;
import io.tidemark.record.RecordBatch;
import java.io.IOException;

/**
 * Gives a segment whose files are there its indexes: those on disk if they match its batches, else new ones, from the batches
 * (S8). For one segment, once.
 */
final class SegmentOpening {
    private final Segment segment;
    private final SegmentIndexes indexes;
    private final LogConfig config;
    private final long upperOffset;

    /** What was made of the indexes on disk. */
    enum Indexes {
        KEPT,
        MADE_ANEW
    }

    /** @param upperOffset all offsets of the segment are below this */
    SegmentOpening(Segment segment, SegmentIndexes indexes, LogConfig config, long upperOffset) {
        this.segment = segment;
        this.indexes = indexes;
        this.config = config;
        this.upperOffset = upperOffset;
    }

    /** @throws InvalidBatchException if the indexes have to be made anew, and not all of the file is sound */
    Indexes ofWholeFile() throws IOException {
        if (areRight()) {
            return Indexes.KEPT;
        }
        rebuild();
        return Indexes.MADE_ANEW;
    }

    /** If the indexes have to be made anew, and not all of the file is sound, they are those of what is. */
    Indexes ofWhatIsSound() throws IOException {
        if (areRight()) {
            return Indexes.KEPT;
        }
        try {
            rebuild();
        } catch (InvalidBatchException e) {
            segment.survey(upperOffset);
            rebuild();
        }
        return Indexes.MADE_ANEW;
    }

    private boolean areRight() throws IOException {
        OffsetIndex.Hint last = indexes.openSealed(segment.sizeBytes());
        return last != null && new StoredIndexCheck(segment, indexes).isPassed(last);
    }

    private void rebuild() throws IOException {
        indexes.create();
        int from = 0;
        for (BadStretch stretch : segment.bad()) {
            add(from, stretch.position());
            indexes.passDamage(stretch.position());
            from = stretch.behindPosition();
        }
        add(from, segment.sizeBytes());
        indexes.seal();
    }

    private void add(int from, int limit) throws IOException {
        segment.scanRun(from, limit, scan -> {
            while (scan.next()) {
                requireOwn(scan);
                indexes.add(scan.header(), scan.position(), config);
            }
            if (scan.fault() != null) {
                throw new InvalidBatchException(scan.fault() + " at position " + scan.end() + " of " + segment);
            }
            return true;
        });
    }

    /** An index has no room for offsets of others (S16), and a timestamp counts only if the bytes are as they were written. */
    private void requireOwn(BatchScan scan) throws IOException {
        RecordBatch batch = scan.header();
        long last = batch.lastOffset();
        boolean isOwn = batch.baseOffset() >= segment.base()
                && last - segment.base() <= Integer.MAX_VALUE
                && last < upperOffset;
        if (!isOwn || !scan.isCrcValid()) {
            throw new InvalidBatchException(
                    segment + " holds " + batch + (isOwn ? ", whose CRC does not match" : ", which belongs elsewhere"));
        }
    }
}
