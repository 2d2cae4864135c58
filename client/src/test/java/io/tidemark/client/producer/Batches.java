package io.tidemark.client.producer;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.client.net.Wire.ProducerIdentity;
import io.tidemark.model.TopicPartition;
import io.tidemark.record.Codec;
import io.tidemark.record.RecordBatch;
import io.tidemark.record.RecordBatchBuilder;
import java.nio.ByteBuffer;
import java.util.List;

/** Batches as tests need them. */
final class Batches {
    static final TopicPartition PARTITION = new TopicPartition("orders", 0);
    static final ProducerIdentity FIRST_IDENTITY = new ProducerIdentity(7, (short) 0);
    static final ProducerIdentity SECOND_IDENTITY = new ProducerIdentity(8, (short) 0);

    private Batches() {}

    static PendingBatch of(int records, long createdNs) {
        return of(records, createdNs, (partition, offset, failure) -> {});
    }

    static PendingBatch of(int records, long createdNs, SendCallback callback) {
        PendingBatch batch =
                new PendingBatch(PARTITION, new RecordBatchBuilder(Codec.NONE, 16 << 10, 1 << 20), 16 << 10, createdNs);
        for (int i = 0; i < records; i++) {
            batch.builder().tryAppend(1, null, bytes("value-" + i), List.of());
            batch.add(callback);
        }
        return batch;
    }

    static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(UTF_8));
    }

    static RecordBatch parsed(ByteBuffer bytes) {
        return RecordBatch.at(bytes, 0);
    }
}
