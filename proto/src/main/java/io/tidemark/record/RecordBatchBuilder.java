package io.tidemark.record;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Collects records and makes one batch of them, in the layouts of {@link RecordBatch} and {@link RecordCursor}.
 *
 * <p>Records are written once, into one growing buffer, without objects of their own; they are compressed when the batch
 * is built, by whatever thread builds it. So the sizes here are exact but count uncompressed bytes: a caller that knows
 * its compression ratio may scale the target. Not thread-safe.
 */
public final class RecordBatchBuilder {
    /** The largest maximum that can be asked for: what {@link DecodeLimits#DEFAULT} lets readers decompress. */
    public static final int MAX_BATCH_BYTES = (int) DecodeLimits.DEFAULT.maxDecompressedBytes();

    /** The timestamp of a record that has none. */
    public static final long NO_TIMESTAMP = -1;

    private static final int INITIAL_BYTES = 16 * 1024;
    private static final int ATTRIBUTES_BYTES = 1;
    private static final int ZERO_DELTA_BYTES = 1;

    /** What became of a record that was offered. */
    public enum Outcome {
        /** It is in the batch. */
        APPENDED,
        /** It would take the batch over its target: build this batch and offer it to the next. */
        FULL,
        /** It exceeds the maximum even as the only record of a batch, and never fits. */
        TOO_LARGE
    }

    private final Codec codec;
    private final int targetBytes;
    private final int maxBytes;
    private final boolean firstRecordIsBase;
    private final GrowingBuffer records;
    private long baseTimestampMs;
    private long maxTimestampMs = NO_TIMESTAMP;
    private int count;
    private boolean built;

    /**
     * A builder whose base timestamp is that of the first record, as producers have it.
     *
     * @param targetBytes a batch that has a record takes no other that brings it above this; a first record may
     * @param maxBytes what no batch exceeds, also not compressed; from 61 to {@link #MAX_BATCH_BYTES}
     */
    public RecordBatchBuilder(Codec codec, int targetBytes, int maxBytes) {
        this(codec, targetBytes, maxBytes, NO_TIMESTAMP, true);
    }

    /** A builder whose base timestamp is given, for records that may be earlier or later than that. */
    public static RecordBatchBuilder withBaseTimestamp(
            Codec codec, int targetBytes, int maxBytes, long baseTimestampMs) {
        requireTimestamp(baseTimestampMs);
        return new RecordBatchBuilder(codec, targetBytes, maxBytes, baseTimestampMs, false);
    }

    private RecordBatchBuilder(
            Codec codec, int targetBytes, int maxBytes, long baseTimestampMs, boolean firstRecordIsBase) {
        if (targetBytes < 0 || maxBytes < RecordBatch.HEADER_BYTES || maxBytes > MAX_BATCH_BYTES) {
            throw new IllegalArgumentException("batch target " + targetBytes + " and maximum " + maxBytes
                    + " bytes: the maximum must be from " + RecordBatch.HEADER_BYTES + " to " + MAX_BATCH_BYTES);
        }
        this.codec = codec;
        this.targetBytes = Math.min(targetBytes, maxBytes);
        this.maxBytes = maxBytes;
        this.baseTimestampMs = baseTimestampMs;
        this.firstRecordIsBase = firstRecordIsBase;
        this.records = new GrowingBuffer(Math.max(RecordBatch.HEADER_BYTES, Math.min(this.targetBytes, INITIAL_BYTES)));
        records.buffer().position(RecordBatch.HEADER_BYTES);
    }

    /**
     * An upper bound for the bytes of an uncompressed batch that holds this record alone; may exceed 32 bits. The
     * buffers are left as they are.
     */
    public static long sizeBytesUpperBound(@Nullable ByteBuffer key, @Nullable ByteBuffer value, List<Header> headers) {
        return RecordBatch.HEADER_BYTES
                + (2L * Varint.MAX_INT_BYTES + Varint.MAX_LONG_BYTES + ATTRIBUTES_BYTES)
                + fieldBytes(key, value, headers);
    }

    /**
     * Offers a record; its offset is the number of records before it. The buffers' remaining bytes are copied, their
     * positions not moved.
     *
     * @param timestampMs since 1970, or {@link #NO_TIMESTAMP}
     * @throws IllegalArgumentException if the timestamp is neither
     * @throws IllegalStateException after {@link #build}
     */
    public Outcome tryAppend(
            long timestampMs, @Nullable ByteBuffer key, @Nullable ByteBuffer value, List<Header> headers) {
        requireNotBuilt();
        requireTimestamp(timestampMs);
        long fieldBytes = fieldBytes(key, value, headers);
        long aloneBytes = withLength(
                ATTRIBUTES_BYTES + Varint.longBytes(aloneDelta(timestampMs)) + ZERO_DELTA_BYTES + fieldBytes);
        if (RecordBatch.HEADER_BYTES + aloneBytes > maxBytes) {
            return Outcome.TOO_LARGE;
        }
        long base = count == 0 && firstRecordIsBase ? timestampMs : baseTimestampMs;
        long delta = timestampMs - base;
        long bodyBytes = ATTRIBUTES_BYTES + Varint.longBytes(delta) + Varint.intBytes(count) + fieldBytes;
        if (count > 0 && records.sizeBytes() + withLength(bodyBytes) > targetBytes) {
            return Outcome.FULL;
        }
        baseTimestampMs = base;
        maxTimestampMs = Math.max(maxTimestampMs, timestampMs);
        ByteBuffer out = records.withRoom((int) withLength(bodyBytes));
        Varint.writeInt(out, (int) bodyBytes);
        out.put((byte) 0);
        Varint.writeLong(out, delta);
        Varint.writeInt(out, count);
        putFields(out, key, value, headers);
        count++;
        return Outcome.APPENDED;
    }

