package io.tidemark.record;

import java.nio.ByteBuffer;
import java.util.OptionalLong;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A read-only view of one batch inside a buffer: reads headers without touching records.
 *
 * <p>Layout, big-endian, compatible byte for byte with Kafka's magic 2 (DESIGN section 3):
 *
 * <pre>
 *  0 baseOffset           int64     27 baseTimestamp   int64
 *  8 batchLength          int32     35 maxTimestamp    int64
 * 12 partitionLeaderEpoch int32     43 producerId      int64
 * 16 magic                int8      51 producerEpoch   int16
 * 17 crc                  uint32    53 baseSequence    int32
 * 21 attributes           int16     57 recordCount     int32
 * 23 lastOffsetDelta      int32     61 records
 * </pre>
 *
 * <p>The CRC-32C covers everything from the attributes to the end, so the leader can assign offset and epoch without
 * touching it. {@code batchLength} counts the bytes after itself. Attributes: bits 0-2 codec, 3 timestamp type, 4
 * transactional, 5 control, 6 delete horizon: the batch holds tombstones, and its base timestamp is when they may go. The layout
 * of a record stands in {@link RecordCursor}. Not thread-safe against writers of the same buffer; holds no copy.
 */
public final class RecordBatch {
    /** Bytes before the first record. */
    public static final int HEADER_BYTES = 61;

    /** The offset and the size that precede every entry: the seeds' 12 bytes (S1). */
    public static final int ENTRY_OVERHEAD_BYTES = 12;

    /** The least that the length field of a batch can say: the header behind offset and size. */
    public static final int MIN_LENGTH = HEADER_BYTES - ENTRY_OVERHEAD_BYTES;

    /** The only magic in use. */
    public static final byte MAGIC = 2;

    /** The value of {@link #producerId()} in a batch of a producer without one. */
    public static final long NO_PRODUCER_ID = -1;

    /** The value of {@link #partitionLeaderEpoch()} before a leader has assigned one. */
    public static final int NO_EPOCH = -1;

    /** Where the length field lies in a batch. */
    public static final int LENGTH_AT = 8;

    /** Where the magic lies, in this format and in those before it. */
    public static final int MAGIC_AT = 16;

    /** Where the attributes lie, and where the bytes begin that the CRC covers. */
    public static final int ATTRIBUTES_AT = 21;

    static final int EPOCH_AT = 12;
    static final int CRC_AT = 17;
    static final int LAST_OFFSET_DELTA_AT = 23;
    static final int BASE_TIMESTAMP_AT = 27;
    static final int MAX_TIMESTAMP_AT = 35;
    static final int PRODUCER_ID_AT = 43;
    static final int PRODUCER_EPOCH_AT = 51;
    static final int BASE_SEQUENCE_AT = 53;
    static final int RECORD_COUNT_AT = 57;

    static final int CODEC_MASK = 0x07;
    static final int APPEND_TIME_BIT = 0x08;
    static final int TRANSACTIONAL_BIT = 0x10;
    static final int CONTROL_BIT = 0x20;
    static final int DELETE_HORIZON_BIT = 0x40;
    static final int RESERVED_BITS = ~0x3f;

    private final ByteBuffer buffer;
    private final int start;

    private RecordBatch(ByteBuffer buffer, int start) {
        this.buffer = buffer;
        this.start = start;
    }

    /**
     * The batch that starts at the absolute index {@code start} of {@code buffer}; position and limit are not moved.
     *
     * @throws InvalidBatchException if fewer bytes than a whole batch lie before the buffer's limit, if the length
     *     field is too small for a header, or if the magic is not 2
     */
    public static RecordBatch at(ByteBuffer buffer, int start) {
        int available = buffer.limit() - start;
        if (available < HEADER_BYTES) {
            throw new InvalidBatchException("a batch header needs " + HEADER_BYTES + " bytes, found " + available);
        }
        int length = buffer.getInt(start + LENGTH_AT);
        if (length < MIN_LENGTH || length > available - ENTRY_OVERHEAD_BYTES) {
            throw new InvalidBatchException(
                    "batch length " + length + " does not fit the " + available + " bytes that are there");
        }
        byte magic = buffer.get(start + MAGIC_AT);
        if (magic != MAGIC) {
            throw new InvalidBatchException("magic " + magic + " is not supported, only " + MAGIC + " is");
        }
        return new RecordBatch(buffer, start);
    }

