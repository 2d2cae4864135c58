package io.tidemark.core.log.cleaner;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.log.segment.Segment;
import io.tidemark.core.log.segment.SegmentFiles;
import io.tidemark.record.BatchCompactor;
import io.tidemark.record.RecordBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes what is left of neighbouring segments into one new segment. For one thread.
 *
 * <p>The last batch stays, empty if it must be: the new segment is never empty and ends where the old ones did, so that a follower
 * that reads it gets to its end, and a recovery sees no hole behind it.
 */
final class SegmentRecopier {
    private static final int MAX_UNFORCED_BYTES = 4 << 20;

    private final CleanableLog log;
    private final LogConfig config;
    private final List<Segment> sources;
    private final SegmentFiles files;
    private final BatchFilter filter;
    private final ChunkReader reader;
    private final CleaningStats stats;
    private final ByteBuffer out;
    private @Nullable Segment destination;
    private @Nullable ByteBuffer heldBack;
    private boolean changed;
    private int unforcedBytes;

    /**
     * What is copied where.
     *
     * @param sources neighbours
     * @param endBase base of the segment behind them
     * @param files of the new segment
     */
    record Copy(CleanableLog log, LogConfig config, List<Segment> sources, long endBase, SegmentFiles files) {}

    SegmentRecopier(Copy copy, BatchFilter filter, CleaningTools tools, CleaningStats stats) {
        this.log = copy.log();
        this.config = copy.config();
        this.sources = copy.sources();
        this.files = copy.files();
        this.filter = filter;
        this.reader = new ChunkReader(copy.sources(), copy.endBase(), tools.ioBufferBytes());
        this.stats = stats;
        this.out = ByteBuffer.allocate(Math.max(tools.ioBufferBytes(), RecordBatch.HEADER_BYTES));
    }

    /** Copies some more batches; behind the last, the new segment is whole and durable. Bytes moved are counted. */
    Outcome step() throws IOException {
        ChunkReader.Outcome read = reader.next();
        if (read == ChunkReader.Outcome.GONE) {
            return Outcome.ABORTED;
        }
        if (read == ChunkReader.Outcome.END) {
            finish();
            return Outcome.DONE;
        }
        stats.read(reader.chunkBytes());
        copyChunk();
        return Outcome.MORE;
    }

    /** Whether the copy differs from its sources in more than nothing. */
    boolean isWorthSwapping() {
        return changed || sources.size() > 1;
    }

    /** Gives up: closes and deletes what was written. */
    void abandon() {
        Segment written = destination;
        if (written != null) {
            written.release();
        }
        SegmentSwap.discard(log.space().io(), files);
    }

    private void copyChunk() throws IOException {
        RecordBatch dropped = null;
        for (RecordBatch batch : reader.batches()) {
            BatchFilter.Filtered left = filter.filter(batch);
            ByteBuffer bytes = left.bytes();
            changed |= left.fate() == BatchFilter.Fate.CHANGED;
            if (bytes == null) {
                changed |= dropped != null || batch.recordCount() > 0;
                dropped = batch;
            } else {
                changed |= dropped != null || heldBack != null;
                dropped = null;
                heldBack = null;
                write(bytes);
            }
        }
        if (dropped != null) {
            changed |= heldBack != null;
            heldBack = dropped.recordCount() > 0 ? BatchCompactor.empty(dropped) : copyOf(dropped);
        }
    }

    private static ByteBuffer copyOf(RecordBatch batch) {
        return ByteBuffer.allocate(batch.sizeBytes()).put(batch.bytes()).flip();
    }

    private void finish() throws IOException {
        ByteBuffer last = heldBack;
        if (last != null) {
            write(last);
        }
        flush();
        Segment written = destination();
        written.seal();
        written.force();
        written.release();
    }

    private void write(ByteBuffer batch) throws IOException {
        if (batch.remaining() > out.remaining()) {
            flush();
        }
        if (batch.remaining() > out.capacity()) {
            append(batch);
        } else {
            out.put(batch.duplicate());
        }
    }

    private void flush() throws IOException {
        append(out.flip());
        out.clear();
    }

    private void append(ByteBuffer batches) throws IOException {
        if (!batches.hasRemaining()) {
            return;
        }
        Segment target = destination();
        if ((long) target.sizeBytes() + batches.remaining() > Integer.MAX_VALUE) {
            throw new IllegalStateException("rewritten batches do not fit one segment any more: " + target);
        }
        target.append(batches, config);
        stats.written(batches.remaining());
        unforcedBytes += batches.remaining();
        if (unforcedBytes >= MAX_UNFORCED_BYTES) {
            target.force();
            unforcedBytes = 0;
        }
    }

    private Segment destination() throws IOException {
        Segment open = destination;
        if (open == null) {
            SegmentSwap.discard(log.space().io(), files);
            open = Segment.create(log.space(), files, sources.get(0).startPosition());
            destination = open;
        }
        return open;
    }
}
