package io.tidemark.history;

import java.util.Arrays;

/** What one poll returned of one key, in the order of delivery: offsets and values. Immutable; 16 bytes per record. */
public final class ReadRecords {
    private final int key;
    private final long[] offsets;
    private final long[] values;

    private ReadRecords(int key, long[] offsets, long[] values) {
        this.key = key;
        this.offsets = offsets;
        this.values = values;
    }

    /** As many offsets as values. */
    public static ReadRecords of(int key, long[] offsets, long[] values) {
        if (offsets.length != values.length) {
            throw new IllegalArgumentException(offsets.length + " offsets for " + values.length + " values");
        }
        return new ReadRecords(key, offsets.clone(), values.clone());
    }

    /** The partition's number in the history. */
    public int key() {
        return key;
    }

    public int size() {
        return offsets.length;
    }

    /** The offset of the record that was delivered {@code i}-th, counted from 0. */
    public long offset(int i) {
        return offsets[i];
    }

    /** The value of the record that was delivered {@code i}-th, counted from 0. */
    public long value(int i) {
        return values[i];
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ReadRecords that
                && key == that.key
                && Arrays.equals(offsets, that.offsets)
                && Arrays.equals(values, that.values);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * key + Arrays.hashCode(offsets)) + Arrays.hashCode(values);
    }

    @Override
    public String toString() {
        return "key " + key + ": " + Arrays.toString(values) + " at " + Arrays.toString(offsets);
    }
}
