package io.tidemark.checker;

import io.tidemark.history.ReadRecords;
import io.tidemark.history.Step.Send;

/** Gathers what becomes a {@link KeyLog}. */
final class KeyLogBuilder {
    private final int key;
    private final LongIntMap ids = new LongIntMap();
    private final LongList numbers = new LongList();
    private final IntList writers = new IntList();
    private final LongList recordKeys = new LongList();
    private final IntList readers = new IntList();
    private final LongList placeOffsets = new LongList();
    private final IntList placeIds = new IntList();
    private boolean isCompacted;

    KeyLogBuilder(int key) {
        this.key = key;
    }

    /** A value is sent; a value that was sent before stays the first sender's. */
    void sent(int operation, Send send) {
        int id = id(send.value());
        isCompacted |= send.hasRecordKey();
        if (writers.get(id) == KeyLog.NONE) {
            writers.set(id, operation);
            recordKeys.set(id, send.recordKey());
        }
    }

    /** Records are returned: they are in the log. */
    void polled(ReadRecords records) {
        for (int i = 0; i < records.size(); i++) {
            place(records.offset(i), id(records.value(i)));
        }
    }

    /** Records are returned by an operation that ended ok: they are in the log, and were read. */
    void read(int operation, ReadRecords records) {
        for (int i = 0; i < records.size(); i++) {
            int id = id(records.value(i));
            place(records.offset(i), id);
            if (readers.get(id) == KeyLog.NONE) {
                readers.set(id, operation);
            }
        }
    }

    /** A proved send is in the log, if it says where. */
    void proved(Send send) {
        if (send.hasOffset()) {
            place(send.offset(), id(send.value()));
        }
    }

    boolean isRead(long value) {
        int id = ids.get(value);
        return id != LongIntMap.ABSENT && readers.get(id) != KeyLog.NONE;
    }

    /** Whether any record had a record key: the key is a compacted partition. */
    boolean isCompacted() {
        return isCompacted;
    }

    KeyLog build() {
        return new KeyLog(
                key, new KeyLog.Values(ids, numbers, writers, recordKeys, readers), placeOffsets, placeIds);
    }

    private void place(long offset, int id) {
        placeOffsets.add(offset);
        placeIds.add(id);
    }

    private int id(long value) {
        int known = ids.get(value);
        if (known != LongIntMap.ABSENT) {
            return known;
        }
        int id = numbers.size();
        ids.put(value, id);
        numbers.add(value);
        writers.add(KeyLog.NONE);
        recordKeys.add(Send.NO_RECORD_KEY);
        readers.add(KeyLog.NONE);
        return id;
    }
}
