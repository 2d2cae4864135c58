package io.tidemark.client.consumer;

/** Where reading a partition begins. */
public sealed interface StartAt {
    /** The record with that offset, or the next one if there is none. */
    record Offset(long offset) implements StartAt {}

    /** The first record whose timestamp is at least this, in milliseconds since 1970; the end when there is none. */
    record Timestamp(long timestampMs) implements StartAt {}

    /** An end of the log, as it is when the reading begins. */
    enum Edge implements StartAt {
        /** The oldest record that is kept. */
        EARLIEST,
        /** The next record to be committed. */
        LATEST
    }
}
