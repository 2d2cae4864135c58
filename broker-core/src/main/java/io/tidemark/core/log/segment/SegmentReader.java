package io.tidemark.core.log.segment;

import io.tidemark.core.io.FileHandle;
import io.tidemark.record.InvalidBatchException;
import io.tidemark.record.RecordBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Finds and copies batches of one segment's file, for one read.
 *
 * <p>The usual read is one stretch: from where the index points, long enough for what may lie before the target and for the
 * answer; the batches are found in the copy as it grows. Where batches are so large that skipping one would waste a
 * read, headers are read first. Buffers are sized by what is there, never by what a header claims: a batch that is larger than
 * the log takes is read through in pieces before there is a buffer for it, so a damaged length costs time and no memory.
 *
 * <p>Batches that are returned are checked on the way, each once (DESIGN section 3). Nothing is returned from a bad one on;
 * if the first one is bad, or one before it, that is an {@link InvalidBatchException}.
 */
final class SegmentReader {
    /** More of what lies before the target is not copied: looking at a header first costs less. */
    private static final int MAX_COPIED_LEAD_BYTES = 8 * 1024;

    private static final int MAX_LEAD_BYTES = 64 * 1024;
    private static final int LOCATE_WINDOW_BYTES = 4 * 1024;

    private final FileHandle file;
    private final long base;
    private final SegmentRequest request;
    private final @Nullable BatchCheck check;

    /** Last offset of the batch in front of the target, as far as it was passed on the way. */
    private long before = BatchCheck.UNKNOWN;

    /** @param base of the segment: no offset in it is below */
    SegmentReader(FileHandle file, long base, SegmentRequest request) {
        this.file = file;
        this.base = base;
        this.request = request;
        BatchExpectation expected = request.checks().expected();
        this.check = expected == null ? null : new BatchCheck(expected);
    }

    /** As {@link #read(OffsetIndex.Hint)}; what reads well from the front only was not found by the index: that is ignored from then on. */
    SegmentRead read(OffsetIndex.Hint indexed, SegmentIndexes indexes) throws IOException {
        try {
            return read(indexed);
        } catch (InvalidBatchException e) {
            if (indexed.position() == 0) {
                throw e;
            }
            SegmentRead found = read(OffsetIndex.Hint.START);
            indexes.distrustOffsets();
            return found;
        }
    }

    /** Reads from where {@code indexed} points, or from where the request begins if that is behind it. */
    SegmentRead read(OffsetIndex.Hint indexed) throws IOException {
        int from = request.checks().fromPosition();
        OffsetIndex.Hint hint = indexed.position() < from ? OffsetIndex.Hint.at(from) : indexed;
        int start = hint.position();
        if (start >= request.availableBytes()) {
            return SegmentRead.none();
        }
        before = start == 0 ? base - 1 : BatchCheck.UNKNOWN;
        int leadEnd = Math.min(hint.nextPosition(), request.availableBytes());
        if (leadEnd - start > MAX_COPIED_LEAD_BYTES) {
            start = behindLead(hint, leadEnd);
            if (start == SegmentRead.NOT_HERE) {
                return SegmentRead.none();
            }
            leadEnd = start;
        }
        long wanted = Math.max(RecordBatch.HEADER_BYTES, (long) leadEnd - start + request.maxBytes());
        PiecewiseRead bytes = new PiecewiseRead(file, start, (int) Math.min(wanted, request.availableBytes() - start));
        int first = firstIn(bytes, start == hint.position() ? hint.lastOffset() : OffsetIndex.Hint.NO_ENTRY);
        if (first < 0) {
            // The header of the target does not lie in the copy: seldom, and only when maxBytes is tiny.
            int found = locate(OffsetIndex.Hint.at(start - first - 1), LOCATE_WINDOW_BYTES);
            return found == SegmentRead.NOT_HERE ? SegmentRead.none() : firstBatchAlone(found);
        }
        return first == bytes.sizeBytes() ? SegmentRead.none() : cut(bytes, first);
    }

    /** As {@link #locate}. Mostly the index points to the batch in front of the target, and the next entry to the target. */
    private int behindLead(OffsetIndex.Hint hint, int leadEnd) throws IOException {
        int position = hint.position();
        int leadBytes = leadEnd - position;
        RecordBatch batch = headerAt(readAt(position, RecordBatch.HEADER_BYTES), 0, position);
        if (batch.lastOffset() >= request.offset()) {
            return position;
        }
        if (batch.sizeBytes() != leadBytes) {
            return locate(hint, leadBytes > MAX_LEAD_BYTES ? LOCATE_WINDOW_BYTES : leadBytes);
        }
        requireRight(hint.lastOffset(), batch.lastOffset());
        requireRising(batch, position, before);
        before = batch.lastOffset();
        return leadEnd;
    }

    /** Position of the first batch whose last offset is at or above the target, from where {@code hint} points. */
    private int locate(OffsetIndex.Hint hint, int windowBytes) throws IOException {
        BatchScan scan = new BatchScan(file, hint.position(), request.availableBytes(), windowBytes);
        while (scan.next()) {
            if (scan.position() == hint.position()) {
                requireRight(hint.lastOffset(), scan.lastOffset());
            }
            if (scan.lastOffset() >= request.offset()) {
                return scan.position();
            }
            before = scan.lastOffset();
        }
        if (scan.fault() != null) {
            throw new InvalidBatchException(scan.fault() + " at position " + scan.end());
        }
        return SegmentRead.NOT_HERE;
    }

