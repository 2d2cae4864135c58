package io.tidemark.record;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Walks the records of one batch and checks that they add up with its header, with or without making objects of them.
 *
 * <p>A record, in zig-zag varints ({@link Varint}) but for the attributes:
 *
 * <pre>
 * length         varint   bytes after itself
 * attributes     int8     unused
 * timestampDelta varlong  from the batch's base timestamp
 * offsetDelta    varint   from the batch's base offset
 * keyLength      varint   -1 for null, then the key
 * valueLength    varint   -1 for null, then the value
 * headerCount    varint   then for each: keyLength varint, key in UTF-8, valueLength varint (-1 for null), value
 * </pre>
 *
 * <p>What must hold: each record ends where its length says; offset deltas rise, from 0 or more to the header's last
 * offset delta or less; there are as many records as the header counts, and no bytes behind them. Gaps are legal (S3).
 * Anything else is an {@link InvalidBatchException} that names the record, after which the cursor is of no use. Not
 * thread-safe.
 */
final class RecordCursor implements AutoCloseable {
    /** No initial capacity is taken on a batch's word beyond this. */
    private static final int TRUSTED_HEADER_COUNT = 16;

    /** A header has at least a length for its key and one for its value. */
    private static final int MIN_HEADER_BYTES = 2;

    private final RecordBatch batch;
    private final DecodeLimits limits;
    private final int count;
    private final int lastOffsetDelta;
    private final long baseTimestampMs;
    private final RecordInput input;

    /** Records whose first byte has been read. */
    private int begun;

    private int offsetDelta = -1;
    private long timestampMs;
    private long endOfRecord;
    private int firstWithoutKey = -1;
    private long largestTimestampMs = Long.MIN_VALUE;
    private long smallestTimestampMs = Long.MAX_VALUE;

    /** Throws {@link InvalidBatchException} if already the header shows that the records cannot be read. */
    RecordCursor(RecordBatch batch, DecodeLimits limits, RecordInput.Window window) {
        this.batch = batch;
        this.limits = limits;
        this.count = batch.recordCount();
        this.lastOffsetDelta = batch.lastOffsetDelta();
        this.baseTimestampMs = batch.baseTimestampMs();
        if (count < 0 || count > limits.maxRecords()) {
            throw new InvalidBatchException(batch + ": the record count must be from 0 to " + limits.maxRecords());
        }
        this.input = RecordInput.of(batch, window, limits.maxDecompressedBytes());
    }

    boolean hasNext() {
        return begun < count;
    }

    /** The largest timestamp by the deltas among the records passed so far; {@link Long#MIN_VALUE} before the first. */
    long largestTimestampMs() {
        return largestTimestampMs;
    }

    /** The smallest timestamp by the deltas among the records passed so far; {@link Long#MAX_VALUE} before the first. */
    long smallestTimestampMs() {
        return smallestTimestampMs;
    }

    /** Number of the first record without a key among those that were skipped so far; -1 if all had one. */
    int firstWithoutKey() {
        return firstWithoutKey;
    }

    /** The next record; {@link #hasNext()} must hold. Only with {@link RecordInput.Window#KEEP}. */
    LogRecord next() {
        try {
            return read();
        } catch (InvalidBatchException e) {
            throw located(e);
        }
    }

    /** Passes the next record without allocating; {@link #hasNext()} must hold. */
    void skipNext() {
        try {
            skip();
        } catch (InvalidBatchException e) {
            throw located(e);
        }
    }

    /**
     * The key of the next record, whose value and headers are passed without allocating; {@link #hasNext()} must hold.
     * Only with {@link RecordInput.Window#KEEP}.
     */
    @Nullable
    ByteBuffer nextKey() {
        try {
            begin();
            ByteBuffer key = takeField("key");
            skipBehindKey();
            return key;
        } catch (InvalidBatchException e) {
            throw located(e);
        }
    }

    /** Offset of the record passed last. */
    long offset() {
        return batch.baseOffset() + offsetDelta;
    }

    private InvalidBatchException located(InvalidBatchException cause) {
        return new InvalidBatchException("record " + (begun - 1) + " of " + batch + ": " + cause.getMessage(), cause);
    }

