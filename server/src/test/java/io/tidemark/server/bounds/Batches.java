package io.tidemark.server.bounds;

import com.google.protobuf.ByteString;
import io.tidemark.record.Codec;
import io.tidemark.record.ProducerStamp;
import io.tidemark.record.RecordBatchBuilder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import java.util.zip.GZIPOutputStream;

/** Batches, good ones and such as no client should make. Places in the header are those of docs/storage-format.md. */
final class Batches {
    private static final int LENGTH_AT = 8;
    private static final int MAGIC_AT = 16;
    private static final int CRC_AT = 17;
    private static final int ATTRIBUTES_AT = 21;
    private static final int LAST_OFFSET_DELTA_AT = 23;
    private static final int MAX_TIMESTAMP_AT = 35;
    private static final int PRODUCER_ID_AT = 43;
    private static final int PRODUCER_EPOCH_AT = 51;
    private static final int BASE_SEQUENCE_AT = 53;
    private static final int RECORD_COUNT_AT = 57;
    private static final int HEADER_BYTES = 61;
    private static final int RECORDS = 3;

    /** A time that has certainly passed. */
    static final long PAST_MS = 1_700_000_000_000L;

    /** A time that is certainly more than an hour ahead: the year 2100. */
    private static final long FUTURE_MS = 4_102_444_800_000L;

    /** Last offset delta and record count of KNOWN_BUGS 2, for a batch of three records. */
    private static final int[][] LYING_COUNTS = {
        {0, 3}, {15, 3}, {-3, 3}, {2, -3}, {2, 6}, {2, 0}, {-3, -2}, {5, 6}, {1, 2}
    };

    /** More than a batch may hold when it is decompressed, 256 MiB, in less than the largest message. */
    private static final class Bomb {
        private static final int MEBIBYTES = 300;
        private static final ByteString BYTES = make();

        private static ByteString make() {
            ByteArrayOutputStream compressed = new ByteArrayOutputStream();
            try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
                gzip.write(varint((MEBIBYTES << 20) - 10));
                byte[] zeros = new byte[1 << 20];
                for (int i = 0; i < MEBIBYTES; i++) {
                    gzip.write(zeros);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            ByteBuffer batch = ByteBuffer.allocate(HEADER_BYTES + compressed.size());
            batch.put(good(1).array(), 0, HEADER_BYTES).put(compressed.toByteArray());
            batch.putInt(LENGTH_AT, batch.capacity() - 12);
            batch.putShort(ATTRIBUTES_AT, (short) Codec.GZIP.id());
            return sealed(batch);
        }
    }

    private Batches() {}

    static ByteBuffer good(int records) {
        RecordBatchBuilder builder = new RecordBatchBuilder(Codec.NONE, 1 << 20, 1 << 20);
        for (int i = 0; i < records; i++) {
            ByteBuffer value = ByteBuffer.wrap(("value " + i).getBytes(java.nio.charset.StandardCharsets.UTF_8));
            builder.tryAppend(1_000 + i, null, value, List.of());
        }
        ByteBuffer built = builder.build(ProducerStamp.NONE);
        return ByteBuffer.allocate(built.remaining()).put(built).flip();
    }

    /** So many records with values of zeros. */
    static ByteString of(int records, int valueBytes) {
        RecordBatchBuilder builder = new RecordBatchBuilder(Codec.NONE, 1 << 20, 1 << 20);
        for (int i = 0; i < records; i++) {
            builder.tryAppend(1_000, null, ByteBuffer.allocate(valueBytes), List.of());
        }
        return ByteString.copyFrom(builder.build(ProducerStamp.NONE));
    }

    static ByteString three() {
        return ByteString.copyFrom(good(RECORDS));
    }

    /** Computes the CRC again, so that nothing but the lie is wrong. */
    private static ByteString sealed(ByteBuffer batch) {
        CRC32C crc = new CRC32C();
        crc.update(batch.array(), ATTRIBUTES_AT, batch.capacity() - ATTRIBUTES_AT);
        batch.putInt(CRC_AT, (int) crc.getValue());
        return ByteString.copyFrom(batch.array());
    }

    static ByteString random(Random random) {
        byte[] bytes = new byte[1 + random.nextInt(2_000)];
        random.nextBytes(bytes);
        if (bytes.length > MAGIC_AT) {
            bytes[LENGTH_AT] = (byte) 0x7f;
            bytes[MAGIC_AT] = 2;
        }
        return ByteString.copyFrom(bytes);
    }