    /**
     * Index in {@code bytes} of the target batch; their size if the segment ends before it; {@code -1 - i} if the batch at index
     * i cannot be read any more.
     */
    private int firstIn(PiecewiseRead bytes, long hintedOffset) throws IOException {
        int index = 0;
        while (bytes.start() + index < request.availableBytes()) {
            if (bytes.sizeBytes() - index < RecordBatch.HEADER_BYTES) {
                return -1 - index;
            }
            RecordBatch batch = headerAt(bytes, index);
            if (index == 0) {
                requireRight(hintedOffset, batch.lastOffset());
            }
            if (batch.lastOffset() >= request.offset()) {
                return index;
            }
            requireRising(batch, bytes.start() + index, before);
            before = batch.lastOffset();
            index += batch.sizeBytes();
        }
        return bytes.sizeBytes();
    }

    private static void requireRight(long hintedOffset, long foundOffset) {
        if (hintedOffset != OffsetIndex.Hint.NO_ENTRY && hintedOffset != foundOffset) {
            throw new InvalidBatchException(
                    "the index promises a batch up to " + hintedOffset + ", found is one up to " + foundOffset);
        }
    }

    private SegmentRead cut(PiecewiseRead bytes, int first) throws IOException {
        RecordBatch batch = headerAt(bytes, first);
        int position = bytes.start() + first;
        requireSoundHeader(batch, position, before);
        if (batch.lastOffset() >= request.boundOffset()) {
            return SegmentRead.nothingAt(position);
        }
        int limit = (int) Math.min(bytes.sizeBytes(), (long) first + request.maxBytes());
        int end = soundEnd(bytes, first, limit);
        return end > first
                ? new SegmentRead(bytes.upTo(end).slice(first, end - first), position)
                : firstBatchAlone(position);
    }

    /**
     * Behind the last of the batches from {@code first} on that are whole, wanted and sound. What lies in front of a bad one is
     * good, but for a batch behind a gap: that may have the wrong offsets, not the one after it.
     */
    private int soundEnd(PiecewiseRead bytes, int first, int limit) throws IOException {
        int end = first;
        int good = first;
        long last = before;
        try {
            while (limit - end >= RecordBatch.HEADER_BYTES) {
                RecordBatch batch = headerAt(bytes, end);
                if (batch.sizeBytes() > limit - end || batch.lastOffset() >= request.boundOffset()) {
                    break;
                }
                bytes.upTo(end + batch.sizeBytes());
                requireSound(batch, bytes.start() + end, last);
                boolean behindGap = last != BatchCheck.UNKNOWN && batch.baseOffset() != last + 1;
                last = batch.lastOffset();
                good = behindGap ? end : end + batch.sizeBytes();
                end += batch.sizeBytes();
            }
        } catch (InvalidBatchException e) {
            if (good == first) {
                throw e;
            }
            return good;
        }
        return end;
    }

    /** The batch at {@code position} exceeds the limit, or its header did not fit the first copy. */
    private SegmentRead firstBatchAlone(int position) throws IOException {
        RecordBatch header = headerAt(readAt(position, RecordBatch.HEADER_BYTES), 0, position);
        requireSoundHeader(header, position, before);
        boolean tooLarge = header.sizeBytes() > Math.max(request.maxBytes(), request.firstMaxBytes());
        if (tooLarge || header.lastOffset() >= request.boundOffset()) {
            return SegmentRead.nothingAt(position);
        }
        if (header.sizeBytes() > request.checks().trustedBytes()) {
            requireCrc(position);
        }
        ByteBuffer bytes = readAt(position, header.sizeBytes());
        RecordBatch batch = headerAt(bytes, 0, position);
        if (batch.sizeBytes() != bytes.limit()) {
            throw new InvalidBatchException("another batch came to position " + position + " meanwhile: " + batch);
        }
        requireSound(batch, position, before);
        return new SegmentRead(bytes, position);
    }

    /** Through a small buffer: no memory is taken on the word of a length that may be wrong. */
    private void requireCrc(int position) throws IOException {
        BatchScan scan = new BatchScan(file, position, request.availableBytes(), BatchScan.WINDOW_BYTES);
        if (!scan.next() || !scan.isCrcValid()) {
            throw new InvalidBatchException("no sound batch, but one of an unusual size, at position " + position);
        }
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

    private RecordBatch headerAt(PiecewiseRead bytes, int index) throws IOException {
        return headerAt(bytes.upTo(index + RecordBatch.HEADER_BYTES), index, bytes.start());
    }

    private RecordBatch headerAt(ByteBuffer bytes, int index, int start) {
        RecordBatch batch = RecordBatch.headerAt(bytes, index);
        boolean isPossible = batch.sizeBytes() <= request.availableBytes() - start - index
                && batch.lastOffsetDelta() >= 0
                && batch.lastOffset() < request.checks().upperOffset();
        if (!isPossible) {
            throw new InvalidBatchException("impossible header at position " + (start + index) + ": " + batch);
        }
        return batch;
    }

    private static void requireRising(RecordBatch batch, int position, long last) {
        if (batch.baseOffset() <= last) {
            throw new InvalidBatchException("offsets do not rise at position " + position + ": " + batch);
        }
    }

    private void requireSoundHeader(RecordBatch batch, int position, long last) {
        requireRising(batch, position, last);
        BatchCheck closer = check;
        if (closer != null) {
            refuse(closer.misfit(batch, last), position);
        }
    }

    private void requireSound(RecordBatch batch, int position, long last) {
        requireRising(batch, position, last);
        BatchCheck closer = check;
        if (closer != null) {
            refuse(closer.fault(batch, last), position);
        }
    }

    private static void refuse(@Nullable String fault, int position) {
        if (fault != null) {
            throw new InvalidBatchException(fault + " at position " + position);
        }
    }
}
