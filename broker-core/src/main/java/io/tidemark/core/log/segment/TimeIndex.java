package io.tidemark.core.log.segment;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.runtime.Invariant;
import io.tidemark.record.RecordBatch;
import io.tidemark.record.RecordBatchBuilder;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The sparse time index of one segment (DESIGN section 3).
 *
 * <p>Layout, big-endian, rising in both fields, nothing but entries:
 *
 * <pre>
 * 0 timestamp      int64   largest timestamp of the segment so far, at least 0
 * 8 relativeOffset int32   last offset of the first batch that holds it, minus the segment's base
 * </pre>
 *
 * <p>No batch up to that offset has a larger timestamp. Of a sealed segment, and after a clean stop, the last entry is the largest
 * timestamp of the whole segment. If some of its batches could not be read when the index was made, one more entry follows, of
 * timestamp 2^63-1 and the same offset: it fits no batch, so the next start, too, looks at the segment. Entries are hints: whoever follows one checks the batch it points to. How the file lives stands
 * in {@link EntryFile}.
 *
 * <p>Look-ups come from any thread and take no lock; everything else is the log's writer's.
 */
public final class TimeIndex {
    /** Bytes of an entry. */
    public static final int ENTRY_BYTES = 12;

    /** In the last entry: there are batches whose timestamps nobody knows. */
    private static final long UNREAD_MS = Long.MAX_VALUE;

    private static final int OFFSET_AT = 8;
    private static final IndexEntries.Key BY_TIME = (entries, slot) -> entries.longAt(slot, 0);
    private static final IndexEntries.Key BY_OFFSET = (entries, slot) -> entries.intAt(slot, OFFSET_AT);

    private final long base;
    private final EntryFile entries;
    private final EntryFile.Search<Entry> below = this::below;

    /**
     * A timestamp and where it is.
     *
     * @param timestampMs largest so far
     * @param lastOffset of the first batch that holds it
     */
    record Entry(long timestampMs, long lastOffset) {
        static final Entry NONE = new Entry(RecordBatchBuilder.NO_TIMESTAMP, -1);

        /** Of no batch with a timestamp. */
        boolean isNone() {
            return timestampMs == RecordBatchBuilder.NO_TIMESTAMP;
        }

        /** Whether it is the entry of that batch. */
        boolean describes(RecordBatch batch) {
            return batch.lastOffset() == lastOffset && batch.maxTimestampMs() == timestampMs;
        }

        /** The largest, once {@code batch} is counted too. */
        Entry orOf(RecordBatch batch) {
            return batch.maxTimestampMs() > timestampMs ? new Entry(batch.maxTimestampMs(), batch.lastOffset()) : this;
        }
    }

    TimeIndex(SegmentSpace space, SegmentFiles files) {
        this.base = files.base();
        this.entries = new EntryFile(space, files.timeIndex(), ENTRY_BYTES);
    }

    /**
     * Whether an index of that many entries takes no more but the one of a seal, for which room is kept. There is room for one
     * entry at least.
     */
    static boolean isFull(int entries, LogConfig config) {
        return entries >= Math.max(1, config.segments().indexMaxBytes() / ENTRY_BYTES - 1);
    }

    /** Makes it the empty index of a new active segment; the file exists and is empty afterwards. */
    void create() throws IOException {
        entries.create();
    }

    /**
     * Makes it the index of a sealed segment, if its file is sound.
     *
     * @return the last entry, {@link Entry#NONE} if there is none; null if the file is missing, holds no whole entries, or ends
     *     with an impossible one
     */
    @Nullable
    Entry openSealed() throws IOException {
        IndexEntries last = entries.openSealed();
        if (last == null || last.count() == 0) {
            return last == null ? null : Entry.NONE;
        }
        boolean isPossible = last.longAt(0, 0) >= 0 && last.intAt(0, OFFSET_AT) >= 0;
        return isPossible ? entryAt(last, 0) : null;
    }

    int count() {
        return entries.count();
    }

    /**
     * The last entry whose timestamp is below {@code timestampMs}: no batch up to its offset has that timestamp or a larger one.
     *
     * @return {@link Entry#NONE} if no entry is below; null if the index was removed with its segment, or became active
     *     meanwhile: look again
     */
    @Nullable
    Entry lookupBelow(long timestampMs) throws IOException {
        return entries.lookup(below, timestampMs);
    }

    /** An entry of a sealed index was wrong: from now on look-ups start at the front. */
    void distrust() {
        entries.distrust();
    }

    /** The last entry of an active index, or {@link Entry#NONE}. */
    Entry last() {
        IndexEntries active = entries.requireActive();
        return active.count() == 0 ? Entry.NONE : entryAt(active, active.count() - 1);
    }

    /** Adds an entry, if it rises above the last. Who calls keeps to the limit. */
    void add(Entry entry) throws IOException {
        Entry last = last();
        if (entry.timestampMs() <= last.timestampMs()) {
            return;
        }
        long relative = entry.lastOffset() - base;
        Invariant.check(
                relative >= 0 && relative <= Integer.MAX_VALUE && entry.lastOffset() > last.lastOffset(),
                () -> entry + " behind " + last + " is none of " + entries);
        append(entry.timestampMs(), (int) relative);
    }

    /** Ends an active index with the entry that says that there are batches whose timestamps nobody knows. */
    void addUnread() throws IOException {
        Entry last = last();
        if (last.timestampMs() != UNREAD_MS) {
            append(UNREAD_MS, last.isNone() ? 0 : (int) (last.lastOffset() - base));
        }
    }

    /** Takes that entry away again, if it is the last. */
    void dropUnread() throws IOException {
        if (last().timestampMs() == UNREAD_MS) {
            entries.cutTo(entries.count() - 1);
        }
    }

    private void append(long timestampMs, int relative) throws IOException {
        entries.add(ByteBuffer.allocate(ENTRY_BYTES)
                .putLong(timestampMs)
                .putInt(relative)
                .flip());
    }

    /** Hands entries that are only on the heap to the file. */
    void writePending() throws IOException {
        entries.writePending();
    }

    /** Drops entries of batches whose last offset is at or above {@code offset}; of an active index. */
    void truncateTo(long offset) throws IOException {
        entries.cutTo(entries.requireActive().floorSlot(BY_OFFSET, offset - base - 1) + 1);
    }

    /** Writes what is pending; from now on the index is looked up in a mapping. */
    void seal() throws IOException {
        entries.seal();
    }

    /** Makes a sealed index active again, in a copy of its file. */
    void unseal() throws IOException {
        entries.unseal();
    }

    /** Makes a sealed index active that nobody has looked into yet. */
    void unsealUnread() throws IOException {
        entries.unsealUnread();
    }

    /** Makes a sealed index durable. */
    void force() throws IOException {
        entries.force();
    }

    /** Closes the mapping when its last reader has left; look-ups find the index gone. */
    void retire() {
        entries.retire();
    }

    private Entry below(IndexEntries among, long timestampMs) {
        int slot = timestampMs == Long.MIN_VALUE ? -1 : among.floorSlot(BY_TIME, timestampMs - 1);
        return slot < 0 ? Entry.NONE : entryAt(among, slot);
    }

    private Entry entryAt(IndexEntries among, int slot) {
        return new Entry(among.longAt(slot, 0), base + among.intAt(slot, OFFSET_AT));
    }
}
