package io.tidemark.core.log.segment;

import io.tidemark.core.io.FileHandle;
import io.tidemark.record.InvalidBatchException;
import io.tidemark.record.RecordBatch;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Finds and copies batches of one segment's file. Stateless; no allocation but the result.
 *
 * <p>The usual read is one positional read: from where the index points, long enough for what may lie before the target and
 * for the answer; the batches are then found in the copy. Where batches are so large that skipping one would waste a
 * read, headers are read first. Buffers are sized by what is there, never by what a header claims.
 */
final class SegmentReader {
    private static final int MAX_LEAD_BYTES = 64 * 1024;
    private static final int LOCATE_WINDOW_BYTES = 4 * 1024;

    private final FileHandle file;
    private final SegmentRequest request;

    SegmentReader(FileHandle file, SegmentRequest request) {
        this.file = file;
        this.request = request;
    }

    /** Reads from where {@code hint} points. */
    SegmentRead read(OffsetIndex.Hint hint) throws IOException {
        int start = hint.position();
        if (start >= request.availableBytes()) {
            return SegmentRead.none();
        }
        int leadEnd = Math.min(hint.nextPosition(), request.availableBytes());
        if (leadEnd - start > MAX_LEAD_BYTES) {
            start = locate(hint);
            if (start == SegmentRead.NOT_HERE) {
                return SegmentRead.none();
            }
            leadEnd = start;
        }
        long wanted = Math.max(RecordBatch.HEADER_BYTES, (long) leadEnd - start + request.maxBytes());
        ByteBuffer bytes = readAt(start, (int) Math.min(wanted, request.availableBytes() - start));
        int first = firstIn(bytes, start, start == hint.position() ? hint.lastOffset() : OffsetIndex.Hint.NO_ENTRY);
        if (first < 0) {
            // The header of the target does not lie in the copy: seldom, and only when maxBytes is tiny.
            int found = locate(OffsetIndex.Hint.at(start - first - 1));
            return found == SegmentRead.NOT_HERE ? SegmentRead.none() : firstBatchAlone(found);
        }
        return first == bytes.limit() ? SegmentRead.none() : cut(bytes, start, first);
    }

    /** Position of the first batch whose last offset is at or above the target, from where {@code hint} points. */
    int locate(OffsetIndex.Hint hint) throws IOException {
        BatchScan scan = new BatchScan(file, hint.position(), request.availableBytes(), LOCATE_WINDOW_BYTES);
        while (scan.next()) {
            if (scan.position() == hint.position()) {
                requireRight(hint.lastOffset(), scan.lastOffset());
            }
            if (scan.lastOffset() >= request.offset()) {
                return scan.position();
            }
        }
        if (scan.fault() != null) {
            throw new InvalidBatchException(scan.fault() + " at position " + scan.end());
        }
        return SegmentRead.NOT_HERE;
    }

    /**
     * Index in {@code bytes} of the target batch; the limit if the segment ends before it; {@code -1 - i} if the batch at index
     * i cannot be read any more.
     */
    private int firstIn(ByteBuffer bytes, int start, long hintedOffset) {
        int index = 0;
        while (start + index < request.availableBytes()) {
            if (bytes.limit() - index < RecordBatch.HEADER_BYTES) {
                return -1 - index;
            }
            RecordBatch batch = headerAt(bytes, index, start);
            if (index == 0) {
                requireRight(hintedOffset, batch.lastOffset());
            }
            if (batch.lastOffset() >= request.offset()) {
                return index;
            }
            index += batch.sizeBytes();
        }
        return bytes.limit();
    }

    private static void requireRight(long hintedOffset, long foundOffset) {
        if (hintedOffset != OffsetIndex.Hint.NO_ENTRY && hintedOffset != foundOffset) {
            throw new InvalidBatchException(
                    "the index promises a batch up to " + hintedOffset + ", found is one up to " + foundOffset);
        }
    }

    private SegmentRead cut(ByteBuffer bytes, int start, int first) throws IOException {
        RecordBatch batch = headerAt(bytes, first, start);
        int position = start + first;
        if (batch.lastOffset() >= request.boundOffset()) {
            return SegmentRead.nothingAt(position);
        }
        int end = first;
        long lastOffset = batch.baseOffset() - 1;
        int limit = (int) Math.min(bytes.limit(), (long) first + request.maxBytes());
        while (limit - end >= RecordBatch.HEADER_BYTES) {
            batch = headerAt(bytes, end, start);
            if (batch.sizeBytes() > limit - end || batch.lastOffset() >= request.boundOffset()) {
                break;
            }
            if (batch.baseOffset() <= lastOffset) {
                throw new InvalidBatchException("offsets do not rise at position " + (start + end) + ": " + batch);
            }
            lastOffset = batch.lastOffset();
            end += batch.sizeBytes();
        }
        return end > first ? new SegmentRead(bytes.slice(first, end - first), position) : firstBatchAlone(position);
    }

    /** The batch at {@code position} exceeds the limit, or its header did not fit the first copy. */
    private SegmentRead firstBatchAlone(int position) throws IOException {
        ByteBuffer headerBytes = readAt(position, RecordBatch.HEADER_BYTES);
        RecordBatch header = headerAt(headerBytes, 0, position);
        boolean tooLarge = header.sizeBytes() > Math.max(request.maxBytes(), request.firstMaxBytes());
        if (tooLarge || header.lastOffset() >= request.boundOffset()) {
            return SegmentRead.nothingAt(position);
        }
        return new SegmentRead(readAt(position, header.sizeBytes()), position);
    }

    private ByteBuffer readAt(int position, int sizeBytes) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(sizeBytes);
        file.read(bytes, position);
        if (bytes.hasRemaining()) {
            throw new InvalidBatchException("the file ends at " + (position + bytes.position()) + ", published are "
                    + request.availableBytes() + " bytes");
        }
        return bytes.flip();
    }

    private RecordBatch headerAt(ByteBuffer bytes, int index, int start) {
        RecordBatch batch = RecordBatch.headerAt(bytes, index);
        if (batch.sizeBytes() > request.availableBytes() - start - index || batch.lastOffsetDelta() < 0) {
            throw new InvalidBatchException("impossible header at position " + (start + index) + ": " + batch);
        }
        return batch;
    }
}
