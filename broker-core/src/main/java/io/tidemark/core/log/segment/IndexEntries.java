package io.tidemark.core.log.segment;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Entries of an offset index in rising order, each packed into a long as it lies in the file: relative offset in the upper
 * half, position in the lower.
 */
interface IndexEntries {
    int count();

    /** The packed entry number {@code slot}. */
    long at(int slot);

    static long pack(int relativeOffset, int position) {
        return (long) relativeOffset << Integer.SIZE | Integer.toUnsignedLong(position);
    }

    static int relativeOffset(long entry) {
        return (int) (entry >> Integer.SIZE);
    }

    static int position(long entry) {
        return (int) entry;
    }

    /** The middle of two slots, also where their sum exceeds 2^31-1 (S11). */
    static int middle(int low, int high) {
        return (low + high) >>> 1;
    }

    /** The last slot whose relative offset is at or below {@code relativeOffset}; -1 if there is none. */
    static int floorSlot(IndexEntries entries, int relativeOffset) {
        int low = 0;
        int high = entries.count() - 1;
        while (low <= high) {
            int middle = middle(low, high);
            if (relativeOffset(entries.at(middle)) <= relativeOffset) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return high;
    }

    /** Entries in a file's bytes. */
    record InBuffer(ByteBuffer buffer, int count) implements IndexEntries {
        @Override
        public long at(int slot) {
            return buffer.getLong(slot * OffsetIndex.ENTRY_BYTES);
        }
    }

    /**
     * Entries on the heap: one writer, any number of readers without a lock. A reader may see entries that a truncation
     * and new appends replace meanwhile; it notices by the log's count of truncations.
     */
    final class OnHeap implements IndexEntries {
        private static final int FIRST_CAPACITY = 16;

        private volatile long[] packed = new long[FIRST_CAPACITY];
        private volatile int count;

        @Override
        public int count() {
            return count;
        }

        @Override
        public long at(int slot) {
            return packed[slot];
        }

        void add(long entry) {
            int slot = count;
            long[] room = packed;
            if (slot == room.length) {
                room = Arrays.copyOf(room, slot + (slot >> 1));
                packed = room;
            }
            room[slot] = entry;
            count = slot + 1;
        }

        void cutTo(int newCount) {
            count = newCount;
        }

        @Nullable
        Long last() {
            int size = count;
            return size == 0 ? null : packed[size - 1];
        }
    }
}
