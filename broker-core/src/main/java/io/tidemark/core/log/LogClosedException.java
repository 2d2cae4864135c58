package io.tidemark.core.log;

import io.tidemark.model.TopicPartition;

/** A log was used after it was closed or deleted: no failure of a disk, the caller was late. */
public final class LogClosedException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    LogClosedException(TopicPartition partition) {
        super("log " + partition + " is closed");
    }
}
