package io.tidemark.core.log.segment;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.runtime.Invariant;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The sparse offset index of one segment (S8, DESIGN section 3).
 *
 * <p>Layout, big-endian, rising, nothing but entries:
 *
 * <pre>
 * 0 relativeOffset int32   last offset of a batch minus the segment's base, from 0 to 2^31-1
 * 4 position       int32   where that batch starts in the log file
 * </pre>
 *
 * <p>Entries are hints: whoever follows one checks the batch it points to. How the file lives stands in {@link EntryFile}.
 *
 * <p>Look-ups come from any thread and take no lock; everything else is the log's writer's.
 */
public final class OffsetIndex {
    /** Bytes of an entry. */
    public static final int ENTRY_BYTES = 8;

    private static final int POSITION_AT = 4;
    private static final IndexEntries.Key BY_OFFSET = (entries, slot) -> entries.intAt(slot, 0);

    private final long base;
    private final EntryFile entries;
    private final EntryFile.Search<Hint> search = this::search;
    private int sealedLastPosition;

    /**
     * Where to look for an offset.
     *
     * @param lastOffset of the batch at {@code position}, or {@link #NO_ENTRY} if no entry is at or below the target
     * @param position where to start scanning
     * @param nextPosition start of the batch that the next entry points to: the target is there or before; {@link
     *     Integer#MAX_VALUE} if there is no next entry
     */
    record Hint(long lastOffset, int position, int nextPosition) {
        static final long NO_ENTRY = -1;

        static final Hint START = at(0);

        /** A place that no entry vouches for. */
        static Hint at(int position) {
            return new Hint(NO_ENTRY, position, Integer.MAX_VALUE);
        }
    }

    OffsetIndex(SegmentSpace space, SegmentFiles files) {
        this.base = files.base();
        this.entries = new EntryFile(space, files.index(), ENTRY_BYTES);
    }

    /** Whether an index of that many entries takes no more. */
    static boolean isFull(int entries, LogConfig config) {
        return entries >= config.segments().indexMaxBytes() / ENTRY_BYTES;
    }

    /** Makes it the empty index of a new active segment; the file exists and is empty afterwards. */
    void create() throws IOException {
        entries.create();
    }

    /**
     * Makes it the index of a sealed segment, if its file is sound.
     *
     * @param logSizeBytes size of the log file; no entry may point behind it
     * @return the last entry, {@link Hint#START} if there is none; null if the file is missing, holds no whole entries, or ends
     *     with an impossible one
     */
    @Nullable
    Hint openSealed(int logSizeBytes) throws IOException {
        sealedLastPosition = 0;
        IndexEntries last = entries.openSealed();
        if (last == null || last.count() == 0) {
            return last == null ? null : Hint.START;
        }
        int relative = last.intAt(0, 0);
        sealedLastPosition = last.intAt(0, POSITION_AT);
        boolean isPossible = relative >= 0 && sealedLastPosition >= 0 && sealedLastPosition < logSizeBytes;
        return isPossible ? new Hint(base + relative, sealedLastPosition, Integer.MAX_VALUE) : null;
    }

    int count() {
        return entries.count();
    }

    /** Where to look for {@code offset}; null if the index was removed with its segment, or became active meanwhile: look again. */
    @Nullable
    Hint lookup(long offset) throws IOException {
        return entries.lookup(search, offset);
    }

    /** An entry of a sealed index pointed to the wrong place: from now on look-ups start at the front. */
    void distrust() {
        entries.distrust();
    }

    /** Where the batch of the last entry starts; 0 if there is no entry. */
    int lastPosition() {
        IndexEntries active = entries.active();
        if (active == null) {
            return sealedLastPosition;
        }
        return active.count() == 0 ? 0 : active.intAt(active.count() - 1, POSITION_AT);
    }

    /** Adds the entry of a batch; nothing happens if the index is full. */
    void add(long lastOffset, int position, LogConfig config) throws IOException {
        IndexEntries active = entries.requireActive();
        if (isFull(active.count(), config)) {
            return;
        }
        long relative = lastOffset - base;
        Invariant.check(
                relative >= 0 && relative <= Integer.MAX_VALUE && position >= 0, () -> "not an entry: " + lastOffset);
        Invariant.check(
                active.count() == 0 || active.intAt(active.count() - 1, 0) < relative,
                () -> "index entry for " + lastOffset + " does not rise in " + entries);
        entries.add(ByteBuffer.allocate(ENTRY_BYTES)
                .putInt((int) relative)
                .putInt(position)
                .flip());
    }

    /** Hands entries that are only on the heap to the file. */
    void writePending() throws IOException {
        entries.writePending();
    }

    /** Drops entries of batches whose last offset is at or above {@code offset} (KAFKA-588); of an active index. */
    void truncateTo(long offset) throws IOException {
        entries.cutTo(entries.requireActive().floorSlot(BY_OFFSET, offset - base - 1) + 1);
    }

    /** Writes what is pending; from now on the index is looked up in a mapping. */
    void seal() throws IOException {
        sealedLastPosition = lastPosition();
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

    private Hint search(IndexEntries among, long offset) {
        int slot = among.floorSlot(BY_OFFSET, offset - base);
        int nextPosition = slot + 1 < among.count() ? among.intAt(slot + 1, POSITION_AT) : Integer.MAX_VALUE;
        return slot < 0
                ? new Hint(Hint.NO_ENTRY, 0, nextPosition)
                : new Hint(base + among.intAt(slot, 0), among.intAt(slot, POSITION_AT), nextPosition);
    }
}
