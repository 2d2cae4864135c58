package io.tidemark.core.log.cleaner;

import io.tidemark.core.log.segment.Segment;
import io.tidemark.record.RecordBatch;
import java.io.IOException;
import java.util.List;

/**
 * Puts the last offset of each key of the dirty part into the map. For one thread.
 *
 * <p>If the map gets full, the dirty part ends behind the last batch that fitted whole; if not even the first one does, inside
 * that one: there is always some progress. A map that is empty at the end says that there is no key, and nothing about
 * offsets (S72). Keys of a batch that did not fit whole may be in the map: their records are behind the end and stay.
 */
final class DirtyMapper {
    private final OffsetMap map;
    private final ChunkReader reader;
    private final CleaningStats stats;
    private final long firstDirty;
    private final long firstUncleanable;
    private long endOffset;
    /** The first offset of the present batch that did not fit, or -1. */
    private long missed;

    /**
     * A mapper that clears {@code map} first.
     *
     * @param segments that hold the part from {@code plan}'s first dirty to its first uncleanable offset
     */
    DirtyMapper(List<Segment> segments, CleaningPlan plan, CleaningTools tools, CleaningStats stats) {
        this.map = tools.map();
        this.reader = new ChunkReader(segments, plan.firstUncleanable(), tools.ioBufferBytes());
        this.stats = stats;
        this.firstDirty = plan.firstDirty();
        this.firstUncleanable = plan.firstUncleanable();
        this.endOffset = plan.firstDirty();
        map.clear();
    }

    /** Maps some more batches; behind the last, {@link #endOffset()} is known. */
    Outcome step() throws IOException {
        ChunkReader.Outcome read = reader.next();
        if (read == ChunkReader.Outcome.GONE) {
            return Outcome.ABORTED;
        }
        if (read == ChunkReader.Outcome.END) {
            // The end of a cleaned segment is the base of the next one, whatever is missing in between (KAFKA-8764).
            endOffset = firstUncleanable;
            return Outcome.DONE;
        }
        stats.read(reader.chunkBytes());
        for (RecordBatch batch : reader.batches()) {
            if (batch.lastOffset() >= firstDirty) {
                long missed = put(batch);
                if (missed >= 0) {
                    endOffset = endOffset > firstDirty ? endOffset : missed;
                    return Outcome.DONE;
                }
                endOffset = batch.nextOffset();
            }
        }
        return Outcome.MORE;
    }

    /** Up to where the map knows each key's last offset. */
    long endOffset() {
        return endOffset;
    }

    /** Puts the batch's keys; answers the offset of the first that did not fit, or -1. */
    private long put(RecordBatch batch) {
        missed = -1;
        boolean unused = batch.visitKeys((key, offset) -> {
            if (key != null && offset >= firstDirty && !map.put(key, offset)) {
                missed = offset;
            }
            return missed < 0;
        });
        return missed;
    }
}
