package io.tidemark.core.runtime;

import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Many timeouts, most of which never expire: adding and cancelling cost O(1), and a cancelled entry is gone at once.
 *
 * <p>Time is counted in ticks since the start, and written in digits of base 64. An entry lies on the wheel of the
 * highest digit in which its due tick differs from the current tick, in the slot of that digit; since the due tick is
 * the later one, all slots in use lie ahead of the current digit and none wraps around. When time reaches the start of a
 * slot, its entries move to lower wheels; those of the lowest wheel expire. The next slot to reach is therefore the
 * first one in use on the lowest wheel in use.
 *
 * <p>A pure data structure: time is passed in, nothing is called but the consumer of {@link #advanceTo}. Not
 * thread-safe.
 */
public final class TimingWheel<T> {
    private static final int DIGIT_BITS = 6;
    private static final int SLOTS = 1 << DIGIT_BITS;
    private static final int SLOT_MASK = SLOTS - 1;
    private static final int WHEELS = (Long.SIZE + DIGIT_BITS - 1) / DIGIT_BITS;

    private final long tickNs;
    private final long startNs;
    private final Slots<T>[] wheels;
    private long currentTick;
    private int size;

    /**
     * @param tickNs precision: an entry expires at its due time or less than one tick later, never before
     * @param startNs monotonic time now
     */
    @SuppressWarnings({"unchecked", "rawtypes"}) // arrays of generic types cannot be made otherwise
    public TimingWheel(long tickNs, long startNs) {
        Invariant.check(tickNs > 0, "a tick is positive");
        this.tickNs = tickNs;
        this.startNs = startNs;
        this.wheels = new Slots[WHEELS];
        for (int i = 0; i < WHEELS; i++) {
            wheels[i] = new Slots<>();
        }
    }

    /** Adds an item that is due at {@code dueNs}; one that is due already expires at the next tick. */
    public Entry<T> add(long dueNs, T item) {
        Entry<T> entry = new Entry<>(Math.max(dueTick(dueNs), currentTick + 1), item);
        place(entry);
        size++;
        return entry;
    }

    /**
     * Takes an entry out.
     *
     * @return false if it had expired or was cancelled before
     */
    public boolean cancel(Entry<T> entry) {
        if (entry.slots == null) {
            return false;
        }
        entry.slots.unlink(entry);
        size--;
        return true;
    }

    /** Moves time to {@code nowNs} and hands on what has expired, in order of due tick. Time never goes back. */
    public void advanceTo(long nowNs, Consumer<? super T> expired) {
        long targetTick = Math.max(currentTick, (nowNs - startNs) / tickNs);
        int wheel = lowestInUse();
        while (wheel >= 0 && slotStart(wheel) <= targetTick) {
            currentTick = slotStart(wheel);
            empty(wheels[wheel], wheels[wheel].firstUsed(), expired);
            wheel = lowestInUse();
        }
        currentTick = targetTick;
    }

    private void empty(Slots<T> slots, int slot, Consumer<? super T> expired) {
        // Nothing comes back to the slot: its digit is the current one now, so what differs is a lower digit.
        for (Entry<T> entry = slots.heads[slot]; entry != null; entry = slots.heads[slot]) {
            slots.unlink(entry);
            if (entry.dueTick <= currentTick) {
                size--;
                expired.accept(entry.item);
            } else {
                place(entry);
            }
        }
    }

    /** Monotonic time at which {@link #advanceTo} has something to do next; empty if there is no entry. */
    public OptionalLong nextNs() {
        int wheel = lowestInUse();
        return wheel < 0 ? OptionalLong.empty() : OptionalLong.of(startNs + slotStart(wheel) * tickNs);
    }

    /** Entries that have neither expired nor been cancelled. */
    public int size() {
        return size;
    }

    private long dueTick(long dueNs) {
        long delayNs = dueNs - startNs;
        return delayNs <= 0 ? 0 : (delayNs - 1) / tickNs + 1;
    }

    private void place(Entry<T> entry) {
        long differing = (entry.dueTick ^ currentTick) | 1;
        int wheel = (Long.SIZE - 1 - Long.numberOfLeadingZeros(differing)) / DIGIT_BITS;
        wheels[wheel].link(entry, (int) (entry.dueTick >>> (wheel * DIGIT_BITS)) & SLOT_MASK);
    }

    private int lowestInUse() {
        for (int wheel = 0; wheel < WHEELS; wheel++) {
            if (wheels[wheel].used != 0) {
                return wheel;
            }
        }
        return -1;
    }

    /** First tick of the first slot in use: the digits of the current tick above it, the slot, zeros below. */
    private long slotStart(int wheel) {
        int shift = wheel * DIGIT_BITS;
        long above = shift + DIGIT_BITS >= Long.SIZE ? 0 : currentTick >>> (shift + DIGIT_BITS) << (shift + DIGIT_BITS);
        return above | (long) wheels[wheel].firstUsed() << shift;
    }

    /** An item in the wheel: the handle for {@link #cancel}. */
    public static final class Entry<T> {
        private final long dueTick;
        private final T item;
        private @Nullable Slots<T> slots;
        private int slot;
        private @Nullable Entry<T> previous;
        private @Nullable Entry<T> following;

        private Entry(long dueTick, T item) {
            this.dueTick = dueTick;
            this.item = item;
        }
    }

    /** One wheel: a doubly linked list per slot, and a bit for each that is not empty. */
    private static final class Slots<T> {
        private final @Nullable Entry<T>[] heads;
        private long used;

        @SuppressWarnings({"unchecked", "rawtypes"}) // arrays of generic types cannot be made otherwise
        private Slots() {
            heads = new Entry[SLOTS];
        }

        int firstUsed() {
            return Long.numberOfTrailingZeros(used);
        }

        void link(Entry<T> entry, int slot) {
            Entry<T> head = heads[slot];
            entry.slots = this;
            entry.slot = slot;
            entry.previous = null;
            entry.following = head;
            if (head != null) {
                head.previous = entry;
            }
            heads[slot] = entry;
            used |= 1L << slot;
        }

        void unlink(Entry<T> entry) {
            if (entry.previous != null) {
                entry.previous.following = entry.following;
            } else {
                heads[entry.slot] = entry.following;
            }
            if (entry.following != null) {
                entry.following.previous = entry.previous;
            }
            if (heads[entry.slot] == null) {
                used &= ~(1L << entry.slot);
            }
            entry.slots = null;
            entry.previous = null;
            entry.following = null;
        }
    }
}
