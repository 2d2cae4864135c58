package io.tidemark.client.net;

import io.tidemark.model.Acks;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** The data calls of a broker, as values. */
public final class Wire {
    private Wire() {}

    /** @param timeoutMs how long the broker may wait for replicas */
    public record ProduceCall(Acks acks, int timeoutMs, List<ProducePart> parts) {}

    /** @param batches read by the transport after the call returns: must not change any more */
    public record ProducePart(TopicPartition partition, int leaderEpoch, ByteBuffer batches) {}

    /** @param leader better known leader, or -1 */
    public record ProduceResult(
            TopicPartition partition, ErrorCode error, String message, long baseOffset, int leader, int leaderEpoch) {}

    /** @param minBytes sum over all partitions */
    public record FetchCall(int maxWaitMs, int minBytes, int maxBytes, List<FetchPart> parts) {}

    /** @param lastFetchedEpoch epoch of the last record that the client has, or -1 */
    public record FetchPart(
            TopicPartition partition, int leaderEpoch, long fetchOffset, int lastFetchedEpoch, int maxBytes) {}

    /** @param divergingEnd where the log was truncated below what the client has read, if it was */
    public record FetchResult(
            TopicPartition partition,
            ErrorCode error,
            String message,
            long highWatermark,
            long logStartOffset,
            ByteBuffer batches,
            @Nullable Long divergingEnd,
            int leader,
            int leaderEpoch) {}

    /**
     * A place in a log that a broker can name the offset of.
     *
     * @param timestampMs milliseconds since 1970, from 0; with {@link Kind#TIME} alone
     */
    public record LogPosition(Kind kind, long timestampMs) {
        /** The log start offset. */
        public static final LogPosition EARLIEST = new LogPosition(Kind.EARLIEST, -1);

        /** The high watermark. */
        public static final LogPosition LATEST = new LogPosition(Kind.LATEST, -1);

        /** What a position is. */
        public enum Kind {
            EARLIEST,
            LATEST,
            TIME
        }

        /** The first committed record whose timestamp is at least {@code timestampMs}; the high watermark if there is none. */
        public static LogPosition atTime(long timestampMs) {
            return new LogPosition(Kind.TIME, timestampMs);
        }
    }

    /** A question for the offset of a place in a log. */
    public record OffsetQuery(TopicPartition partition, int leaderEpoch, LogPosition position) {}

    /** Its offset. */
    public record OffsetResult(TopicPartition partition, ErrorCode error, String message, long offset) {}

    /** An identity for idempotent writing. */
    public record ProducerIdentity(long producerId, short producerEpoch) {}

    /** @param topics to describe if the scope is NAMED; none of them asks for brokers only */
    public record MetadataCall(List<String> topics, Scope scope) {
        /** Which topics. */
        public enum Scope {
            NAMED,
            ALL
        }
    }

    /**
     * Other overrides for a topic.
     *
     * @param set overrides to set
     * @param unset overrides to take away
     */
    public record TopicAlteration(String name, SortedMap<String, String> set, List<String> unset, Effect effect) {
        /** Whether something is changed, or only said. */
        public enum Effect {
            APPLIED,
            SAID
        }
    }

    /** @param configs overrides */
    public record TopicCreation(
            String name, int partitions, int replicationFactor, SortedMap<String, String> configs) {}
}
