package io.tidemark.bench.probe;

import org.jspecify.annotations.Nullable;

/** A producer under measurement. */
public interface RecordSink extends AutoCloseable {
    /** Sends a record, and calls {@code answer} exactly once, on whatever thread; a refusal is an answer too. */
    void send(String topic, int partition, byte[] value, Answer answer);

    @Override
    void close();

    /** Hears of a record's fate. */
    @FunctionalInterface
    interface Answer {
        /** @param failure null if the record is acknowledged */
        void done(@Nullable Exception failure);
    }
}