    private long aloneDelta(long timestampMs) {
        return firstRecordIsBase ? 0 : timestampMs - baseTimestampMs;
    }

    public int recordCount() {
        return count;
    }

    public boolean isEmpty() {
        return count == 0;
    }

    /** Bytes of the batch as it stands, header included, before compression. */
    public int sizeBytes() {
        return records.sizeBytes();
    }

    /**
     * Makes the batch: base offset 0, no leader epoch, a heap buffer of its own from position 0 to its limit. If
     * compression would take it over the maximum, which only incompressible records can, it is left uncompressed.
     *
     * @throws IllegalStateException if the batch is empty or was built before; {@link RecordBatch#stamp} gives a built
     *     one another stamp
     */
    public ByteBuffer build(ProducerStamp producer) {
        requireNotBuilt();
        if (count == 0) {
            throw new IllegalStateException("a batch needs a record");
        }
        built = true;
        GrowingBuffer compressed = codec == Codec.NONE ? records : compress();
        boolean fits = compressed.sizeBytes() <= maxBytes;
        ByteBuffer batch = fits ? compressed.buffer() : records.buffer();
        return finish(batch.flip(), fits ? codec : Codec.NONE, producer);
    }

    private GrowingBuffer compress() {
        GrowingBuffer target = new GrowingBuffer(Math.max(2 * RecordBatch.HEADER_BYTES, records.sizeBytes() / 2));
        target.buffer().position(RecordBatch.HEADER_BYTES);
        try (OutputStream stream = Compression.compressing(codec, target)) {
            records.copyTo(stream, RecordBatch.HEADER_BYTES);
        } catch (IOException e) {
            throw new UncheckedIOException("compressing to memory failed", e);
        }
        return target;
    }

    private ByteBuffer finish(ByteBuffer batch, Codec used, ProducerStamp producer) {
        batch.putLong(0, 0L);
        batch.putInt(RecordBatch.LENGTH_AT, batch.limit() - RecordBatch.ENTRY_OVERHEAD_BYTES);
        batch.putInt(RecordBatch.EPOCH_AT, RecordBatch.NO_EPOCH);
        batch.put(RecordBatch.MAGIC_AT, RecordBatch.MAGIC);
        batch.putShort(RecordBatch.ATTRIBUTES_AT, (short) used.id());
        batch.putInt(RecordBatch.LAST_OFFSET_DELTA_AT, count - 1);
        batch.putLong(RecordBatch.BASE_TIMESTAMP_AT, baseTimestampMs);
        batch.putLong(RecordBatch.MAX_TIMESTAMP_AT, maxTimestampMs);
        batch.putInt(RecordBatch.RECORD_COUNT_AT, count);
        RecordBatch.at(batch, 0).stamp(producer);
        return batch;
    }

    private void requireNotBuilt() {
        if (built) {
            throw new IllegalStateException("the batch is built");
        }
    }

    private static void requireTimestamp(long timestampMs) {
        if (timestampMs < NO_TIMESTAMP) {
            throw new IllegalArgumentException("timestamp " + timestampMs + " is before 1970");
        }
    }

    /** Bytes of a record's body and of the length before it. */
    static long withLength(long bodyBytes) {
        return bodyBytes + Varint.longBytes(bodyBytes);
    }

    /** Bytes of key, value and headers with the lengths before them. */
    static long fieldBytes(@Nullable ByteBuffer key, @Nullable ByteBuffer value, List<Header> headers) {
        long size = nullableBytes(key) + nullableBytes(value) + Varint.intBytes(headers.size());
        for (int i = 0; i < headers.size(); i++) {
            Header header = headers.get(i);
            size += withLength(Utf8.sizeBytes(header.key())) + nullableBytes(header.value());
        }
        return size;
    }

    private static long nullableBytes(@Nullable ByteBuffer bytes) {
        return bytes == null ? Varint.intBytes(-1) : withLength(bytes.remaining());
    }

    /** Writes key, value and headers with the lengths before them. */
    static void putFields(ByteBuffer out, @Nullable ByteBuffer key, @Nullable ByteBuffer value, List<Header> headers) {
        putNullable(out, key);
        putNullable(out, value);
        Varint.writeInt(out, headers.size());
        for (int i = 0; i < headers.size(); i++) {
            Header header = headers.get(i);
            byte[] headerKey = header.key().getBytes(StandardCharsets.UTF_8);
            Varint.writeInt(out, headerKey.length);
            out.put(headerKey);
            putNullable(out, header.value());
        }
    }

    private static void putNullable(ByteBuffer out, @Nullable ByteBuffer bytes) {
        if (bytes == null) {
            Varint.writeInt(out, -1);
            return;
        }
        int size = bytes.remaining();
        Varint.writeInt(out, size);
        out.put(out.position(), bytes, bytes.position(), size).position(out.position() + size);
    }
}
