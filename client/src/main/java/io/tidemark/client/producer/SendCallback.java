package io.tidemark.client.producer;

import io.tidemark.client.TidemarkException;
import io.tidemark.model.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Hears of one record's fate, exactly once, on the producer's own thread: it must not block. Records of one partition are
 * told in the order in which they were sent.
 */
@FunctionalInterface
public interface SendCallback {
    /**
     * @param offset of the record, -1 on a failure and with acks=0
     * @param failure null on success; its outcome says whether the record may have been written all the same
     */
    void done(TopicPartition partition, long offset, @Nullable TidemarkException failure);
}
