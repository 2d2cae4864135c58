package io.tidemark.core.log.segment;

import java.nio.ByteBuffer;

/**
 * Entries of an index as they lie in its file, in rising order; only absolute reads, so that any number of threads may share the
 * bytes.
 *
 * @param bytes the entries, and perhaps more
 * @param entryBytes size of one
 * @param count entries to look at
 */
record IndexEntries(ByteBuffer bytes, int entryBytes, int count) {
    /** How far from where it would be, if keys rose evenly, a slot is looked for first. */
    private static final int NEAR = 8;

    /** So few entries are halved at once. */
    private static final int FEW = 4 * NEAR;

    /** What entries are ordered by. */
    @FunctionalInterface
    interface Key {
        long of(IndexEntries entries, int slot);
    }

    /** The 32-bit field that starts {@code at} bytes into the entry number {@code slot}. */
    int intAt(int slot, int at) {
        return bytes.getInt(slot * entryBytes + at);
    }

    /** The 64-bit field that starts {@code at} bytes into the entry number {@code slot}. */
    long longAt(int slot, int at) {
        return bytes.getLong(slot * entryBytes + at);
    }

    /** The middle of two slots, also where their sum exceeds 2^31-1 (S11). */
    static int middle(int low, int high) {
        return (low + high) >>> 1;
    }

    /** The last slot whose key is at or below {@code target}; -1 if there is none. */
    int floorSlot(Key key, long target) {
        return count > FEW ? floorNearGuess(key, target) : floorBetween(key, target, 0, count - 1);
    }

    /**
     * Keys mostly rise about evenly, so that a slot is not far from where it would be if they did quite: a look to either side of
     * there leaves few slots to halve, and touches few pages of a long index.
     */
    private int floorNearGuess(Key key, long target) {
        long first = key.of(this, 0);
        long last = key.of(this, count - 1);
        if (target < first || target >= last) {
            return target < first ? -1 : count - 1;
        }
        // Of keys that lie 2^63 or more apart the difference is no long.
        int guess = (int) (((double) target - first) / ((double) last - first) * (count - 1));
        int below = Math.max(guess - NEAR, 0);
        if (key.of(this, below) > target) {
            return floorBetween(key, target, 0, below - 1);
        }
        int above = Math.min(guess + NEAR, count - 1);
        return key.of(this, above) > target
                ? floorBetween(key, target, below + 1, above - 1)
                : floorBetween(key, target, above + 1, count - 1);
    }

    /** As {@link #floorSlot}, where slots before {@code from} are at or below the target, and those behind {@code to} above it. */
    private int floorBetween(Key key, long target, int from, int to) {
        int low = from;
        int high = to;
        while (low <= high) {
            int middle = middle(low, high);
            if (key.of(this, middle) <= target) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return high;
    }

    /**
     * Entries on the heap: one writer, any number of readers without a lock. A reader may see entries that a truncation
     * and new appends replace meanwhile; it notices by the log's count of truncations.
     */
    static final class OnHeap {
        private static final int FIRST_CAPACITY = 16;

        private final int entryBytes;
        private volatile ByteBuffer bytes;
        private volatile int count;

        OnHeap(int entryBytes) {
            this(entryBytes, ByteBuffer.allocate(FIRST_CAPACITY * entryBytes), 0);
        }

        OnHeap(int entryBytes, ByteBuffer bytes, int count) {
            this.entryBytes = entryBytes;
            this.bytes = bytes;
            this.count = count;
        }

        int count() {
            return count;
        }

        /** The entries of this moment. The count is read first: the bytes are never older. */
        IndexEntries view() {
            int size = count;
            return new IndexEntries(bytes, entryBytes, size);
        }

        /** Adds the entry that {@code entry} holds from its position to its limit. */
        void add(ByteBuffer entry) {
            int slot = count;
            ByteBuffer room = bytes;
            if ((slot + 1) * entryBytes > room.capacity()) {
                int slots = Math.max(FIRST_CAPACITY, slot + (slot >> 1));
                room = ByteBuffer.allocate(slots * entryBytes).put(0, bytes, 0, slot * entryBytes);
                bytes = room;
            }
            room.put(slot * entryBytes, entry, entry.position(), entryBytes);
            count = slot + 1;
        }

        void cutTo(int newCount) {
            count = newCount;
        }

        /** The entries from a slot on, as they are written to a file. */
        ByteBuffer from(int slot) {
            return bytes.slice(slot * entryBytes, (count - slot) * entryBytes);
        }
    }
}
