package io.tidemark.core.log.segment;

import io.tidemark.core.io.FileHandle;
import io.tidemark.record.InvalidBatchException;
import io.tidemark.record.RecordBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Walks the batches of a log file from front to back by their headers, through one bounded buffer whatever a header claims
 * (KAFKA-6834). It ends at the end of its range or before the first batch that is torn, malformed, or not above its
 * predecessor; {@link #fault()} tells. Not thread-safe.
 */
public final class BatchScan {
    /** A window for walking whole files. */
    public static final int WINDOW_BYTES = 64 * 1024;

    private final FileHandle file;
    private final int limit;
    private final ByteBuffer window;
    /** A copy of the current batch's header, which outlives the window over it. */
    private final ByteBuffer headerBytes = ByteBuffer.allocate(RecordBatch.HEADER_BYTES);

    private int windowStart;
    private int position;
    private int nextPosition;
    private long lastOffset;
    private @Nullable RecordBatch header;
    private @Nullable String fault;

    /**
     * A scan of the bytes from {@code start} to {@code limit}.
     *
     * @param start where a batch starts
     * @param windowBytes size of the buffer, at least a header
     */
    public BatchScan(FileHandle file, int start, int limit, int windowBytes) {
        this.file = file;
        this.limit = limit;
        int usedBytes = Math.min(windowBytes, limit - start);
        this.window = ByteBuffer.allocate(Math.max(usedBytes, RecordBatch.HEADER_BYTES))
                .limit(0);
        this.windowStart = start;
        this.position = start;
        this.nextPosition = start;
        this.lastOffset = -1;
    }

    /** Moves to the next batch; false, and {@link #end()} is where it would start, if there is no sound one. */
    public boolean next() throws IOException {
        header = null;
        if (fault != null || nextPosition >= limit) {
            return false;
        }
        if (limit - nextPosition < RecordBatch.HEADER_BYTES) {
            fault = "torn header";
            return false;
        }
        fill(nextPosition);
        fault = faultAt(nextPosition - windowStart);
        if (fault != null) {
            return false;
        }
        headerBytes.put(0, window, nextPosition - windowStart, RecordBatch.HEADER_BYTES);
        RecordBatch found = RecordBatch.headerAt(headerBytes, 0);
        header = found;
        position = nextPosition;
        nextPosition += found.sizeBytes();
        lastOffset = found.lastOffset();
        return true;
    }

    /** The batch that {@link #next()} found: header accessors only, until the next call. */
    public RecordBatch header() {
        return Objects.requireNonNull(header);
    }

    /** Where that batch starts. */
    public int position() {
        return position;
    }

    /** Behind the last sound batch. */
    public int end() {
        return nextPosition;
    }

    /** Offset of the last record of the last sound batch; -1 if there was none. */
    public long lastOffset() {
        return lastOffset;
    }

    /** Why the scan ended before its range did, or null. */
    public @Nullable String fault() {
        return fault;
    }

    /** Whether the current batch's bytes match its CRC. Each byte is read once, by this and the walk together. */
    public boolean isCrcValid() throws IOException {
        long expected = header().crc();
        CRC32C crc = new CRC32C();
        int from = position + RecordBatch.ATTRIBUTES_AT;
        while (from < nextPosition) {
            ByteBuffer piece = window.duplicate();
            int offset = from - windowStart;
            if (offset < 0 || offset >= window.limit()) {
                fill(from);
                offset = 0;
                piece = window.duplicate();
            }
            int count = Math.min(window.limit() - offset, nextPosition - from);
            if (count <= 0) {
                return false;
            }
            crc.update(piece.position(offset).limit(offset + count));
            from += count;
        }
        return crc.getValue() == expected;
    }

    /** Makes a header's worth of bytes at {@code start} visible in the window, fewer only at the end of the range. */
    private void fill(int start) throws IOException {
        int offset = start - windowStart;
        if (offset >= 0 && offset + RecordBatch.HEADER_BYTES <= window.limit()) {
            return;
        }
        window.clear().limit(Math.min(window.capacity(), limit - start));
        file.read(window, start);
        if (window.hasRemaining()) {
            // Nothing that is to be cut off, as a torn batch is: the range lies inside the file.
            throw new InvalidBatchException("the file ends at " + (start + window.position()) + ", not at " + limit);
        }
        window.flip();
        windowStart = start;
    }

    private @Nullable String faultAt(int index) {
        try {
            RecordBatch candidate = RecordBatch.headerAt(window, index);
            if (candidate.sizeBytes() > limit - nextPosition) {
                return "torn batch of " + candidate.sizeBytes() + " bytes";
            }
            if (candidate.baseOffset() <= lastOffset || candidate.lastOffsetDelta() < 0) {
                return "offsets do not rise: " + candidate + " behind " + lastOffset;
            }
            return null;
        } catch (InvalidBatchException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
