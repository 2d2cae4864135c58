package io.tidemark.core.log.segment;

import io.tidemark.core.config.LogConfig;
import io.tidemark.record.RecordBatch;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The two indexes of one segment, which get their entries together, and the largest timestamp of the segment.
 *
 * <p>Whenever the offset index gets an entry, the time index is brought up to the batch of that entry, so the largest timestamp
 * of a cut segment is that of its last time entry or of a batch behind its last offset entry. When a segment is sealed or closed
 * the largest timestamp becomes the last time entry, whatever the spacing.
 *
 * <p>Look-ups and the largest timestamp are for any thread; everything else is the log's writer's.
 */
final class SegmentIndexes {
    private final OffsetIndex offsets;
    private final TimeIndex times;
    private static final int NOTHING = Integer.MAX_VALUE;

    private volatile TimeIndex.Entry largest = TimeIndex.Entry.NONE;
    private volatile int unreadFrom = NOTHING;
    private int bytesSinceEntry;

    /**
     * Where a walk for a time starts: no batch before that place has the time or a later one.
     *
     * @param hint the place
     * @param entry what vouches for it, to be checked on the way; {@link TimeIndex.Entry#NONE} at the front
     */
    record TimeStart(OffsetIndex.Hint hint, TimeIndex.Entry entry) {
        static final TimeStart FRONT = new TimeStart(OffsetIndex.Hint.START, TimeIndex.Entry.NONE);
    }

    SegmentIndexes(SegmentSpace space, SegmentFiles files) {
        this.offsets = new OffsetIndex(space, files);
        this.times = new TimeIndex(space, files);
    }

    /** The empty indexes of a new active segment. */
    void create() throws IOException {
        offsets.create();
        times.create();
        largest = TimeIndex.Entry.NONE;
        unreadFrom = NOTHING;
        bytesSinceEntry = 0;
    }

    /**
     * Opens the indexes of a sealed segment. Every entry has a batch of its own, so a file with more of them than the log can have
     * is unsound, and nobody takes it into memory.
     *
     * @return the last entry of the offset index; null if one of the files is missing or unsound
     */
    OffsetIndex.@Nullable Hint openSealed(int logSizeBytes) throws IOException {
        OffsetIndex.Hint lastHint = offsets.openSealed(logSizeBytes);
        TimeIndex.Entry lastTime = times.openSealed();
        int mostEntries = logSizeBytes / RecordBatch.HEADER_BYTES;
        boolean isTooLong = offsets.count() > mostEntries || times.count() > mostEntries;
        if (lastHint == null || lastTime == null || isTooLong) {
            return null;
        }
        largest = lastTime;
        return lastHint;
    }

    /** Counts a batch that was written at {@code position}, and adds its entries if they are due. */
    void add(RecordBatch batch, int position, LogConfig config) throws IOException {
        TimeIndex.Entry now = largest.orOf(batch);
        largest = now;
        if (bytesSinceEntry > config.segments().indexIntervalBytes()) {
            if (!isFull(config)) {
                offsets.add(batch.lastOffset(), position, config);
                times.add(now);
            }
            bytesSinceEntry = 0;
        }
        bytesSinceEntry += batch.sizeBytes();
    }

    /**
     * There are bytes at {@code position} that cannot be read, and nobody knows the timestamps in them. The batch behind them gets
     * an entry, so that whoever looks for what is behind begins there.
     */
    void passDamage(int position) {
        unreadFrom = Math.min(unreadFrom, position);
        bytesSinceEntry = Integer.MAX_VALUE;
    }

    /** Whether there are batches that {@link #largest()} does not count. */
    boolean hasUnreadTimes() {
        return unreadFrom != NOTHING;
    }

    private boolean isFull(LogConfig config) {
        return OffsetIndex.isFull(offsets.count(), config) || TimeIndex.isFull(times.count(), config);
    }

    /** The largest timestamp and where it first is; of an active segment perhaps of a batch that is not published. */
    TimeIndex.Entry largest() {
        return largest;
    }

    int offsetEntries() {
        return offsets.count();
    }

    int timeEntries() {
        return times.count();
    }

    /** Where to look for {@code offset}; null if the segment was removed, or became active meanwhile: look again. */
    OffsetIndex.@Nullable Hint lookup(long offset) throws IOException {
        return offsets.lookup(offset);
    }

    /** Where to look for {@code timestampMs}; null as in {@link #lookup}. */
    @Nullable
    TimeStart lookupTime(long timestampMs) throws IOException {
        TimeIndex.Entry entry = times.lookupBelow(timestampMs);
        if (entry == null || entry.isNone()) {
            return entry == null ? null : TimeStart.FRONT;
        }
        OffsetIndex.Hint hint = offsets.lookup(entry.lastOffset());
        return hint == null ? null : new TimeStart(hint, entry);
    }

    /** Where the batch of the last offset entry starts; 0 if there is no entry. */
    int lastPosition() {
        return offsets.lastPosition();
    }

    /** An entry of the offset index was wrong. */
    void distrustOffsets() {
        offsets.distrust();
    }

    /** What led to a place for a time was wrong: the one entry, or the other. */
    void distrustTimes() {
        offsets.distrust();
        times.distrust();
    }

    /** Hands entries that are only in memory to the file system; of an active segment. */
    void writePending() throws IOException {
        offsets.writePending();
        times.writePending();
    }

    /** Ends their time as those of the active segment. */
    void seal() throws IOException {
        endTimes();
        offsets.seal();
        times.seal();
    }

    /** The indexes of an active segment are about to be closed: writes all that a sealed one has. */
    void complete() throws IOException {
        endTimes();
        writePending();
    }

    private void endTimes() throws IOException {
        times.add(largest);
        if (hasUnreadTimes()) {
            times.addUnread();
        }
    }

    /** Makes sealed indexes active again, in copies of their files. */
    void unseal(int logSizeBytes) throws IOException {
        offsets.unseal();
        times.unseal();
        goOn();
        resumeSpacing(logSizeBytes);
    }

    /** Makes sealed indexes active that nobody has looked into yet. */
    void unsealUnread(int logSizeBytes) throws IOException {
        offsets.unsealUnread();
        times.unsealUnread();
        goOn();
        resumeSpacing(logSizeBytes);
    }

    private void goOn() throws IOException {
        if (hasUnreadTimes()) {
            times.dropUnread();
        }
    }

    /**
     * Drops the entries of batches from {@code offset} on.
     *
     * @return the largest timestamp of the batches up to and with that of the last offset entry that is left; others may be
     *     behind it
     */
    TimeIndex.Entry truncateTo(long offset) throws IOException {
        offsets.truncateTo(offset);
        times.truncateTo(offset);
        return times.last();
    }

    /** Goes on with what a truncation has left. */
    void resume(int logSizeBytes, TimeIndex.Entry largestLeft) {
        largest = largestLeft;
        unreadFrom = unreadFrom < logSizeBytes ? unreadFrom : NOTHING;
        resumeSpacing(logSizeBytes);
    }

    private void resumeSpacing(int logSizeBytes) {
        bytesSinceEntry = logSizeBytes - offsets.lastPosition();
    }

    /** Makes the indexes durable. */
    void force() throws IOException {
        offsets.force();
        times.force();
    }

    /** Closes what is open; look-ups find the indexes gone. */
    void retire() {
        offsets.retire();
        times.retire();
    }
}
