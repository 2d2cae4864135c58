package io.tidemark.replication.deletion;

import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;

/** A request to delete records, and its result, as values. */
public final class DeleteRecords {
    private DeleteRecords() {}

    /**
     * @param beforeOffset first offset to keep; {@link io.tidemark.replication.partition.RecordDeletion#TO_HIGH_WATERMARK} deletes
     *     all that is committed
     * @param timeoutMs for the replicas to follow; what the leader has deleted stays deleted when it passes
     */
    public record Request(TopicPartition partition, long beforeOffset, int timeoutMs) {}

    /**
     * @param logStartOffset first offset that is left on every live replica; with an error the leader's, or -1 if this broker
     *     does not know
     * @param highWatermark the largest offset that may be named, or -1
     * @param leader a better known leader, or -1
     */
    public record Result(
            ErrorCode error, String message, long logStartOffset, long highWatermark, int leader, int leaderEpoch) {
        static Result refused(ErrorCode error, String message) {
            return new Result(error, message, -1, -1, -1, -1);
        }
    }
}
