package io.tidemark.core.log.segment;

import io.tidemark.core.io.FileHandle;
import io.tidemark.record.RecordBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Finds where a file can be read again behind a bad batch: where the batch's own length leads if a sound batch starts there,
 * else the first place at all. Bounded memory; not thread-safe.
 */
final class Resync {
    /** Beyond this much rubbish the rest of the segment is given up: a search must not hold up a reader for ever. */
    private static final int MAX_SEARCH_BYTES = 32 << 20;

    private static final int WINDOW_BYTES = 64 * 1024;

    private final FileHandle file;
    private final int limit;
    private final long upperOffset;
    private final ByteBuffer header = ByteBuffer.allocate(RecordBatch.HEADER_BYTES);

    /** Where a batch starts, and its first offset. */
    record Place(int position, long offset) {}

    /**
     * @param limit where the segment ends
     * @param upperOffset all offsets of the segment are below this
     */
    Resync(FileHandle file, int limit, long upperOffset) {
        this.file = file;
        this.limit = limit;
        this.upperOffset = upperOffset;
    }

    /**
     * The next sound batch, or the end of the segment.
     *
     * @param position of the bad batch
     * @param before the last offset in front of it
     */
    Place behind(int position, long before) throws IOException {
        long next = position + (long) lengthAt(position) + RecordBatch.ENTRY_OVERHEAD_BYTES;
        boolean isPossible = next >= (long) position + RecordBatch.HEADER_BYTES && next <= limit;
        if (isPossible && next == limit) {
            return end();
        }
        if (isPossible && isSoundAt((int) next, before)) {
            return new Place((int) next, header.getLong(0));
        }
        return search(position + 1, before);
    }

    /** Whether a whole batch starts there whose offsets lie behind {@code before} and whose CRC is right. */
    boolean isSoundAt(int position, long before) throws IOException {
        if (!readHeader(position)) {
            return false;
        }
        long base = header.getLong(0);
        int length = header.getInt(RecordBatch.LENGTH_AT);
        if (!mayBe(position, base, length, before) || header.get(RecordBatch.MAGIC_AT) != RecordBatch.MAGIC) {
            return false;
        }
        RecordBatch batch = RecordBatch.headerAt(header, 0);
        boolean inRange = batch.lastOffsetDelta() >= 0 && batch.lastOffset() < upperOffset;
        return inRange && crcOf(position, batch.sizeBytes()) == batch.crc();
    }

    /** The header of the batch that {@link #isSoundAt} has just found sound; until the next call. */
    RecordBatch sound() {
        return RecordBatch.headerAt(header, 0);
    }

    private Place search(int from, long before) throws IOException {
        int last = (int) Math.min(limit - (long) RecordBatch.HEADER_BYTES, from + (long) MAX_SEARCH_BYTES);
        ByteBuffer window = ByteBuffer.allocate(WINDOW_BYTES);
        int start = from;
        while (start <= last) {
            window.clear().limit(Math.min(WINDOW_BYTES, limit - start));
            file.read(window, start);
            window.flip();
            int inside = window.limit() - RecordBatch.HEADER_BYTES;
            if (inside < 0) {
                break;
            }
            int found = firstIn(window, start, before);
            if (found >= 0) {
                return new Place(start + found, window.getLong(found));
            }
            start += inside + 1;
        }
        return end();
    }

    private int firstIn(ByteBuffer window, int start, long before) throws IOException {
        for (int index = 0; index + RecordBatch.HEADER_BYTES <= window.limit(); index++) {
            boolean candidate = window.get(index + RecordBatch.MAGIC_AT) == RecordBatch.MAGIC
                    && mayBe(
                            start + index, window.getLong(index), window.getInt(index + RecordBatch.LENGTH_AT), before);
            if (candidate && isSoundAt(start + index, before)) {
                return index;
            }
        }
        return -1;
    }

    private boolean mayBe(int position, long base, int length, long before) {
        boolean fits = length >= RecordBatch.MIN_LENGTH
                && length <= (long) limit - position - RecordBatch.ENTRY_OVERHEAD_BYTES;
        return fits && base >= 0 && base > before && base < upperOffset;
    }

    private boolean readHeader(int position) throws IOException {
        if (limit - position < RecordBatch.HEADER_BYTES) {
            return false;
        }
        header.clear();
        file.read(header, position);
        boolean whole = !header.hasRemaining();
        header.flip();
        return whole;
    }

    /** What the length field says, or -1 if the file ends before it. */
    private int lengthAt(int position) throws IOException {
        return readHeader(position) ? header.getInt(RecordBatch.LENGTH_AT) : -1;
    }

    private long crcOf(int position, int sizeBytes) throws IOException {
        CRC32C crc = new CRC32C();
        ByteBuffer piece = ByteBuffer.allocate(Math.min(WINDOW_BYTES, sizeBytes));
        int from = position + RecordBatch.ATTRIBUTES_AT;
        int end = position + sizeBytes;
        while (from < end) {
            piece.clear().limit(Math.min(piece.capacity(), end - from));
            int count = file.read(piece, from);
            if (count <= 0) {
                return -1;
            }
            crc.update(piece.flip());
            from += count;
        }
        return crc.getValue();
    }

    private Place end() {
        return new Place(limit, upperOffset);
    }
}
