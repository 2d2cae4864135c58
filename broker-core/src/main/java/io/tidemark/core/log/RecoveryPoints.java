package io.tidemark.core.log;

import io.tidemark.model.TopicPartition;
import java.util.function.LongSupplier;

/** Where it is recorded up to where logs are durable and where they start. Called without any log's lock. */
interface RecoveryPoints {
    /**
     * Makes sure that neither the recorded recovery point nor the recorded start of the log is above {@code offset}, durably,
     * before this returns: what lies behind it is about to be replaced by bytes that nobody has forced.
     */
    void lowerTo(TopicPartition partition, long offset);

    /**
     * Records that the log starts at {@code startOffset} or above, durably, before this returns: what lies below it is about to
     * go.
     *
     * @param startOffset asked while nobody can {@linkplain #lowerTo lower} the record; calls nobody
     * @return the recorded start offset
     */
    long recordStart(TopicPartition partition, LongSupplier startOffset);

    /** The log is about to be cut at {@code offset}: {@link #lowerTo}, and whatever else is recorded of what goes. */
    default void beforeTruncation(TopicPartition partition, long offset) {
        lowerTo(partition, offset);
    }
}
