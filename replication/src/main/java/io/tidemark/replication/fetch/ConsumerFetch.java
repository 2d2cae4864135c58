package io.tidemark.replication.fetch;

import io.tidemark.core.log.LeaderEpochs.EpochEnd;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A consumer's fetch and its result, as values. */
public final class ConsumerFetch {
    private ConsumerFetch() {}

    /**
     * @param minBytes sum over the entries of high watermark position - fetch position (S33)
     * @param maxBytes limit of the whole answer; the first partition with data gives one whole batch whatever it is
     */
    public record Request(int maxWaitMs, int minBytes, int maxBytes, List<Entry> entries) {}

    /**
     * @param currentLeaderEpoch that the client knows, or -1
     * @param lastFetchedEpoch epoch of the client's last record, or -1
     */
    public record Entry(
            TopicPartition partition, int currentLeaderEpoch, long fetchOffset, int lastFetchedEpoch, int maxBytes) {}

    /**
     * @param batches whole batches below the high watermark
     * @param diverging set when the log was truncated below what the client has read
     * @param leader better known leader, or -1
     */
    public record Result(
            TopicPartition partition,
            ErrorCode error,
            String message,
            long highWatermark,
            long logStartOffset,
            ByteBuffer batches,
            @Nullable EpochEnd diverging,
            int leader,
            int leaderEpoch) {}
}
