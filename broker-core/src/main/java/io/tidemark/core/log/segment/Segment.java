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
 * A run of batches in one file, with its indexes and the position where it starts in its log.
 *
 * <p>States: <em>active</em> (its descriptor is pinned, its indexes on the heap, it is appended to), <em>sealed</em> (opened and
 * mapped on demand), <em>removed</em> (its files are renamed; who is inside finishes, nobody enters). A truncation makes a
 * sealed segment active again.
 *
 * <p>Reads come from any thread and take no lock. Everything else is the log's writer's, except {@link #force()}, which may
 * run beside it.
 */
public final class Segment {
    /** A window for a look at a few headers. */
    public static final int CHECK_WINDOW_BYTES = 4 * 1024;

    private final SegmentSpace space;
    private final SegmentFiles files;
    private final long startPosition;
    private final SegmentIndexes indexes;
    private final OnDemand<FileHandle> log;
    private volatile int sizeBytes;
    private volatile @Nullable FileHandle writer;
    private volatile List<BadStretch> bad = List.of();
    private @Nullable Long firstTimestampMs;
    private boolean rebuilt;
    private boolean removed;

    private Segment(SegmentSpace space, SegmentFiles files, long startPosition) {
        this.space = space;
        this.files = files;
        this.startPosition = startPosition;
        this.indexes = new SegmentIndexes(space, files);
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
        Segment segment = new Segment(space, files, startPosition);
        Path file = segment.files.log();
        if (space.io().exists(file) && space.io().size(file) != 0) {
            throw new KafkaStorageException("a segment with content is in the way: " + file);
        }
        segment.indexes.create();
        segment.openWriter();
        return segment;
    }

    /**
     * An existing segment, sealed. Its indexes are checked and rebuilt from the batch headers if one is missing or unsound
     * (S8); the caller has made sure that the file holds whole batches.
     *
     * @throws InvalidBatchException if the indexes have to be rebuilt and the file holds anything else
     */
    public static Segment open(SegmentSpace space, long base, long startPosition, LogConfig config) throws IOException {
        return open(space, new SegmentFiles(space.directory(), base), startPosition, config);
    }

    /** As {@link #open(SegmentSpace, long, long, LogConfig)}, from other files. */
    public static Segment open(SegmentSpace space, SegmentFiles files, long startPosition, LogConfig config)
            throws IOException {
        Segment segment = unopened(space, files, startPosition);
        segment.rebuilt = new SegmentOpening(segment, segment.indexes, config, Long.MAX_VALUE).ofWholeFile()
                == SegmentOpening.Indexes.MADE_ANEW;
        return segment;
    }

    /**
     * As {@link #open(SegmentSpace, long, long, LogConfig)}, of a file that may be damaged. If that keeps its indexes from being
     * rebuilt it is {@linkplain #survey surveyed}, and they are those of what can be read.
     *
     * @param upperOffset all its offsets are below this
     */
    public static Segment openAround(
            SegmentSpace space, long base, long startPosition, long upperOffset, LogConfig config) throws IOException {
        Segment segment = unopened(space, new SegmentFiles(space.directory(), base), startPosition);
        segment.rebuilt = new SegmentOpening(segment, segment.indexes, config, upperOffset).ofWhatIsSound()
                == SegmentOpening.Indexes.MADE_ANEW;
        return segment;
    }

    /** What stands in for the segments of a log that is about to begin again: empty and without files. */
    public static Segment standIn(SegmentSpace space, long base) {
        Segment segment = new Segment(space, new SegmentFiles(space.directory(), base), 0);
        segment.release();
        return segment;
    }

    private static Segment unopened(SegmentSpace space, SegmentFiles files, long startPosition) throws IOException {
        Segment segment = new Segment(space, files, startPosition);
        long sizeBytes = space.io().size(files.log());
        if (sizeBytes > Integer.MAX_VALUE) {
            throw new KafkaStorageException(files.log() + " has " + sizeBytes + " bytes, more than any segment");
        }
        segment.sizeBytes = (int) sizeBytes;
        return segment;
    }

    /**
     * Looks at each of its bytes for what is damaged; before anybody reads it.
     *
     * @param upperOffset all its offsets are below this
     * @throws KafkaStorageException if it holds batches that are sound and belong elsewhere (S16)
     */
    public void survey(long upperOffset) throws IOException {
        List<BadStretch> found = log.use(file -> new SegmentSurvey(files, file, sizeBytes, upperOffset).run());
        bad = found == null ? List.of() : found;
    }

    /** What a {@linkplain #survey} has found, as far as it was not cut off since; in order. */
    public List<BadStretch> bad() {
        return bad;
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

    /** Entries of the offset index. */
    public int indexEntries() {
        return indexes.offsetEntries();
    }

    /** Entries of the time index. */
    public int timeIndexEntries() {
        return indexes.timeEntries();
    }

    /**
     * The largest timestamp of its batches by their headers, -1 if none has one; known without reading the log. Of an active
     * segment it may be that of a batch that is not published. From any thread.
     */
    public long largestTimestampMs() {
        return indexes.largest().timestampMs();
    }

    /** Whether it has batches that could not be read, whose timestamps {@link #largestTimestampMs()} does not count. */
    public boolean hasUnreadTimestamps() {
        return indexes.hasUnreadTimes();
    }

    /** The largest timestamp of its first batch, from which its age counts; -1 if there is none. */
    public long firstTimestampMs() throws IOException {
        Long known = firstTimestampMs;
        if (known == null) {
            known = scan(0, CHECK_WINDOW_BYTES, Segment::timestampOfNext);
            firstTimestampMs = sizeBytes == 0 ? null : known;
        }
        return known == null ? TimeIndex.Entry.NONE.timestampMs() : known;
    }

    private static long timestampOfNext(BatchScan scan) throws IOException {
        return scan.next() ? scan.header().maxTimestampMs() : TimeIndex.Entry.NONE.timestampMs();
    }

    /**
     * Copies its bytes as they are, from {@code position} on, until {@code target} is full or the segment ends.
     *
     * @return false if the segment was removed: look again in the log's present segments
     */
    public boolean readAt(int position, ByteBuffer target) throws IOException {
        return log.use(file -> file.read(target, position)) != null;
    }

    /**
     * Reads batches.
     *
     * @return null if the segment was removed: look again in the log's present segments
     * @throws InvalidBatchException if the batch in question or one in front of it is not sound as far as the request checks
     *     it, or if the segment was truncated meanwhile
     */
    public @Nullable SegmentRead read(SegmentRequest request) throws IOException {
        OffsetIndex.Hint hint = indexes.lookup(request.offset());
        if (hint == null) {
            return null;
        }
        return log.use(file -> new SegmentReader(file, base(), request).read(hint, indexes));
    }

    /**
     * Looks for the first record at or after a time: not at all if the largest timestamp is below it, else from where the
     * time index points.
     *
     * @return null if the segment was removed: look again in the log's present segments
     * @throws InvalidBatchException if a batch is damaged, or if the segment was truncated meanwhile
     */
    public @Nullable TimeRead search(TimeRequest request) throws IOException {
        if (largestTimestampMs() < request.timestampMs()) {
            return TimeRead.NOT_HERE;
        }
        SegmentIndexes.TimeStart start = indexes.lookupTime(request.timestampMs());
        if (start == null) {
            return null;
        }
        return log.use(file -> new TimeWalk(file, request).run(start, indexes));
    }

    /** Writes whole batches and index entries for them. An error may leave some of the bytes. */
    public void append(ByteBuffer batches, LogConfig config) throws IOException {
        int position = sizeBytes;
        writer().append(batches.duplicate());
        for (RecordBatch batch : RecordBatches.of(batches)) {
            if (position == 0) {
                firstTimestampMs = batch.maxTimestampMs();
            }
            indexes.add(batch, position, config);
            position += batch.sizeBytes();
        }
        Invariant.check(position == sizeBytes + batches.remaining(), "appended bytes are whole batches");
        sizeBytes = position;
    }

    /** Ends its time as the active segment. */
    public void seal() throws IOException {
        indexes.seal();
        writer = null;
        log.unpin();
    }

    /** Makes it active; nothing happens if it is. */
    public void activate() throws IOException {
        if (writer != null) {
            return;
        }
        indexes.unseal(sizeBytes);
        openWriter();
    }

    /** Makes it active right after it was {@linkplain #open opened}, before anybody reads it; cheaper. */
    public void activateUnread() throws IOException {
        indexes.unsealUnread(sizeBytes);
        openWriter();
    }

    /**
     * Removes the batches from {@code position} on, of an active segment.
     *
     * @param offset the last offset of every batch before {@code position} is below it, of every other at or above it
     */
    public void truncateTo(long offset, int position) throws IOException {
        TimeIndex.Entry largest = indexes.truncateTo(offset);
        writer().truncate(position);
        sizeBytes = position;
        bad = bad.stream().filter(stretch -> stretch.position() < position).toList();
        firstTimestampMs = position == 0 ? null : firstTimestampMs;
        indexes.resume(position, largestFrom(indexes.lastPosition(), largest));
    }

    /** Hands index entries that are only in memory to the file system. */
    public void writePendingIndex() throws IOException {
        if (writer != null) {
            indexes.writePending();
        }
    }

    /** Makes its content durable, of a sealed segment also the indexes. A removed segment needs none. */
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

    /** Makes the indexes durable and whole, of an active segment; for a clean stop. */
    public void forceIndex() throws IOException {
        if (writer != null) {
            indexes.complete();
        }
        indexes.force();
    }

    /**
     * Makes the indexes of a sealed segment durable if they had to be rebuilt: a part of a time index would look like a whole
     * one.
     */
    public void forceRebuiltIndexes() throws IOException {
        if (rebuilt) {
            indexes.force();
            rebuilt = false;
        }
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
        indexes.retire();
        log.retire();
        return files.markDeleted(space.io());
    }

    /** Takes it out of service and gives its files the names of {@code target}; nobody makes an empty file of an old name. */
    public void moveTo(SegmentFiles target) throws IOException {
        writer = null;
        synchronized (this) {
            removed = true;
        }
        indexes.retire();
        log.retire();
        files.renameTo(space.io(), target);
    }

    /** Closes what is open and writes nothing more: the directory may be another log's by now. */
    public void release() {
        writer = null;
        synchronized (this) {
            removed = true;
        }
        indexes.retire();
        log.retire();
    }

    /** A scan of its batches from {@code position} on, which the caller runs to its end before the segment changes. */
    public <T> @Nullable T scan(int position, Scanner<T> scanner) throws IOException {
        return scan(position, BatchScan.WINDOW_BYTES, scanner);
    }

    /** As {@link #scan(int, Scanner)}, so many bytes at a time. */
    public <T> @Nullable T scan(int position, int windowBytes, Scanner<T> scanner) throws IOException {
        return log.use(file -> scanner.scan(new BatchScan(file, position, sizeBytes, windowBytes)));
    }

    /** As {@link #scan}, past what a {@linkplain #survey} has found bad: one scan for each run of batches in between. */
    public void scanSound(int position, Scanner<?> scanner) throws IOException {
        int from = position;
        for (BadStretch stretch : bad) {
            scanRun(from, stretch.position(), scanner);
            from = Math.max(from, stretch.behindPosition());
        }
        scanRun(from, sizeBytes, scanner);
    }

    void scanRun(int from, int limit, Scanner<?> scanner) throws IOException {
        if (from < limit) {
            log.use(file -> scanner.scan(new BatchScan(file, from, limit, BatchScan.WINDOW_BYTES)));
        }
    }

    /**
     * Checks a run of batches byte by byte; beside readers and writers.
     *
     * @return null if the segment was removed
     * @throws InvalidBatchException if the file gets shorter meanwhile, as by a truncation
     */
    public Examination.@Nullable Finding examine(Examination request) throws IOException {
        return log.use(file -> examine(file, request));
    }

    /** Where the index says that a batch starts well in front of {@code offset}: its entry before the last one that counts. */
    public int examinationStart(long offset) throws IOException {
        OffsetIndex.Hint hint = indexes.lookup(offset);
        if (hint == null || hint.lastOffset() == OffsetIndex.Hint.NO_ENTRY) {
            return 0;
        }
        OffsetIndex.Hint earlier = indexes.lookup(hint.lastOffset() - 1);
        return earlier == null ? 0 : earlier.position();
    }

    /** What to do with the batches of a segment. */
    @FunctionalInterface
    public interface Scanner<T> {
        T scan(BatchScan scan) throws IOException;
    }

    /** Where the last batch that the index knows starts: a scan from there finds the last batch. */
    public int lastIndexedPosition() {
        return indexes.lastPosition();
    }

    /** Where to start a scan for {@code offset}: no batch before it reaches that offset. */
    public int scanStart(long offset) throws IOException {
        OffsetIndex.Hint hint = indexes.lookup(offset);
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

    /** The larger of {@code known} and the timestamps of the batches from {@code position} on. */
    private TimeIndex.Entry largestFrom(int position, TimeIndex.Entry known) throws IOException {
        TimeIndex.Entry found = scan(position, CHECK_WINDOW_BYTES, scan -> {
            TimeIndex.Entry largest = known;
            while (scan.next()) {
                largest = largest.orOf(scan.header());
            }
            if (scan.fault() != null) {
                indexes.passDamage(scan.end());
            }
            return largest;
        });
        return found == null ? known : found;
    }

    private Examination.Finding examine(FileHandle file, Examination request) throws IOException {
        boolean atFront = request.from() == 0;
        Examination first = atFront ? request.startingAt(0, base() - 1) : request;
        Examination.Finding finding = new SegmentExaminer(file, first).run();
        BadStretch bad = finding.bad();
        // Where nothing in front is known, the place to start from may itself have been wrong.
        boolean isDoubtful = bad != null && bad.firstOffset() == Examination.UNKNOWN;
        return isDoubtful ? new SegmentExaminer(file, request.startingAt(0, base() - 1)).run() : finding;
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
            indexes.force();
        }
        try (sealedLog) {
            sealedLog.force();
        }
    }

    private FileHandle writer() {
        return Objects.requireNonNull(writer, () -> "segment is not active: " + this);
    }
}
