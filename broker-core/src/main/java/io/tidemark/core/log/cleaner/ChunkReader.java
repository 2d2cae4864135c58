package io.tidemark.core.log.cleaner;

import io.tidemark.core.log.segment.Segment;
import io.tidemark.record.InvalidBatchException;
import io.tidemark.record.RecordBatch;
import io.tidemark.record.RecordBatchBuilder;
import io.tidemark.record.RecordBatches;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Reads the batches of segments from front to back, some whole ones at a time, and checks their CRC, and that their offsets rise
 * and belong into their segments: base offsets are not under the CRC, and a wrong one would let an older record win. The buffer
 * grows for one batch that is larger and shrinks again behind it (KAFKA-6834). For one thread.
 */
final class ChunkReader {
    private final List<Segment> segments;
    private final long endBase;
    private final int bufferBytes;
    private ByteBuffer buffer;
    private ByteBuffer chunk;
    private int index;
    private int position;
    private long lastOffset = -1;

    /** What a step came to. */
    enum Outcome {
        /** There are more batches. */
        BATCHES,
        /** All were read. */
        END,
        /** A segment was removed meanwhile. */
        GONE
    }

    /**
     * A reader at the start of the first of {@code segments}.
     *
     * @param endBase base of the segment behind the last of them
     * @param bufferBytes how much is read at a time
     */
    ChunkReader(List<Segment> segments, long endBase, int bufferBytes) {
        this.segments = List.copyOf(segments);
        this.endBase = endBase;
        this.bufferBytes = Math.max(bufferBytes, RecordBatch.HEADER_BYTES);
        this.buffer = ByteBuffer.allocate(this.bufferBytes);
        this.chunk = ByteBuffer.allocate(0);
    }

    /**
     * Moves to the next batches.
     *
     * @throws InvalidBatchException if they are damaged
     */
    Outcome next() throws IOException {
        while (index < segments.size()) {
            Segment segment = segments.get(index);
            if (position < segment.sizeBytes()) {
                return read(segment) ? Outcome.BATCHES : Outcome.GONE;
            }
            index++;
            position = 0;
        }
        return Outcome.END;
    }

    /** The batches of the last step; until the next one. */
    RecordBatches batches() {
        return RecordBatches.of(chunk);
    }

    /** Bytes of these batches. */
    int chunkBytes() {
        return chunk.remaining();
    }

    private boolean read(Segment segment) throws IOException {
        if (buffer.capacity() > bufferBytes) {
            buffer = ByteBuffer.allocate(bufferBytes);
        }
        if (!fill(segment)) {
            return false;
        }
        try {
            int wholeBytes = RecordBatches.of(buffer).wholeBytes();
            if (wholeBytes == 0) {
                wholeBytes = checkedSizeOfFirst(segment);
                buffer = ByteBuffer.allocate(wholeBytes);
                if (!fill(segment)) {
                    return false;
                }
            }
            chunk = buffer.slice(0, wholeBytes);
            requireUndamaged(segment);
        } catch (InvalidBatchException e) {
            throw new InvalidBatchException(e.getMessage() + ", behind position " + position + " of " + segment, e);
        }
        position += chunk.remaining();
        return true;
    }

    private boolean fill(Segment segment) throws IOException {
        buffer.clear().limit(Math.min(buffer.capacity(), segment.sizeBytes() - position));
        if (!segment.readAt(position, buffer)) {
            return false;
        }
        buffer.flip();
        return true;
    }

    /** What the header says must fit the file before memory is taken on its word. */
    private int checkedSizeOfFirst(Segment segment) {
        int leftBytes = segment.sizeBytes() - position;
        int sizeBytes = RecordBatch.headerAt(buffer, 0).sizeBytes();
        if (sizeBytes > leftBytes || sizeBytes > RecordBatchBuilder.MAX_BATCH_BYTES) {
            throw new InvalidBatchException("a batch claims " + sizeBytes + " bytes where " + leftBytes + " are left");
        }
        return sizeBytes;
    }

    private void requireUndamaged(Segment segment) {
        if (batches().wholeBytes() != chunk.remaining()) {
            throw new InvalidBatchException("the file is shorter than it was");
        }
        long upperOffset = index + 1 < segments.size() ? segments.get(index + 1).base() : endBase;
        for (RecordBatch batch : batches()) {
            if (!batch.isCrcValid()) {
                throw new InvalidBatchException("wrong CRC of " + batch);
            }
            boolean rises = batch.baseOffset() > lastOffset && batch.lastOffset() >= batch.baseOffset();
            if (!rises || batch.baseOffset() < segment.base() || batch.lastOffset() >= upperOffset) {
                throw new InvalidBatchException(
                        "behind offset " + lastOffset + " and below " + upperOffset + " is no place for " + batch);
            }
            lastOffset = batch.lastOffset();
        }
    }
}
