package io.tidemark.checker;

import java.util.Arrays;

/** Numbers in a row, eight bytes each. Not thread-safe. */
final class LongList {
    private long[] numbers = new long[0];
    private int size;

    void add(long number) {
        if (size == numbers.length) {
            numbers = Arrays.copyOf(numbers, Math.max(8, size * 2));
        }
        numbers[size++] = number;
    }

    long get(int i) {
        return numbers[i];
    }

    void set(int i, long number) {
        numbers[i] = number;
    }

    int size() {
        return size;
    }

    long[] toArray() {
        return Arrays.copyOf(numbers, size);
    }
}
