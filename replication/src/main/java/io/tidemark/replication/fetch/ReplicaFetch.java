package io.tidemark.replication.fetch;

import io.tidemark.core.log.LeaderEpochs.EpochEnd;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.partition.Follower;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The exchange between a follower and a leader, as values. */
public final class ReplicaFetch {
    private ReplicaFetch() {}

    /**
     * @param sessionId 0 asks for a new session; {@code changed} is then complete
     * @param sessionEpoch 0 in the request that opens the session, then 1, 2, 3, ...
     * @param maxWaitMs how long the leader may wait for {@code minBytes}
     * @param changed partitions that are new, or whose entry differs from what the session has
     * @param forgotten partitions to drop from the session
     */
    public record Request(
            Follower follower,
            long sessionId,
            int sessionEpoch,
            int maxWaitMs,
            int minBytes,
            int maxBytes,
            List<FetchEntry> changed,
            List<TopicPartition> forgotten) {}

    /**
     * @param error NONE, FETCH_SESSION_ID_NOT_FOUND, INVALID_FETCH_SESSION_EPOCH, or what the channel met
     *     (BROKER_NOT_AVAILABLE, REQUEST_TIMED_OUT)
     * @param sessionId for the next request
     * @param results partitions with something to say
     */
    public record Answer(ErrorCode error, long sessionId, List<Result> results) {
        /** Nothing but an error. */
        public static Answer failed(ErrorCode error) {
            return new Answer(error, 0, List.of());
        }
    }

    /** @param batches possibly empty; owned by the receiver */
    public record Result(
            TopicPartition partition,
            ErrorCode error,
            long highWatermark,
            long logStartOffset,
            ByteBuffer batches,
            @Nullable EpochEnd diverging) {}
}
