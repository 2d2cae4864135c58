package io.tidemark.history;

import java.util.List;

/** One step of an operation that moves records. */
public sealed interface Step {
    /**
     * A record is sent.
     *
     * @param key the partition's number in the history
     * @param value sent at most once per key
     * @param offset where it was acknowledged, or {@link #UNKNOWN_OFFSET}
     * @param recordKey what compaction goes by, not negative, or {@link #NO_RECORD_KEY}. A key to which a record with a
     *     record key is sent is a compacted partition
     */
    record Send(int key, long value, long offset, long recordKey) implements Step {
        public static final long UNKNOWN_OFFSET = -1;
        public static final long NO_RECORD_KEY = -1;

        /** A send without an acknowledgement, and without a record key. */
        public static Send of(int key, long value) {
            return new Send(key, value, UNKNOWN_OFFSET, NO_RECORD_KEY);
        }

        /** The same, acknowledged at {@code where}. */
        public Send at(long where) {
            return new Send(key, value, where, recordKey);
        }

        public boolean hasOffset() {
            return offset != UNKNOWN_OFFSET;
        }

        public boolean hasRecordKey() {
            return recordKey != NO_RECORD_KEY;
        }
    }

    /** A poll that has no answer, or not yet. */
    record Asked() implements Step {}

    /** A poll and what it returned: nothing, or records of some keys. */
    record Poll(List<ReadRecords> records) implements Step {
        public Poll {
            records = List.copyOf(records);
        }
    }
}
