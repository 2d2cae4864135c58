package io.tidemark.core.log.segment;

import io.tidemark.core.config.LogConfig;
import io.tidemark.record.RecordBatch;
import java.io.IOException;

/**
 * Writes the indexes of a segment anew while somebody else walks its batches, so that they are read once. What was in the files is
 * gone from the beginning on. Not thread-safe.
 */
public final class IndexRebuild {
    private final SegmentIndexes indexes;
    private final LogConfig config;

    /** Whether the files are durable when they are finished. */
    public enum Durability {
        /** Of a sealed segment: a part of a time index would look like a whole one. */
        FORCED,
        /** Of the last segment, whose indexes are not believed after a crash, and are forced when it is sealed. */
        NONE
    }

    /** Begins with empty files. */
    public IndexRebuild(SegmentSpace space, SegmentFiles files, LogConfig config) throws IOException {
        this.indexes = new SegmentIndexes(space, files);
        this.config = config;
        indexes.create();
    }

    /** Adds the entries that are due for the next batch, which is sound and belongs into the segment. */
    public void add(RecordBatch header, int position) throws IOException {
        indexes.add(header, position, config);
    }

    /** Writes what is missing; the segment may be opened then. */
    public void finish(Durability durability) throws IOException {
        indexes.seal();
        if (durability == Durability.FORCED) {
            indexes.force();
        }
        indexes.retire();
    }
}
