package io.tidemark.client.consumer;

import io.tidemark.model.TopicPartition;

/** The log was truncated below what this consumer has read: records that it saw are gone (I14). Seek to go on. */
public final class LogTruncatedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient TopicPartition partition;
    private final long firstDivergingOffset;

    public LogTruncatedException(TopicPartition partition, long firstDivergingOffset) {
        super("the log of " + partition + " was truncated to offset " + firstDivergingOffset
                + ", below what was read already");
        this.partition = partition;
        this.firstDivergingOffset = firstDivergingOffset;
    }

    public TopicPartition partition() {
        return partition;
    }

    public long firstDivergingOffset() {
        return firstDivergingOffset;
    }
}
