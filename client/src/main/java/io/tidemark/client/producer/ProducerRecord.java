package io.tidemark.client.producer;

import io.tidemark.record.Header;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A record to write. The buffers' remaining bytes are copied by {@link Producer#send} before it returns.
 *
 * @param partition to write to, or null: then by the key's hash (murmur2, as Kafka's), or without a key to one partition
 *     at a time, changed with each batch
 * @param timestampMs create time, or null for now
 * @param key null and empty are distinct
 * @param value null is a tombstone
 */
public record ProducerRecord(
        String topic,
        @Nullable Integer partition,
        @Nullable Long timestampMs,
        @Nullable ByteBuffer key,
        @Nullable ByteBuffer value,
        List<Header> headers) {
    public ProducerRecord {
        headers = List.copyOf(headers);
    }

    /** A record of key and value, partition and time left to the producer. */
    public static ProducerRecord of(String topic, @Nullable ByteBuffer key, @Nullable ByteBuffer value) {
        return new ProducerRecord(topic, null, null, key, value, List.of());
    }
}
