package io.tidemark.core.log.segment;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.io.FileHandle;
import io.tidemark.core.io.Files;
import io.tidemark.core.io.MappedFile;
import io.tidemark.core.runtime.Invariant;
import io.tidemark.core.runtime.KafkaStorageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sparse offset index of one segment (S8, DESIGN section 3).
 *
 * <p>Layout, big-endian, rising, nothing but entries (no preallocated tail, so that Kafka's dump tool reads it at any time):
 *
 * <pre>
 * 0 relativeOffset int32   last offset of a batch minus the segment's base, from 0 to 2^31-1
 * 4 position       int32   where that batch starts in the log file
 * </pre>
 *
 * <p>While its segment is active, entries are on the heap for look-ups and are written behind through the file port; once sealed
 * it is mapped read-only on first use. Nothing that is mapped is ever written or cut: a change of a sealed index makes a new file.
 * Entries are hints: whoever follows one checks the batch it points to.
 *
 * <p>Look-ups come from any thread and take no lock; everything else is the log's writer's.
 */
public final class OffsetIndex {
    /** Bytes of an entry. */
    public static final int ENTRY_BYTES = 8;

    private static final Logger LOG = LoggerFactory.getLogger(OffsetIndex.class);
    private static final int WRITE_BEHIND_ENTRIES = 512;

    private final Files io;
    private final Path file;
    private final long base;
    private final OnDemand<MappedFile> mapping;
    private volatile IndexEntries.@Nullable OnHeap heap;
    private volatile int sealedCount;
    private volatile boolean distrusted;
    private int writtenCount;
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
        this.io = space.io();
        this.file = files.index();
        this.base = files.base();
        this.mapping = new OnDemand<>(space.mappings(), this::mapUnlessActive);
    }

    /** Whether an index of that many entries takes no more. */
    static boolean isFull(int entries, LogConfig config) {
        return entries >= config.segments().indexMaxBytes() / ENTRY_BYTES;
    }

    /** Makes it the empty index of a new active segment; the file exists and is empty afterwards. */
    void create() throws IOException {
        try (FileHandle handle = io.openForAppend(file)) {
            handle.truncate(0);
        }
        heap = new IndexEntries.OnHeap();
        writtenCount = 0;
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
        if (!io.exists(file)) {
            return null;
        }
        long sizeBytes = io.size(file);
        if (sizeBytes % ENTRY_BYTES != 0 || sizeBytes > Integer.MAX_VALUE) {
            return null;
        }
        sealedCount = (int) (sizeBytes / ENTRY_BYTES);
        sealedLastPosition = 0;
        if (sealedCount == 0) {
            return Hint.START;
        }
        long last = lastOfFile();
        sealedLastPosition = IndexEntries.position(last);
        int relative = IndexEntries.relativeOffset(last);
        boolean isPossible = relative >= 0 && sealedLastPosition >= 0 && sealedLastPosition < logSizeBytes;
        return isPossible ? new Hint(base + relative, sealedLastPosition, Integer.MAX_VALUE) : null;
    }

    int count() {
        IndexEntries.OnHeap entries = heap;
        return entries != null ? entries.count() : sealedCount;
    }

    /** Where to look for {@code offset}; null if the index was removed with its segment, or became active meanwhile: look again. */
    @Nullable
    Hint lookup(long offset) throws IOException {
        IndexEntries.OnHeap entries = heap;
        if (entries != null) {
            return search(entries, offset);
        }
        return sealedCount == 0 || distrusted ? Hint.START : lookupMapped(offset);
    }

    /** An entry of a sealed index pointed to the wrong place: from now on look-ups start at the front. */
    void distrust() {
        if (heap == null && !distrusted) {
            distrusted = true;
            LOG.warn("index {} does not match its log; it is ignored until it is rebuilt", file);
        }
    }

    /** Where the batch of the last entry starts; 0 if there is no entry. */
    int lastPosition() {
        IndexEntries.OnHeap entries = heap;
        if (entries == null) {
            return sealedLastPosition;
        }
        Long last = entries.last();
        return last == null ? 0 : IndexEntries.position(last);
    }

    /** Adds the entry of a batch; nothing happens if the index is full. */
    void add(long lastOffset, int position, LogConfig config) throws IOException {
        IndexEntries.OnHeap entries = heapOfActive();
        if (isFull(entries.count(), config)) {
            return;
        }
        long relative = lastOffset - base;
        Long last = entries.last();
        Invariant.check(
                relative >= 0 && relative <= Integer.MAX_VALUE && position >= 0, () -> "not an entry: " + lastOffset);
        Invariant.check(
                last == null || IndexEntries.relativeOffset(last) < relative,
                () -> "index entry for " + lastOffset + " does not rise in " + file);
        entries.add(IndexEntries.pack((int) relative, position));
        if (entries.count() - writtenCount >= WRITE_BEHIND_ENTRIES) {
            writePending();
        }
    }

    /** Hands entries that are only on the heap to the file. */
    void writePending() throws IOException {
        IndexEntries.OnHeap entries = heapOfActive();
        if (writtenCount == entries.count()) {
            return;
        }
        try (FileHandle handle = io.openForAppend(file)) {
            handle.append(encode(entries, writtenCount));
        }
        writtenCount = entries.count();
    }

    /** Drops entries of batches whose last offset is at or above {@code offset} (KAFKA-588); of an active index. */
    void truncateTo(long offset) throws IOException {
        IndexEntries.OnHeap entries = heapOfActive();
        long relative = offset - base - 1;
        int kept = relative < 0 ? 0 : IndexEntries.floorSlot(entries, (int) Math.min(relative, Integer.MAX_VALUE)) + 1;
        entries.cutTo(kept);
        if (kept >= writtenCount) {
            return;
        }
        try (FileHandle handle = io.openForAppend(file)) {
            handle.truncate((long) kept * ENTRY_BYTES);
        }
        writtenCount = kept;
    }

    /** Writes what is pending; from now on the index is looked up in a mapping. */
    void seal() throws IOException {
        writePending();
        sealedLastPosition = lastPosition();
        sealedCount = writtenCount;
        heap = null;
    }

    /**
     * Makes a sealed index active again. Its file is replaced by a copy, so that a reader inside the old mapping is never cut
     * off.
     */
    void unseal() throws IOException {
        IndexEntries.OnHeap entries = readEntries();
        Path copy = file.resolveSibling(file.getFileName() + SegmentFiles.TEMPORARY_SUFFIX);
        try (FileHandle handle = io.openForAppend(copy)) {
            handle.truncate(0);
            handle.append(encode(entries, 0));
        }
        mapping.replace(() -> {
            io.rename(copy, file);
            becomeActive(entries);
        });
    }

    /** Makes a sealed index active that nobody has looked into yet. */
    void unsealUnread() throws IOException {
        becomeActive(readEntries());
    }

    /** Makes a sealed index durable. */
    void force() throws IOException {
        try (FileHandle handle = io.openForAppend(file)) {
            handle.force();
        }
    }

    /** Closes the mapping when its last reader has left; look-ups find the index gone. */
    void retire() {
        mapping.retire();
    }

    /** An active index may be cut at any time, which a mapping would not survive. */
    private @Nullable MappedFile mapUnlessActive() throws IOException {
        return heap == null ? io.mapReadOnly(file) : null;
    }

    /**
     * The one place that touches mapped memory, where a failing disk shows as an {@link InternalError} in whatever thread
     * reads.
     */
    private @Nullable Hint lookupMapped(long offset) throws IOException {
        Shared<MappedFile> lease = mapping.acquire();
        if (lease == null) {
            return null;
        }
        try {
            ByteBuffer buffer = lease.resource().buffer();
            return search(
                    new IndexEntries.InBuffer(buffer, Math.min(sealedCount, buffer.limit() / ENTRY_BYTES)), offset);
        } catch (InternalError e) {
            throw new KafkaStorageException("read the mapping of", file, e);
        } finally {
            lease.release();
        }
    }

    private Hint search(IndexEntries entries, long offset) {
        long relative = Math.min(offset - base, Integer.MAX_VALUE);
        int slot = relative < 0 ? -1 : IndexEntries.floorSlot(entries, (int) relative);
        int nextPosition = slot + 1 < entries.count() ? IndexEntries.position(entries.at(slot + 1)) : Integer.MAX_VALUE;
        if (slot < 0) {
            return new Hint(Hint.NO_ENTRY, 0, nextPosition);
        }
        long entry = entries.at(slot);
        return new Hint(base + IndexEntries.relativeOffset(entry), IndexEntries.position(entry), nextPosition);
    }

    private long lastOfFile() throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(ENTRY_BYTES);
        try (FileHandle handle = io.openForRead(file)) {
            handle.readFully(bytes, (long) (sealedCount - 1) * ENTRY_BYTES);
        }
        return bytes.getLong(0);
    }

    private void becomeActive(IndexEntries.OnHeap entries) {
        writtenCount = entries.count();
        distrusted = false;
        heap = entries;
    }

    private IndexEntries.OnHeap readEntries() throws IOException {
        IndexEntries.OnHeap entries = new IndexEntries.OnHeap();
        if (sealedCount == 0) {
            return entries;
        }
        ByteBuffer bytes = ByteBuffer.allocate(sealedCount * ENTRY_BYTES);
        try (FileHandle handle = io.openForRead(file)) {
            handle.readFully(bytes, 0);
        }
        IndexEntries inFile = new IndexEntries.InBuffer(bytes, sealedCount);
        for (int slot = 0; slot < inFile.count(); slot++) {
            entries.add(inFile.at(slot));
        }
        return entries;
    }

    private static ByteBuffer encode(IndexEntries entries, int fromSlot) {
        ByteBuffer bytes = ByteBuffer.allocate((entries.count() - fromSlot) * ENTRY_BYTES);
        for (int slot = fromSlot; slot < entries.count(); slot++) {
            bytes.putLong(entries.at(slot));
        }
        return bytes.flip();
    }

    private IndexEntries.OnHeap heapOfActive() {
        IndexEntries.OnHeap entries = heap;
        Invariant.check(entries != null, () -> "index is sealed: " + file);
        return Objects.requireNonNull(entries);
    }
}
