package io.tidemark.core.log.segment;

import io.tidemark.core.io.FileHandle;
import io.tidemark.core.io.Files;
import io.tidemark.core.io.MappedFile;
import io.tidemark.core.runtime.Invariant;
import io.tidemark.core.runtime.KafkaStorageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file of entries of one size and nothing else: what the indexes of a segment have in common. There is no preallocated tail, so
 * that Kafka's dump tool reads it at any time.
 *
 * <p>While its segment is active, entries are on the heap for look-ups and are written behind through the file port; once sealed
 * the file is mapped read-only on first use. Nothing that is mapped is ever written or cut: a change of a sealed file makes a new
 * one.
 *
 * <p>Look-ups come from any thread and take no lock; everything else is the log's writer's, but for {@link #force()}.
 */
final class EntryFile {
    private static final Logger LOG = LoggerFactory.getLogger(EntryFile.class);
    private static final int WRITE_BEHIND_ENTRIES = 512;

    private final Files io;
    private final Path directory;
    private final Path file;
    private final int entryBytes;
    private final OnDemand<MappedEntries> mapping;
    private volatile IndexEntries.@Nullable OnHeap heap;
    private volatile int sealedCount;
    private volatile boolean distrusted;
    private volatile boolean unforcedName;
    private int writtenCount;

    /** What a look-up makes of the entries; it runs inside mapped memory and keeps nothing of it. */
    @FunctionalInterface
    interface Search<T> {
        T search(IndexEntries entries, long target);
    }

    /** The entries of a mapping, which stay what they are as long as it is open. */
    private record MappedEntries(MappedFile mapped, IndexEntries entries) implements AutoCloseable {
        @Override
        public void close() {
            mapped.close();
        }
    }

    EntryFile(SegmentSpace space, Path file, int entryBytes) {
        this.io = space.io();
        this.directory = space.directory();
        this.file = file;
        this.entryBytes = entryBytes;
        this.mapping = new OnDemand<>(space.mappings(), this::mapUnlessActive);
    }

    /** Makes it the empty file of a new active segment. */
    void create() throws IOException {
        mapping.replace(() -> {
            try (FileHandle handle = io.openForAppend(file)) {
                handle.truncate(0);
            }
            becomeActive(new IndexEntries.OnHeap(entryBytes));
        });
    }

    /**
     * Makes it the file of a sealed segment.
     *
     * @return its last entry, or none if it is empty; null if it is missing or does not hold whole entries
     */
    @Nullable
    IndexEntries openSealed() throws IOException {
        try (FileHandle handle = io.openForRead(file)) {
            long sizeBytes = handle.size();
            if (sizeBytes % entryBytes != 0 || sizeBytes > Integer.MAX_VALUE) {
                return null;
            }
            sealedCount = (int) (sizeBytes / entryBytes);
            if (sealedCount == 0) {
                return nothing();
            }
            ByteBuffer last = ByteBuffer.allocate(entryBytes);
            handle.readFully(last, sizeBytes - entryBytes);
            return new IndexEntries(last, entryBytes, 1);
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    private IndexEntries nothing() {
        return new IndexEntries(ByteBuffer.allocate(0), entryBytes, 0);
    }

    int count() {
        IndexEntries.OnHeap entries = heap;
        return entries != null ? entries.count() : sealedCount;
    }

    /** The entries of an active segment; null once it is sealed. */
    @Nullable
    IndexEntries active() {
        IndexEntries.OnHeap entries = heap;
        return entries == null ? null : entries.view();
    }

    /** The entries of a segment that is active. */
    IndexEntries requireActive() {
        return heapOfActive().view();
    }

    /** What the search says; null if the file was removed with its segment, or became active meanwhile: look again. */
    <T> @Nullable T lookup(Search<T> search, long target) throws IOException {
        IndexEntries.OnHeap entries = heap;
        if (entries != null) {
            return search.search(entries.view(), target);
        }
        if (sealedCount == 0 || distrusted) {
            return search.search(nothing(), target);
        }
        return lookupMapped(search, target);
    }

    /** An entry of a sealed segment was wrong: from now on look-ups find no entry. */
    void distrust() {
        if (heap == null && !distrusted) {
            distrusted = true;
            LOG.warn("index {} does not match its log; it is ignored until it is rebuilt", file);
        }
    }

    /** Adds an entry to an active file. */
    void add(ByteBuffer entry) throws IOException {
        IndexEntries.OnHeap entries = heapOfActive();
        entries.add(entry);
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
            handle.append(entries.from(writtenCount));
        }
        writtenCount = entries.count();
    }

    /** Keeps the first {@code kept} entries of an active file. */
    void cutTo(int kept) throws IOException {
        heapOfActive().cutTo(kept);
        if (kept >= writtenCount) {
            return;
        }
        try (FileHandle handle = io.openForAppend(file)) {
            handle.truncate((long) kept * entryBytes);
        }
        writtenCount = kept;
    }

    /** Writes what is pending; from now on look-ups use a mapping. */
    void seal() throws IOException {
        writePending();
        sealedCount = writtenCount;
        heap = null;
    }

    /** Makes a sealed file active again. It is replaced by a copy, so that a reader inside the old mapping is never cut off. */
    void unseal() throws IOException {
        IndexEntries.OnHeap entries = readEntries();
        Path copy = file.resolveSibling(file.getFileName() + SegmentFiles.TEMPORARY_SUFFIX);
        try (FileHandle handle = io.openForAppend(copy)) {
            handle.truncate(0);
            handle.append(entries.from(0));
        }
        mapping.replace(() -> {
            io.rename(copy, file);
            becomeActive(entries);
        });
        unforcedName = true;
    }

    /** Makes a sealed file active that nobody but its loader has looked into yet. */
    void unsealUnread() throws IOException {
        IndexEntries.OnHeap entries = readEntries();
        mapping.replace(() -> becomeActive(entries));
    }

    /** Makes what was written durable, under the file's name. */
    void force() throws IOException {
        try (FileHandle handle = io.openForAppend(file)) {
            handle.force();
        }
        if (unforcedName) {
            unforcedName = false;
            io.forceDirectory(directory);
        }
    }

    /** Closes the mapping when its last reader has left; look-ups find the file gone. */
    void retire() {
        mapping.retire();
    }

    @Override
    public String toString() {
        return file.toString();
    }

    /** An active file may be cut at any time, which a mapping would not survive. */
    private @Nullable MappedEntries mapUnlessActive() throws IOException {
        if (heap != null) {
            return null;
        }
        MappedFile mapped = io.mapReadOnly(file);
        ByteBuffer buffer = mapped.buffer();
        int count = Math.min(sealedCount, buffer.limit() / entryBytes);
        return new MappedEntries(mapped, new IndexEntries(buffer, entryBytes, count));
    }

    /**
     * The one place that touches mapped memory, where a failing disk shows as an {@link InternalError} in whatever thread
     * reads.
     */
    private <T> @Nullable T lookupMapped(Search<T> search, long target) throws IOException {
        try {
            return mapping.use(mapped -> search.search(mapped.entries(), target));
        } catch (InternalError e) {
            throw new KafkaStorageException("read the mapping of", file, e);
        }
    }

    private void becomeActive(IndexEntries.OnHeap entries) {
        writtenCount = entries.count();
        distrusted = false;
        heap = entries;
    }

    private IndexEntries.OnHeap readEntries() throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(sealedCount * entryBytes);
        if (sealedCount > 0) {
            try (FileHandle handle = io.openForRead(file)) {
                handle.readFully(bytes, 0);
            }
        }
        return new IndexEntries.OnHeap(entryBytes, bytes, bytes.position() / entryBytes);
    }

    private IndexEntries.OnHeap heapOfActive() {
        IndexEntries.OnHeap entries = heap;
        Invariant.check(entries != null, () -> "index is sealed: " + file);
        return Objects.requireNonNull(entries);
    }
}
