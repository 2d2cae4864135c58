package io.tidemark.core.log.segment;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.io.FileHandle;
import io.tidemark.core.runtime.Invariant;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.record.InvalidBatchException;
import io.tidemark.record.RecordBatch;
import io.tidemark.record.RecordBatches;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A run of batches in one file, with its offset index and the position where it starts in its log.
 *
 * <p>States: <em>active</em> (its descriptor is pinned, its index on the heap, it is appended to), <em>sealed</em> (opened and
 * mapped on demand), <em>removed</em> (its files are renamed; who is inside finishes, nobody enters). A truncation makes a
 * sealed segment active again.
 *
 * <p>Reads come from any thread and take no lock. Everything else is the log's writer's, except {@link #force()}, which may
 * run beside it.
 */
public final class Segment {
    private final SegmentSpace space;
    private final SegmentFiles files;
    private final long startPosition;
    private final OffsetIndex index;
    private final OnDemand<FileHandle> log;
    private final LargestTimestamp largestTimestamp;
    private volatile int sizeBytes;
    private volatile @Nullable FileHandle writer;
    private int bytesSinceEntry;
    private boolean removed;

    private Segment(SegmentSpace space, SegmentFiles files, long startPosition, LargestTimestamp largestTimestamp) {
        this.space = space;
        this.largestTimestamp = largestTimestamp;
        this.files = files;
        this.startPosition = startPosition;
        this.index = new OffsetIndex(space, files);
        this.log = new OnDemand<>(space.descriptors(), () -> space.io().openForRead(files.log()));
    }

    /**
     * A new, empty, active segment. Empty files of its name are taken over; one with content is never overwritten
     * (KAFKA-6388).
     *
     * @param startPosition bytes of the log before it
     */
    public static Segment create(SegmentSpace space, long base, long startPosition) throws IOException {
        return create(space, new SegmentFiles(space.directory(), base), startPosition);
    }

    /** As {@link #create(SegmentSpace, long, long)}, in other files. */
    public static Segment create(SegmentSpace space, SegmentFiles files, long startPosition) throws IOException {
        Segment segment = new Segment(space, files, startPosition, LargestTimestamp.ofNothing());
        Path file = segment.files.log();
        if (space.io().exists(file) && space.io().size(file) != 0) {
            throw new KafkaStorageException("a segment with content is in the way: " + file);
        }
        segment.index.create();
        segment.openWriter();
        return segment;
    }

    /**
     * An existing segment, sealed. Its index is checked and rebuilt from the batch headers if it is missing or unsound (S8);
     * the caller has made sure that the file holds whole batches.
     *
     * @throws InvalidBatchException if the index has to be rebuilt and the file holds anything else
     */
    public static Segment open(SegmentSpace space, long base, long startPosition, LogConfig config) throws IOException {
        return open(space, new SegmentFiles(space.directory(), base), startPosition, config);
    }

    /** As {@link #open(SegmentSpace, long, long, LogConfig)}, from other files. */
    public static Segment open(SegmentSpace space, SegmentFiles files, long startPosition, LogConfig config)
            throws IOException {
        Segment segment = new Segment(space, files, startPosition, LargestTimestamp.unknown());
        segment.sizeBytes = Math.toIntExact(space.io().size(segment.files.log()));
        OffsetIndex.Hint last = segment.index.openSealed(segment.sizeBytes);
        if (last == null || !segment.isRight(last)) {
            segment.rebuildIndex(config);
        }
        return segment;
    }

    /** First offset that may be in it, and its name. */
    public long base() {
        return files.base();
    }

    public SegmentFiles files() {
        return files;
    }

    /** Bytes of the log before this segment; kept when earlier segments shrink or go (S36, S37). */
    public long startPosition() {
        return startPosition;
    }

    /** Bytes in it; of an active segment perhaps more than is published. */
    public int sizeBytes() {
        return sizeBytes;
    }

    public int indexEntries() {
        return index.count();
    }

    /** The largest timestamp of its batches by their headers, -1 if none has one. From any thread. */
    public long largestTimestampMs() {
        try {
            Long largest = scan(0, scan -> {
                long found = -1;
                while (scan.next()) {
                    found = Math.max(found, scan.header().maxTimestampMs());
                }
                return found;
            });
            return largest == null ? -1 : largest;
        } catch (IOException e) {
            throw new KafkaStorageException("read", files.log(), e);
        }
    }

    /** The largest timestamp of its first batch, from which its age counts; -1 if there is none. */
    public long firstTimestampMs() throws IOException {
        Long first = scan(0, scan -> scan.next() ? scan.header().maxTimestampMs() : -1L);
        return first == null ? -1 : first;
    }

    /**
     * Copies its bytes as they are, from {@code position} on, until {@code target} is full or the segment ends.
     *
     * @return false if the segment was removed: look again in the log's present segments
     */
    public boolean readAt(int position, ByteBuffer target) throws IOException {
        Shared<FileHandle> lease = log.acquire();
        if (lease == null) {
            return false;
        }
        try {
            lease.resource().read(target, position);
            return true;
        } finally {
            lease.release();
        }
    }

    /**
     * Reads batches.
     *
     * @return null if the segment was removed: look again in the log's present segments
     * @throws InvalidBatchException if a header is impossible, or if the segment was truncated meanwhile
     */
    public @Nullable SegmentRead read(SegmentRequest request) throws IOException {
        OffsetIndex.Hint hint = index.lookup(request.offset());
        Shared<FileHandle> lease = hint == null ? null : log.acquire();
        if (hint == null || lease == null) {
            return null;
        }
        try {
            SegmentReader reader = new SegmentReader(lease.resource(), request);
            try {
                return reader.read(hint);
            } catch (InvalidBatchException e) {
                distrust(hint, e);
                return reader.read(OffsetIndex.Hint.START);
            }
        } finally {
            lease.release();
        }
    }

    /**
     * Looks for the first record at or after a time. Reads headers from the segment's start on, unless an earlier walk has
     * shown that all its records are older.
     *
     * @return null if the segment was removed: look again in the log's present segments
     * @throws InvalidBatchException if a batch is damaged, or if the segment was truncated meanwhile
     */
    public @Nullable TimeRead search(TimeRequest request) throws IOException {
        if (!largestTimestamp.mayReach(request.timestampMs())) {
            return TimeRead.NOT_HERE;
        }
        Shared<FileHandle> lease = log.acquire();
        if (lease == null) {
            return null;
        }
        try {
            TimeWalk walk = new TimeWalk(lease.resource(), request);
            TimeRead read = walk.run();
            if (read.outcome() == TimeRead.Outcome.NOT_HERE) {
                largestTimestamp.walked(walk.largestMs());
            }
            return read;
        } finally {
            lease.release();
        }
    }

    /** Writes whole batches and index entries for them. An error may leave some of the bytes. */
    public void append(ByteBuffer batches, LogConfig config) throws IOException {
        int position = sizeBytes;
        writer().append(batches.duplicate());
        for (RecordBatch batch : RecordBatches.of(batches)) {
            indexBatch(batch, position, config);
            largestTimestamp.appended(batch.maxTimestampMs());
            position += batch.sizeBytes();
        }
        Invariant.check(position == sizeBytes + batches.remaining(), "appended bytes are whole batches");
        sizeBytes = position;
    }

    /** Ends its time as the active segment. */
    public void seal() throws IOException {
        index.seal();
        writer = null;
        log.unpin();
    }

    /** Makes it active; nothing happens if it is. */
    public void activate() throws IOException {
        if (writer != null) {
            return;
        }
        index.unseal();
        openWriter();
        resumeSpacing();
    }

    /** Makes it active right after it was {@linkplain #open opened}, before anybody reads it; cheaper. */
    public void activateUnread() throws IOException {
        index.unsealUnread();
        openWriter();
        resumeSpacing();
    }

    /**
     * Removes the batches from {@code position} on, of an active segment.
     *
     * @param offset the last offset of every batch before {@code position} is below it, of every other at or above it
     */
    public void truncateTo(long offset, int position) throws IOException {
        index.truncateTo(offset);
        writer().truncate(position);
        sizeBytes = position;
        resumeSpacing();
    }

    /** Hands index entries that are only in memory to the file system. */
    public void writePendingIndex() throws IOException {
        if (writer != null) {
            index.writePending();
        }
    }

    /** Makes its content durable, of a sealed segment also the index. A removed segment needs none. */
    public void force() throws IOException {
        Shared<FileHandle> lease = log.acquire();
        if (lease == null) {
            return;
        }
        try {
            forceLog(lease.resource());
        } finally {
            lease.release();
        }
    }

    /** Makes the index durable, of an active segment; for a clean stop. */
    public void forceIndex() throws IOException {
        writePendingIndex();
        index.force();
    }

    /**
     * Takes it out of service (S43): renames its files; readers inside finish, the next find it gone.
     *
     * @return the renamed files, to be unlinked later
     * @throws KafkaStorageException if a file could not be renamed
     */
    public List<Path> remove() {
        writer = null;
        synchronized (this) {
            removed = true;
        }
        index.retire();
        log.retire();
        return files.markDeleted(space.io());
    }

    /** Closes what is open and writes nothing more. */
    public void release() {
        writer = null;
        index.retire();
        log.retire();
    }

    /** A scan of its batches from {@code position} on, which the caller runs to its end before the segment changes. */
    public <T> @Nullable T scan(int position, Scanner<T> scanner) throws IOException {
        Shared<FileHandle> lease = log.acquire();
        if (lease == null) {
            return null;
        }
        try {
            return scanner.scan(new BatchScan(lease.resource(), position, sizeBytes, BatchScan.WINDOW_BYTES));
        } finally {
            lease.release();
        }
    }

    /** What to do with the batches of a segment. */
    @FunctionalInterface
    public interface Scanner<T> {
        T scan(BatchScan scan) throws IOException;
    }

    /** Where the last batch that the index knows starts: a scan from there finds the last batch. */
    public int lastIndexedPosition() {
        return index.lastPosition();
    }

    /** Where to start a scan for {@code offset}: no batch before it reaches that offset. */
    public int scanStart(long offset) throws IOException {
        OffsetIndex.Hint hint = index.lookup(offset);
        return hint == null ? 0 : hint.position();
    }

    @Override
    public String toString() {
        return files.log() + " (" + sizeBytes + " bytes)";
    }

    private void openWriter() throws IOException {
        FileHandle handle = space.io().openForAppend(files.log());
        log.pin(handle);
        writer = handle;
    }

    private void resumeSpacing() {
        bytesSinceEntry = sizeBytes - index.lastPosition();
    }

    private void indexBatch(RecordBatch batch, int position, LogConfig config) throws IOException {
        if (bytesSinceEntry > config.segments().indexIntervalBytes()) {
            index.add(batch.lastOffset(), position, config);
            bytesSinceEntry = 0;
        }
        bytesSinceEntry += batch.sizeBytes();
    }

    /** Whether the batch that an index entry promises is there. */
    private boolean isRight(OffsetIndex.Hint entry) throws IOException {
        if (entry.lastOffset() == OffsetIndex.Hint.NO_ENTRY) {
            return true;
        }
        Boolean isThere = scan(entry.position(), scan -> scan.next() && scan.lastOffset() == entry.lastOffset());
        return Boolean.TRUE.equals(isThere);
    }

    private void rebuildIndex(LogConfig config) throws IOException {
        index.create();
        bytesSinceEntry = 0;
        scan(0, scan -> {
            while (scan.next()) {
                indexBatch(scan.header(), scan.position(), config);
            }
            if (scan.end() != sizeBytes) {
                throw new InvalidBatchException(scan.fault() + " at position " + scan.end() + " of " + this);
            }
            return true;
        });
        index.seal();
    }

    private void distrust(OffsetIndex.Hint hint, InvalidBatchException cause) {
        if (hint.position() == 0) {
            throw cause;
        }
        index.distrust();
    }

    /**
     * A sealed segment's descriptor may be open for reading only, so it is forced through another one. That one is opened under
     * the monitor: a removal must not rename the file in between, or an empty one would be created.
     */
    private void forceLog(FileHandle handle) throws IOException {
        if (handle == writer) {
            handle.force();
            return;
        }
        FileHandle sealedLog;
        synchronized (this) {
            if (removed) {
                return;
            }
            sealedLog = space.io().openForAppend(files.log());
            index.force();
        }
        try (sealedLog) {
            sealedLog.force();
        }
    }

    private FileHandle writer() {
        return Objects.requireNonNull(writer, () -> "segment is not active: " + this);
    }
}
