package io.tidemark.client.producer;

import io.tidemark.client.TidemarkException;
import io.tidemark.client.net.Wire.ProducerIdentity;
import io.tidemark.model.TopicPartition;
import io.tidemark.record.ProducerStamp;
import io.tidemark.record.RecordBatch;
import io.tidemark.record.RecordBatchBuilder;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A batch from its first record to its answer. Filled under the accumulator's guard; from the moment that the sender has
 * taken it, the sender's alone.
 */
final class PendingBatch {
    private static final int NO_SEQUENCE = -1;

    private final TopicPartition partition;
    private final RecordBatchBuilder builder;
    private final List<SendCallback> callbacks = new ArrayList<>();
    private final long reservedBytes;
    private final long createdNs;

    private @Nullable ByteBuffer built;
    private @Nullable ProducerIdentity identity;
    private int baseSequence = NO_SEQUENCE;
    private int attempts;

    PendingBatch(TopicPartition partition, RecordBatchBuilder builder, long reservedBytes, long createdNs) {
        this.partition = partition;
        this.builder = builder;
        this.reservedBytes = reservedBytes;
        this.createdNs = createdNs;
    }

    TopicPartition partition() {
        return partition;
    }

    RecordBatchBuilder builder() {
        return builder;
    }

    void add(SendCallback callback) {
        callbacks.add(callback);
    }

    long reservedBytes() {
        return reservedBytes;
    }

    long createdNs() {
        return createdNs;
    }

    int recordCount() {
        return callbacks.size();
    }

    int attempts() {
        return attempts;
    }

    boolean wasSent() {
        return attempts > 0;
    }

    int baseSequence() {
        return baseSequence;
    }

    @Nullable
    ProducerIdentity identity() {
        return identity;
    }

    /** Gives the batch its place in a producer's sequence; again only if it was certainly not written under the last. */
    void stamp(ProducerIdentity producer, int sequence) {
        identity = producer;
        baseSequence = sequence;
        ProducerStamp stamp = new ProducerStamp(producer.producerId(), producer.producerEpoch(), sequence);
        ByteBuffer bytes = built;
        if (bytes == null) {
            built = builder.build(stamp);
        } else {
            RecordBatch.at(bytes, 0).stamp(stamp);
        }
    }

    /** The bytes of one more attempt. */
    ByteBuffer attempt() {
        attempts++;
        ByteBuffer bytes = built;
        if (bytes == null) {
            bytes = builder.build(ProducerStamp.NONE);
            built = bytes;
        }
        return bytes.duplicate();
    }

    /** @param baseOffset of the first record, or -1 if nobody knows */
    void succeed(long baseOffset) {
        for (int i = 0; i < callbacks.size(); i++) {
            callbacks.get(i).done(partition, baseOffset < 0 ? baseOffset : baseOffset + i, null);
        }
    }

    void fail(TidemarkException failure) {
        for (SendCallback callback : callbacks) {
            callback.done(partition, -1, failure);
        }
    }
}
