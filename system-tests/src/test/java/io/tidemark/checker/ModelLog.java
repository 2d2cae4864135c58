package io.tidemark.checker;

import io.tidemark.history.ReadRecords;
import java.util.Arrays;

/** The simplest log there is: offsets and values in a row. */
final class ModelLog {
    private long[] offsets = new long[16];
    private long[] values = new long[16];
    private final LongIntMap places = new LongIntMap();
    private final LongIntMap acknowledged = new LongIntMap();
    private int size;

    int size() {
        return size;
    }

    void append(long value, int gap) {
        if (size == offsets.length) {
            offsets = Arrays.copyOf(offsets, size * 2);
            values = Arrays.copyOf(values, size * 2);
        }
        offsets[size] = size == 0 ? gap : offsets[size - 1] + 1 + gap;
        values[size] = value;
        places.put(value, size);
        size++;
    }

    /** Appends the value of a place again. */
    boolean repeat(int place, int gap) {
        append(values[place], gap);
        return true;
    }

    void acknowledged(long value) {
        acknowledged.put(value, 1);
    }

    /** Drops the last record if it was acknowledged. */
    boolean cutAcknowledged() {
        if (size == 0 || acknowledged.get(values[size - 1]) == LongIntMap.ABSENT) {
            return false;
        }
        size--;
        return true;
    }

    long offsetOf(long value) {
        return offsets[places.get(value)];
    }

    ReadRecords records(int key, int from, int to) {
        return ReadRecords.of(
                key,
                Arrays.copyOfRange(offsets, from, to),
                Arrays.copyOfRange(values, from, to));
    }
}
