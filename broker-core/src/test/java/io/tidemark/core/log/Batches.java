package io.tidemark.core.log;

import io.tidemark.record.Codec;
import io.tidemark.record.ProducerStamp;
import io.tidemark.record.RecordBatch;
import io.tidemark.record.RecordBatchBuilder;
import io.tidemark.record.RecordBatches;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** Makes batches, and takes what was read apart. */
public final class Batches {
    private static final int MAX_BYTES = 1 << 21;

    private Batches() {}

    /** A batch of records with these values, without a producer. */
    public static ByteBuffer of(String... values) {
        return of(ProducerStamp.NONE, values);
    }

    /** A batch of records with these values. */
    public static ByteBuffer of(ProducerStamp producer, String... values) {
        return of(producer, () -> 1_000, values);
    }

    /** A batch of records with these values, each of which asks for its timestamp. */
    public static ByteBuffer of(ProducerStamp producer, LongSupplier timestampsMs, String... values) {
        RecordBatchBuilder builder = new RecordBatchBuilder(Codec.NONE, MAX_BYTES, MAX_BYTES);
        for (String value : values) {
            ByteBuffer bytes = ByteBuffer.wrap(value.getBytes(StandardCharsets.UTF_8));
            builder.tryAppend(timestampsMs.getAsLong(), null, bytes, List.of());
        }
        return copyOf(builder.build(producer));
    }

    /** A batch of one record for each of these timestamps. */
    public static ByteBuffer timed(Codec codec, long... timestampsMs) {
        RecordBatchBuilder builder = new RecordBatchBuilder(codec, MAX_BYTES, MAX_BYTES);
        for (long timestampMs : timestampsMs) {
            builder.tryAppend(timestampMs, null, ByteBuffer.wrap(new byte[] {1, 2, 3}), List.of());
        }
        return copyOf(builder.build(ProducerStamp.NONE));
    }

    /** A batch of one record for each of these timestamps, not compressed. */
    public static ByteBuffer timed(long... timestampsMs) {
        return timed(Codec.NONE, timestampsMs);
    }

    /** A batch of {@code count} small records. */
    public static ByteBuffer ofCount(int count) {
        String[] values = new String[count];
        for (int i = 0; i < count; i++) {
            values[i] = "v" + i;
        }
        return of(values);
    }

    /** The batch as a leader of that epoch has stored it at that offset. */
    public static ByteBuffer at(long baseOffset, int epoch, ByteBuffer batch) {
        RecordBatch.at(batch, 0).assign(baseOffset, epoch);
        return batch;
    }

    /** All batches in one buffer. */
    public static ByteBuffer join(ByteBuffer... batches) {
        int sizeBytes = 0;
        for (ByteBuffer batch : batches) {
            sizeBytes += batch.remaining();
        }
        ByteBuffer joined = ByteBuffer.allocate(sizeBytes);
        for (ByteBuffer batch : batches) {
            joined.put(batch.duplicate());
        }
        return joined.flip();
    }

    /** A batch of one record, whose whole size is {@code sizeBytes}. */
    public static ByteBuffer ofSize(int sizeBytes) {
        int overhead = of("").remaining();
        ByteBuffer batch = of("x".repeat(Math.max(0, sizeBytes - overhead)));
        while (batch.remaining() > sizeBytes) {
            overhead++;
            batch = of("x".repeat(Math.max(0, sizeBytes - overhead)));
        }
        return batch;
    }

    /** "base-last@epoch" of each batch. */
    public static List<String> outline(ByteBuffer bytes) {
        List<String> outline = new ArrayList<>();
        for (RecordBatch batch : RecordBatches.of(bytes)) {
            outline.add(batch.baseOffset() + "-" + batch.lastOffset() + "@" + batch.partitionLeaderEpoch());
        }
        return outline;
    }

    /** The values of all records. */
    public static List<String> values(ByteBuffer bytes) {
        List<String> values = new ArrayList<>();
        for (RecordBatch batch : RecordBatches.of(bytes)) {
            batch.records()
                    .forEach(record -> values.add(StandardCharsets.UTF_8
                            .decode(record.value().duplicate())
                            .toString()));
        }
        return values;
    }

    private static ByteBuffer copyOf(ByteBuffer batch) {
        return ByteBuffer.allocate(batch.remaining()).put(batch.duplicate()).flip();
    }
}
