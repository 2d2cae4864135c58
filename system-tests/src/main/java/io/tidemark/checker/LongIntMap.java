package io.tidemark.checker;

import java.util.Arrays;

/**
 * A map from numbers to indexes, by open addressing: 24 bytes an entry at half load, no order. Neighbouring numbers share a
 * cache line, because values are mostly counted up. Not thread-safe.
 */
final class LongIntMap {
    static final int ABSENT = -1;

    private static final int LINE_BITS = 3;
    private static final long LINE_MASK = (1 << LINE_BITS) - 1;
    private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

    private long[] keys = new long[16];
    private int[] values = new int[16];
    private int size;

    LongIntMap() {
        Arrays.fill(values, ABSENT);
    }

    /** The index under {@code key}, or {@link #ABSENT}. */
    int get(long key) {
        return values[slot(key)];
    }

    /** Puts an index that is not negative. */
    void put(long key, int value) {
        int slot = slot(key);
        if (values[slot] == ABSENT) {
            size++;
        }
        keys[slot] = key;
        values[slot] = value;
        if (size * 2 > keys.length) {
            grow();
        }
    }

    private int slot(long key) {
        int mask = keys.length - 1;
        long line = ((key >> LINE_BITS) * GOLDEN_GAMMA) >>> 32;
        int slot = (int) ((line << LINE_BITS) | (key & LINE_MASK)) & mask;
        while (values[slot] != ABSENT && keys[slot] != key) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void grow() {
        long[] oldKeys = keys;
        int[] oldValues = values;
        keys = new long[oldKeys.length * 2];
        values = new int[keys.length];
        Arrays.fill(values, ABSENT);
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldValues[i] != ABSENT) {
                int slot = slot(oldKeys[i]);
                keys[slot] = oldKeys[i];
                values[slot] = oldValues[i];
            }
        }
    }
}
