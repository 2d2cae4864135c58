package io.tidemark.record;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.OptionalLong;

/**
 * Makes a batch with fewer records of a stored one, as compaction needs it and magic 2 allows it: offsets, leader epoch, producer
 * and sequence stay what they were, so the result takes the place of the original (S17). Pure.
 */
public final class BatchCompactor {
    private static final int ATTRIBUTES_BYTES = 1;

    private BatchCompactor() {}

    /**
     * The batch with those of its records alone, in the codec that it had.
     *
     * @param retained some of its records, in order; at least one
     * @param deleteHorizonMs from when on the tombstones among them may go; it takes the place of the base timestamp. Empty if
     *     there is none among them
     */
    public static ByteBuffer retain(RecordBatch source, List<LogRecord> retained, OptionalLong deleteHorizonMs) {
        if (retained.isEmpty()) {
            throw new IllegalArgumentException("no record is left of " + source);
        }
        long baseTimestampMs = deleteHorizonMs.orElse(source.baseTimestampMs());
        GrowingBuffer plain = new GrowingBuffer(Math.max(2 * RecordBatch.HEADER_BYTES, source.sizeBytes()));
        plain.buffer().position(RecordBatch.HEADER_BYTES);
        long maxTimestampMs = Long.MIN_VALUE;
        for (LogRecord record : retained) {
            put(plain, record, source.baseOffset(), baseTimestampMs);
            maxTimestampMs = Math.max(maxTimestampMs, record.timestampMs());
        }
        GrowingBuffer records = source.codec() == Codec.NONE ? plain : compressed(source.codec(), plain);
        ByteBuffer batch = withHeaderOf(source, records.buffer().flip());
        int horizonBit = deleteHorizonMs.isPresent() ? RecordBatch.DELETE_HORIZON_BIT : 0;
        int attributes = (source.attributes() & ~RecordBatch.DELETE_HORIZON_BIT) | horizonBit;
        batch.putShort(RecordBatch.ATTRIBUTES_AT, (short) attributes);
        batch.putLong(RecordBatch.BASE_TIMESTAMP_AT, baseTimestampMs);
        batch.putLong(RecordBatch.MAX_TIMESTAMP_AT, source.hasAppendTime() ? source.maxTimestampMs() : maxTimestampMs);
        batch.putInt(RecordBatch.RECORD_COUNT_AT, retained.size());
        RecordBatch.at(batch, 0).updateCrc();
        return batch;
    }

    /** The batch without any record: what is left to say that its offsets and sequences were used. */
    public static ByteBuffer empty(RecordBatch source) {
        ByteBuffer batch = withHeaderOf(source, ByteBuffer.allocate(RecordBatch.HEADER_BYTES));
        batch.putShort(RecordBatch.ATTRIBUTES_AT, (short) (source.attributes() & RecordBatch.APPEND_TIME_BIT));
        batch.putLong(RecordBatch.BASE_TIMESTAMP_AT, source.maxTimestampMs());
        batch.putInt(RecordBatch.RECORD_COUNT_AT, 0);
        RecordBatch.at(batch, 0).updateCrc();
        return batch;
    }

    private static ByteBuffer withHeaderOf(RecordBatch source, ByteBuffer batch) {
        batch.put(0, source.bytes(), 0, RecordBatch.HEADER_BYTES);
        batch.putInt(RecordBatch.LENGTH_AT, batch.limit() - RecordBatch.ENTRY_OVERHEAD_BYTES);
        return batch;
    }

    private static void put(GrowingBuffer target, LogRecord record, long baseOffset, long baseTimestampMs) {
        long timestampDelta = record.timestampMs() - baseTimestampMs;
        int offsetDelta = (int) (record.offset() - baseOffset);
        long bodyBytes = ATTRIBUTES_BYTES
                + Varint.longBytes(timestampDelta)
                + Varint.intBytes(offsetDelta)
                + RecordBatchBuilder.fieldBytes(record.key(), record.value(), record.headers());
        ByteBuffer out = target.withRoom(Math.toIntExact(RecordBatchBuilder.withLength(bodyBytes)));
        Varint.writeInt(out, (int) bodyBytes);
        out.put((byte) 0);
        Varint.writeLong(out, timestampDelta);
        Varint.writeInt(out, offsetDelta);
        RecordBatchBuilder.putFields(out, record.key(), record.value(), record.headers());
    }

    private static GrowingBuffer compressed(Codec codec, GrowingBuffer plain) {
        GrowingBuffer target = new GrowingBuffer(Math.max(2 * RecordBatch.HEADER_BYTES, plain.sizeBytes() / 2));
        target.buffer().position(RecordBatch.HEADER_BYTES);
        try (OutputStream stream = Compression.compressing(codec, target)) {
            plain.copyTo(stream, RecordBatch.HEADER_BYTES);
        } catch (IOException e) {
            throw new UncheckedIOException("compressing to memory failed", e);
        }
        return target;
    }
}
