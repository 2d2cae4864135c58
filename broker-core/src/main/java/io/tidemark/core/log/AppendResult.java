package io.tidemark.core.log;

import io.tidemark.model.ErrorCode;

/** What became of an append. */
public sealed interface AppendResult {
    /**
     * Written to the page cache; durable after a force.
     *
     * @param firstOffset of the first record
     * @param lastOffset of the last record
     * @param end of the log behind the appended batches
     */
    record Appended(long firstOffset, long lastOffset, LogEnd end) implements AppendResult {}

    /**
     * The same batches were written before, at these offsets; nothing was written now.
     *
     * @param end of the log now
     */
    record Duplicate(long firstOffset, long lastOffset, LogEnd end) implements AppendResult {}

    /** Nothing was written. */
    record Refused(ErrorCode error, String message) implements AppendResult {}
}