    /**
     * The header alone of the batch that starts at the absolute index {@code start}, for whoever walks a file by headers: the
     * records may lie beyond the buffer's limit, and what reads them must not be called.
     *
     * @throws InvalidBatchException if fewer bytes than a header lie before the buffer's limit, if the length field is too
     *     small for a header, or if the magic is not 2
     */
    public static RecordBatch headerAt(ByteBuffer buffer, int start) {
        int available = buffer.limit() - start;
        if (available < HEADER_BYTES) {
            throw new InvalidBatchException("a batch header needs " + HEADER_BYTES + " bytes, found " + available);
        }
        int length = buffer.getInt(start + LENGTH_AT);
        if (length < MIN_LENGTH || length > Integer.MAX_VALUE - ENTRY_OVERHEAD_BYTES) {
            throw new InvalidBatchException("batch length " + length + " is no length of a batch");
        }
        byte magic = buffer.get(start + MAGIC_AT);
        if (magic != MAGIC) {
            throw new InvalidBatchException("magic " + magic + " is not supported, only " + MAGIC + " is");
        }
        return new RecordBatch(buffer, start);
    }

    public long baseOffset() {
        return buffer.getLong(start);
    }

    /** Offset of the last record that the batch ever held; compaction may have removed that record. */
    public long lastOffset() {
        return baseOffset() + lastOffsetDelta();
    }

    /** The offset to fetch next: {@link #lastOffset()} + 1. */
    public long nextOffset() {
        return lastOffset() + 1;
    }

    /** Bytes of the whole batch, header included. */
    public int sizeBytes() {
        return buffer.getInt(start + LENGTH_AT) + ENTRY_OVERHEAD_BYTES;
    }

    public int partitionLeaderEpoch() {
        return buffer.getInt(start + EPOCH_AT);
    }

    /** The stored CRC-32C as an unsigned 32-bit number. */
    public long crc() {
        return Integer.toUnsignedLong(buffer.getInt(start + CRC_AT));
    }

    public short attributes() {
        return buffer.getShort(start + ATTRIBUTES_AT);
    }

    public Codec codec() {
        return Codec.ofId(attributes() & CODEC_MASK);
    }

    public boolean hasAppendTime() {
        return (attributes() & APPEND_TIME_BIT) != 0;
    }

    public boolean isTransactional() {
        return (attributes() & TRANSACTIONAL_BIT) != 0;
    }

    public boolean isControl() {
        return (attributes() & CONTROL_BIT) != 0;
    }

    /** From when on compaction may drop the batch's tombstones; empty until a pass first kept one (KAFKA-8522). */
    public OptionalLong deleteHorizonMs() {
        return (attributes() & DELETE_HORIZON_BIT) == 0 ? OptionalLong.empty() : OptionalLong.of(baseTimestampMs());
    }

    public int lastOffsetDelta() {
        return buffer.getInt(start + LAST_OFFSET_DELTA_AT);
    }

    public long baseTimestampMs() {
        return buffer.getLong(start + BASE_TIMESTAMP_AT);
    }

    public long maxTimestampMs() {
        return buffer.getLong(start + MAX_TIMESTAMP_AT);
    }

    public long producerId() {
        return buffer.getLong(start + PRODUCER_ID_AT);
    }

    public boolean hasProducerId() {
        return producerId() != NO_PRODUCER_ID;
    }

    public short producerEpoch() {
        return buffer.getShort(start + PRODUCER_EPOCH_AT);
    }

    public int baseSequence() {
        return buffer.getInt(start + BASE_SEQUENCE_AT);
    }

    /** Sequence of the last record; wraps from 2^31-1 to 0 (KAFKA-7692); -1 if the batch has none. */
    public int lastSequence() {
        int base = baseSequence();
        return base < 0 ? base : Sequences.plus(base, lastOffsetDelta());
    }

    public int recordCount() {
        return buffer.getInt(start + RECORD_COUNT_AT);
    }

    /** Whether the stored CRC matches the bytes. */
    public boolean isCrcValid() {
        return computeCrc() == crc();
    }