    private LogRecord read() {
        begin();
        ByteBuffer key = takeField("key");
        ByteBuffer value = takeField("value");
        List<Header> headers = takeHeaders();
        end();
        // With append time all records have the batch's timestamp, whatever deltas they were sent with.
        long effectiveMs = batch.hasAppendTime() ? batch.maxTimestampMs() : timestampMs;
        return new LogRecord(offset(), effectiveMs, key, value, headers);
    }

    private void skip() {
        begin();
        if (skipField("key") < 0 && firstWithoutKey < 0) {
            firstWithoutKey = begun - 1;
        }
        skipBehindKey();
    }

    private void skipBehindKey() {
        skipField("value");
        for (int left = headerCount(); left > 0; left--) {
            input.skip(headerKeyBytes());
            skipField("header value");
        }
        end();
    }

    private void begin() {
        begun++;
        int size = input.readVarint();
        if (size < 0 || size > limits.maxRecordBytes()) {
            throw new InvalidBatchException("length " + size + " is not from 0 to " + limits.maxRecordBytes());
        }
        endOfRecord = input.consumedBytes() + size;
        input.readByte();
        timestampMs = timestamp(input.readVarlong());
        largestTimestampMs = Math.max(largestTimestampMs, timestampMs);
        smallestTimestampMs = Math.min(smallestTimestampMs, timestampMs);
        int delta = input.readVarint();
        if (delta <= offsetDelta || delta > lastOffsetDelta) {
            throw new InvalidBatchException("offset delta " + delta + " must be above " + offsetDelta
                    + " and at most the batch's last, " + lastOffsetDelta);
        }
        offsetDelta = delta;
        if (input.consumedBytes() > endOfRecord) {
            throw new InvalidBatchException("length " + size + " is too small");
        }
    }

    private long timestamp(long delta) {
        long sum = baseTimestampMs + delta;
        if (((baseTimestampMs ^ sum) & (delta ^ sum)) < 0) {
            throw new InvalidBatchException("timestamp " + baseTimestampMs + " + " + delta + " is beyond 64 bits");
        }
        return sum;
    }

    /** Checks the end of a record and, behind the last one, the end of the batch. */
    private void end() {
        if (input.consumedBytes() != endOfRecord) {
            throw new InvalidBatchException("its fields end " + (input.consumedBytes() - endOfRecord)
                    + " bytes behind the end that its length gives");
        }
        if (!hasNext()) {
            finish();
        }
    }

    /** Checks that no bytes are left behind the last record; to be called by hand for a batch without any. */
    void finish() {
        if (!input.isExhausted()) {
            throw new InvalidBatchException("bytes follow the last of " + count + " records");
        }
    }

    private @Nullable ByteBuffer takeField(String name) {
        int size = fieldBytes(name);
        return size < 0 ? null : input.take(size);
    }

    private int skipField(String name) {
        int size = fieldBytes(name);
        input.skip(Math.max(0, size));
        return size;
    }

    private int fieldBytes(String name) {
        int size = input.readVarint();
        if (size < -1) {
            throw new InvalidBatchException(name + " length " + size + " is negative");
        }
        requireInside(name, size);
        return size;
    }

    private int headerKeyBytes() {
        int size = input.readVarint();
        if (size < 0) {
            throw new InvalidBatchException("header key length " + size + " is negative; it cannot be null");
        }
        requireInside("header key", size);
        return size;
    }

    private void requireInside(String name, int sizeBytes) {
        long left = endOfRecord - input.consumedBytes();
        if (sizeBytes > left) {
            throw new InvalidBatchException(name + " length " + sizeBytes + " exceeds the " + left + " bytes left");
        }
    }

    private int headerCount() {
        int headers = input.readVarint();
        if (headers < 0 || (long) headers * MIN_HEADER_BYTES > endOfRecord - input.consumedBytes()) {
            throw new InvalidBatchException(
                    headers + " headers do not fit the " + (endOfRecord - input.consumedBytes()) + " bytes left");
        }
        return headers;
    }

    private List<Header> takeHeaders() {
        int left = headerCount();
        if (left == 0) {
            return List.of();
        }
        List<Header> headers = new ArrayList<>(Math.min(left, TRUSTED_HEADER_COUNT));
        for (; left > 0; left--) {
            ByteBuffer key = input.take(headerKeyBytes());
            headers.add(new Header(StandardCharsets.UTF_8.decode(key).toString(), takeField("header value")));
        }
        return Collections.unmodifiableList(headers);
    }

    @Override
    public void close() {
        input.close();
    }
}
