package io.tidemark.record;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Batches for tests as no builder of ours would make them: any records behind any header, with the right CRC. */
final class RawBatch {
    private RawBatch() {}

    /** A batch with header fields that fit {@code count} records at timestamp 0, whatever {@code records} holds. */
    static ByteBuffer of(Codec codec, int count, byte[] records) {
        byte[] body = compress(codec, records);
        ByteBuffer batch = ByteBuffer.allocate(RecordBatch.HEADER_BYTES + body.length);
        batch.put(RecordBatch.HEADER_BYTES, body);
        batch.putInt(RecordBatch.LENGTH_AT, batch.capacity() - RecordBatch.ENTRY_OVERHEAD_BYTES);
        batch.putInt(RecordBatch.EPOCH_AT, -1);
        batch.put(RecordBatch.MAGIC_AT, RecordBatch.MAGIC);
        batch.putShort(RecordBatch.ATTRIBUTES_AT, (short) codec.id());
        batch.putInt(RecordBatch.LAST_OFFSET_DELTA_AT, count - 1);
        batch.putLong(RecordBatch.PRODUCER_ID_AT, -1);
        batch.putShort(RecordBatch.PRODUCER_EPOCH_AT, (short) -1);
        batch.putInt(RecordBatch.BASE_SEQUENCE_AT, -1);
        batch.putInt(RecordBatch.RECORD_COUNT_AT, count);
        return seal(batch);
    }

    /** Bytes that pass for compressed records, as they are. */
    static ByteBuffer ofCompressed(Codec codec, int count, byte[] compressed) {
        ByteBuffer batch = of(Codec.NONE, count, compressed);
        return seal(batch.putShort(RecordBatch.ATTRIBUTES_AT, (short) codec.id()));
    }

    /** Computes the CRC of a batch that fills the buffer. */
    static ByteBuffer seal(ByteBuffer batch) {
        CRC32C crc = new CRC32C();
        crc.update(batch.slice(RecordBatch.ATTRIBUTES_AT, batch.limit() - RecordBatch.ATTRIBUTES_AT));
        return batch.putInt(RecordBatch.CRC_AT, (int) crc.getValue());
    }

    static byte[] compress(Codec codec, byte[] bytes) {
        GrowingBuffer target = new GrowingBuffer(64);
        try (OutputStream stream = Compression.compressing(codec, target)) {
            stream.write(bytes);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        byte[] compressed = new byte[target.sizeBytes()];
        target.buffer().flip().get(compressed);
        return compressed;
    }

    /** A record body of those varints, behind its length and its attributes. */
    static byte[] record(long... varints) {
        ByteBuffer body = ByteBuffer.allocate(16 * varints.length + 1).put((byte) 0);
        for (long varint : varints) {
            Varint.writeLong(body, varint);
        }
        return withLength(body.position(), body.flip());
    }

    /** {@code body} behind the length {@code claimedBytes}. */
    static byte[] withLength(int claimedBytes, ByteBuffer body) {
        ByteBuffer record = ByteBuffer.allocate(Varint.MAX_INT_BYTES + body.remaining());
        Varint.writeInt(record, claimedBytes);
        record.put(body);
        byte[] bytes = new byte[record.position()];
        record.flip().get(bytes);
        return bytes;
    }

    static byte[] concat(byte[]... parts) {
        GrowingBuffer all = new GrowingBuffer(16);
        for (byte[] part : parts) {
            all.write(part, 0, part.length);
        }
        byte[] bytes = new byte[all.sizeBytes()];
        all.buffer().flip().get(bytes);
        return bytes;
    }
}