    /** Makes the stored CRC match the bytes. */
    void updateCrc() {
        buffer.putInt(start + CRC_AT, (int) computeCrc());
    }

    private long computeCrc() {
        CRC32C crc = new CRC32C();
        crc.update(slice(ATTRIBUTES_AT, sizeBytes() - ATTRIBUTES_AT));
        return crc.getValue();
    }

    /** The whole batch as a read-only buffer; shares the bytes. */
    public ByteBuffer bytes() {
        return slice(0, sizeBytes()).asReadOnlyBuffer();
    }

    /** The bytes behind the header, compressed or not, read-only. */
    public ByteBuffer recordBytes() {
        return slice(HEADER_BYTES, sizeBytes() - HEADER_BYTES).asReadOnlyBuffer();
    }

    /**
     * Writes offset and epoch into the header, as only the leader may (S2, S19). The CRC stays right.
     *
     * @throws java.nio.ReadOnlyBufferException if the underlying buffer is read-only
     */
    public void assign(long baseOffset, int leaderEpoch) {
        buffer.putLong(start, baseOffset);
        buffer.putInt(start + EPOCH_AT, leaderEpoch);
    }

    /**
     * Writes who produced the batch and computes the CRC again: for a producer that has a batch to send, before
     * anybody else has seen it under this stamp.
     *
     * @throws java.nio.ReadOnlyBufferException if the underlying buffer is read-only
     */
    public void stamp(ProducerStamp producer) {
        buffer.putLong(start + PRODUCER_ID_AT, producer.producerId());
        buffer.putShort(start + PRODUCER_EPOCH_AT, producer.producerEpoch());
        buffer.putInt(start + BASE_SEQUENCE_AT, producer.baseSequence());
        updateCrc();
    }

    /**
     * Gives all records of the batch the time of its append, as only the leader may, and computes the CRC again; what the
     * producer wrote into the records stays there and counts no more.
     *
     * @throws java.nio.ReadOnlyBufferException if the underlying buffer is read-only
     */
    public void stampAppendTime(long timestampMs) {
        buffer.putShort(start + ATTRIBUTES_AT, (short) (attributes() | APPEND_TIME_BIT));
        buffer.putLong(start + MAX_TIMESTAMP_AT, timestampMs);
        updateCrc();
    }

    /** {@link #records(DecodeLimits)} within {@link DecodeLimits#DEFAULT}. */
    public Iterable<LogRecord> records() {
        return records(DecodeLimits.DEFAULT);
    }

    /**
     * The records in offset order, decompressed as they are read; at most one batch's records are in memory. Each has
     * its own offset (S3, S20). The CRC is not checked here. Use and abandon it on one thread.
     *
     * @throws InvalidBatchException on use, if the records do not decode, do not add up with the header, or exceed
     *     {@code limits}; no record follows it
     */
    public Iterable<LogRecord> records(DecodeLimits limits) {
        return () -> new RecordIterator(this, limits);
    }

    /** Sees the records of a batch without their values. */
    @FunctionalInterface
    public interface KeyVisitor {
        /** Sees one record; the key is a view that stays as it is. Answers whether the next one is to be seen, too. */
        boolean visit(@Nullable ByteBuffer key, long offset);
    }

    /**
     * Shows the keys of {@link #records()}, and makes no records of them. Answers whether all were seen.
     *
     * @throws InvalidBatchException as {@link #records()} does on use
     */
    public boolean visitKeys(KeyVisitor visitor) {
        try (RecordCursor cursor = new RecordCursor(this, DecodeLimits.DEFAULT, RecordInput.Window.KEEP)) {
            if (!cursor.hasNext()) {
                cursor.finish();
            }
            while (cursor.hasNext()) {
                ByteBuffer key = cursor.nextKey();
                if (!visitor.visit(key, cursor.offset())) {
                    return false;
                }
            }
        }
        return true;
    }

    private ByteBuffer slice(int from, int length) {
        return buffer.slice(start + from, length);
    }

    @Override
    public String toString() {
        return "batch " + baseOffset() + ".." + lastOffset() + " epoch " + partitionLeaderEpoch() + " records "
                + recordCount() + " bytes " + sizeBytes();
    }
}
