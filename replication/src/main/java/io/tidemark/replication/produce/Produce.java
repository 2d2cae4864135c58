package io.tidemark.replication.produce;

import io.tidemark.model.Acks;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import java.nio.ByteBuffer;
import java.util.List;

/** A produce and its result, as values. */
public final class Produce {
    private Produce() {}

    /**
     * @param timeoutMs how long to wait for replicas
     * @param parts at most one for each partition
     */
    public record Request(Acks acks, int timeoutMs, List<Part> parts) {}

    /**
     * @param leaderEpoch that the client knows, or -1
     * @param batches position to limit; writable, and the broker's from now on
     */
    public record Part(TopicPartition partition, int leaderEpoch, ByteBuffer batches) {}

    /**
     * @param message for people; empty on success
     * @param baseOffset of the first record, -1 on an error
     * @param leader better known leader, or -1
     */
    public record Result(
            TopicPartition partition,
            ErrorCode error,
            String message,
            long baseOffset,
            long logStartOffset,
            int leader,
            int leaderEpoch) {}
}
