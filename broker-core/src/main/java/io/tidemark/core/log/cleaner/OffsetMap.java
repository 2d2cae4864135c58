package io.tidemark.core.log.cleaner;

import java.nio.ByteBuffer;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/**
 * The last offset of each key, in bounded memory: a fixed table of hashes, without the keys. For one thread.
 *
 * <p>Slot, 24 bytes: the key's MD5, then its offset + 1, so that a slot of zeros is free. Two keys with the same 128 bits would be
 * taken for one; by chance that does not happen, and a client that makes such keys on purpose hits its own records alone. Open
 * addressing, next slot first. Nine tenths of the slots are used at most, so that look-ups stay short. The table grows with the keys
 * up to the bound, and takes half as much again for the moment in which it grows; {@link #clear()} gives a large one back.
 */
final class OffsetMap {
    /** The answer for a key that is not in the map. */
    static final long ABSENT = -1;

    private static final int HASH_BYTES = 16;
    private static final int SLOT_BYTES = HASH_BYTES + Long.BYTES;
    private static final int MIN_SLOTS = 2;
    private static final double LOAD_FACTOR = 0.9;
    private static final int LONGEST_ARRAY_BYTES = Integer.MAX_VALUE - 64;
    private static final int FIRST_SLOTS = 4_096;

    private final MessageDigest digest;
    private final ByteBuffer hash = ByteBuffer.allocate(HASH_BYTES);
    private final int maxSlots;
    private final int capacity;
    private @Nullable ByteBuffer table;
    private int slots;
    private int size;

    /** A map of at most so many bytes; there is room for one key at least. */
    OffsetMap(long memoryBytes) {
        this.maxSlots = Math.max(MIN_SLOTS, (int) (Math.min(memoryBytes, LONGEST_ARRAY_BYTES) / SLOT_BYTES));
        this.capacity = usable(maxSlots);
        try {
            this.digest = MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has MD5", e);
        }
    }

    private static int usable(int slots) {
        return Math.max(1, (int) Math.min(slots - 1L, (long) (slots * LOAD_FACTOR)));
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
        ByteBuffer slotsInUse = withRoom();
        hash(key);
        int at = find(slotsInUse);
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
        if (slotsInUse == null || size == 0) {
            return ABSENT;
        }
        hash(key);
        return slotsInUse.getLong(find(slotsInUse) + HASH_BYTES) - 1;
    }

    /** Forgets all keys. */
    void clear() {
        ByteBuffer slotsInUse = table;
        if (slotsInUse != null && slots > FIRST_SLOTS) {
            table = null;
        } else if (slotsInUse != null && size > 0) {
            for (int at = HASH_BYTES; at < slotsInUse.capacity(); at += SLOT_BYTES) {
                slotsInUse.putLong(at, 0);
            }
        }
        size = 0;
    }

    /** The table, with a slot for one more key unless it is as large as it may be. */
    private ByteBuffer withRoom() {
        ByteBuffer old = table;
        if (old == null) {
            slots = Math.min(FIRST_SLOTS, maxSlots);
            ByteBuffer first = ByteBuffer.allocate(slots * SLOT_BYTES);
            table = first;
            return first;
        }
        return size < usable(slots) || slots == maxSlots ? old : grown(old);
    }

    private ByteBuffer grown(ByteBuffer old) {
        slots = (int) Math.min(2L * slots, maxSlots);
        ByteBuffer larger = ByteBuffer.allocate(slots * SLOT_BYTES);
        for (int at = 0; at < old.capacity(); at += SLOT_BYTES) {
            if (old.getLong(at + HASH_BYTES) != 0) {
                hash.put(0, old, at, HASH_BYTES);
                larger.put(find(larger), old, at, SLOT_BYTES);
            }
        }
        table = larger;
        return larger;
    }

    private void hash(ByteBuffer key) {
        int position = key.position();
        digest.update(key);
        key.position(position);
        try {
            digest.digest(hash.array(), 0, HASH_BYTES);
        } catch (DigestException e) {
            throw new IllegalStateException("a digest fits its own length", e);
        }
    }

    /** Where the slot of the key that was hashed last starts, or the free one that it would get: there is always a free one. */
    private int find(ByteBuffer slotsInUse) {
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