    static ByteString cut(Random random) {
        return three().substring(0, 1 + random.nextInt(three().size() - 1));
    }

    static ByteString lyingLength(Random random) {
        ByteBuffer batch = good(RECORDS);
        int truth = batch.getInt(LENGTH_AT);
        int[] lies = {0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, truth - 1, truth + 1, 48, 49, 1 << 30};
        return ByteString.copyFrom(batch.putInt(LENGTH_AT, lies[random.nextInt(lies.length)]));
    }

    static ByteString wrongCrc(Random random) {
        byte[] batch = good(RECORDS).array();
        batch[CRC_AT + random.nextInt(batch.length - CRC_AT)] ^= (byte) (1 << random.nextInt(8));
        return ByteString.copyFrom(batch);
    }

    static ByteString magic(int magic) {
        ByteBuffer batch = good(RECORDS);
        return ByteString.copyFrom(batch.put(MAGIC_AT, (byte) magic));
    }

    static ByteString lyingCounts(Random random) {
        int[] lie = LYING_COUNTS[random.nextInt(LYING_COUNTS.length)];
        return sealed(good(RECORDS).putInt(LAST_OFFSET_DELTA_AT, lie[0]).putInt(RECORD_COUNT_AT, lie[1]));
    }

    static ByteString lyingTimestamp(Random random) {
        long[] lies = {-2, -1, 0, 1_001, 1_003, Long.MAX_VALUE, Long.MIN_VALUE};
        return sealed(good(RECORDS).putLong(MAX_TIMESTAMP_AT, lies[random.nextInt(lies.length)]));
    }

    static long laterMs(Random random) {
        return random.nextLong(FUTURE_MS, Long.MAX_VALUE);
    }

    /** Right in all but its time. */
    static ByteString later(Random random) {
        RecordBatchBuilder builder = new RecordBatchBuilder(Codec.NONE, 1 << 20, 1 << 20);
        builder.tryAppend(laterMs(random), null, ByteBuffer.wrap(new byte[] {1}), List.of());
        return ByteString.copyFrom(builder.build(ProducerStamp.NONE));
    }

    static ByteString attributes(int attributes) {
        return sealed(good(RECORDS).putShort(ATTRIBUTES_AT, (short) attributes));
    }

    /** Three records by the header; random bytes, in truth. */
    static ByteString randomRecords(Random random) {
        ByteBuffer batch = good(RECORDS);
        byte[] noise = new byte[batch.capacity() - HEADER_BYTES];
        random.nextBytes(noise);
        return sealed(batch.put(HEADER_BYTES, noise));
    }

    /** The first record, its key or its value says that it has an absurd size. */
    static ByteString lyingSizes(Random random) {
        int[] sizes = {-1, 0, 1, 1 << 20, Integer.MAX_VALUE, Integer.MIN_VALUE};
        byte[] lie = varint(sizes[random.nextInt(sizes.length)]);
        byte[] good = good(RECORDS).array();
        ByteBuffer batch = ByteBuffer.allocate(good.length - 1 + lie.length);
        batch.put(good, 0, HEADER_BYTES).put(lie).put(good, HEADER_BYTES + 1, good.length - HEADER_BYTES - 1);
        return sealed(batch.putInt(LENGTH_AT, batch.capacity() - 12));
    }

    static ByteString halfStamp(Random random) {
        ByteBuffer batch = good(RECORDS);
        return switch (random.nextInt(4)) {
            case 0 -> sealed(batch.putLong(PRODUCER_ID_AT, 7));
            case 1 -> sealed(batch.putShort(PRODUCER_EPOCH_AT, (short) 0));
            case 2 -> sealed(batch.putInt(BASE_SEQUENCE_AT, 0));
            default -> sealed(batch.putLong(PRODUCER_ID_AT, -7).putShort(PRODUCER_EPOCH_AT, (short) 0));
        };
    }

    static ByteString stamped(long producerId, int sequence) {
        ByteBuffer batch = good(RECORDS);
        batch.putLong(PRODUCER_ID_AT, producerId).putShort(PRODUCER_EPOCH_AT, (short) 0);
        return sealed(batch.putInt(BASE_SEQUENCE_AT, sequence));
    }

    static ByteString bomb() {
        return Bomb.BYTES;
    }

    /** Zig-zag, of 32 bits. */
    private static byte[] varint(int value) {
        int rest = (value << 1) ^ (value >> 31);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        while ((rest & ~0x7f) != 0) {
            bytes.write((rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        bytes.write(rest);
        return bytes.toByteArray();
    }
}
