package io.tidemark.checker;

import java.util.Arrays;

/** Numbers in a row, four bytes each. Not thread-safe. */
final class IntList {
    private int[] numbers = new int[0];
    private int size;

    void add(int number) {
        if (size == numbers.length) {
            numbers = Arrays.copyOf(numbers, Math.max(8, size * 2));
        }
        numbers[size++] = number;
    }

    int get(int i) {
        return numbers[i];
    }

    void set(int i, int number) {
        numbers[i] = number;
    }

    int last() {
        return numbers[size - 1];
    }

    int removeLast() {
        return numbers[--size];
    }

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    int[] toArray() {
        return Arrays.copyOf(numbers, size);
    }
}
