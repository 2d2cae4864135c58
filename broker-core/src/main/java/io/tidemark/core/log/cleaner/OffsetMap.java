package io.tidemark.core.log.cleaner;

import java.nio.ByteBuffer;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The last offset of each key, in bounded memory: a fixed table of hashes, without the keys. For one thread.
 *
 * <p>Slot, 24 bytes: the key's MD5, then its offset + 1, so that a slot of zeros is free. Two keys with the same 128 bits would be
 * taken for one; by chance that does not happen, and a client that makes such keys on purpose hits its own records alone. Open
 * addressing, next slot first. Nine tenths of the slots are used at most, so that look-ups stay short. The table is made when the
 * first key comes.
 */
final class OffsetMap {
    /** The answer for a key that is not in the map. */
    static final long ABSENT = -1;

    private static final int HASH_BYTES = 16;
    private static final int SLOT_BYTES = HASH_BYTES + Long.BYTES;
    private static final int MIN_SLOTS = 2;
    private static final double LOAD_FACTOR = 0.9;
    private static final int LONGEST_ARRAY_BYTES = Integer.MAX_VALUE - 64;

    private final MessageDigest digest;
    private final ByteBuffer hash = ByteBuffer.allocate(HASH_BYTES);
    private final int slots;
    private final int capacity;
    private @Nullable ByteBuffer table;
    private int size;

    /** A map of at most so many bytes; there is room for one key at least. */
    OffsetMap(long memoryBytes) {
        this.slots = Math.max(MIN_SLOTS, (int) (Math.min(memoryBytes, LONGEST_ARRAY_BYTES) / SLOT_BYTES));
        this.capacity = Math.max(1, (int) Math.min(slots - 1L, (long) (slots * LOAD_FACTOR)));
        try {
            this.digest = MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has MD5", e);
        }
    }

    /** Keys that fit. */
    int capacity() {
        return capacity;
    }

    int size() {
        return size;
    }

    /**
     * Sets the offset of a key. The buffer's position is not moved.
     *
     * @return false, and nothing changed, if the key is new and the map is full
     */
    boolean put(ByteBuffer key, long offset) {
        ByteBuffer slotsInUse = table;
        if (slotsInUse == null) {
            slotsInUse = ByteBuffer.allocate(slots * SLOT_BYTES);
            table = slotsInUse;
        }
        int at = find(slotsInUse, key);
        boolean isNew = slotsInUse.getLong(at + HASH_BYTES) == 0;
        if (isNew && size == capacity) {
            return false;
        }
        if (isNew) {
            slotsInUse.put(at, hash, 0, HASH_BYTES);
            size++;
        }
        slotsInUse.putLong(at + HASH_BYTES, offset + 1);
        return true;
    }

    /** The offset that was last put for the key, or {@link #ABSENT}. The buffer's position is not moved. */
    long get(ByteBuffer key) {
        ByteBuffer slotsInUse = table;
        return slotsInUse == null || size == 0 ? ABSENT : slotsInUse.getLong(find(slotsInUse, key) + HASH_BYTES) - 1;
    }

    /** Forgets all keys. */
    void clear() {
        if (table != null && size > 0) {
            Arrays.fill(table.array(), (byte) 0);
        }
        size = 0;
    }

    /** Where the key's slot starts, or the free one that it would get: there is always a free one. */
    private int find(ByteBuffer slotsInUse, ByteBuffer key) {
        digest.update(key.duplicate());
        try {
            digest.digest(hash.array(), 0, HASH_BYTES);
        } catch (DigestException e) {
            throw new IllegalStateException("a digest fits its own length", e);
        }
        long upper = hash.getLong(0);
        long lower = hash.getLong(Long.BYTES);
        int slot = (int) Long.remainderUnsigned(upper, slots);
        while (true) {
            int at = slot * SLOT_BYTES;
            boolean isFree = slotsInUse.getLong(at + HASH_BYTES) == 0;
            if (isFree || (slotsInUse.getLong(at) == upper && slotsInUse.getLong(at + Long.BYTES) == lower)) {
                return at;
            }
            slot = slot + 1 == slots ? 0 : slot + 1;
        }
    }
}
