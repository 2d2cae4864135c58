package io.tidemark.core.log.offline;

import io.tidemark.core.log.segment.TimeIndex;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Compares a time index with the batches of its segment: entries rise, and each has the largest timestamp up to the batch that it
 * names, which that batch holds.
 */
final class TimeIndexCheck implements CrossCheck {
    private static final IndexCursor.Form<TimeIndexEntry> FORM = new IndexCursor.Form<>(
            TimeIndex.ENTRY_BYTES,
            TimeIndexFile::read,
            new TimeIndexEntry(Long.MIN_VALUE, -1),
            (entry, before) -> entry.timestampMs() > before.timestampMs() && entry.lastOffset() > before.lastOffset(),
            TimeIndexEntry::lastOffset,
            entry -> "the entry of timestamp " + entry.timestampMs() + " and offset " + entry.lastOffset());

    private final IndexCursor<TimeIndexEntry> entries;
    private long largestMs = Long.MIN_VALUE;

    private TimeIndexCheck(IndexCursor<TimeIndexEntry> entries) {
        this.entries = entries;
    }

    /** Reads the index; tells what is wrong with it alone. */
    static TimeIndexCheck of(VerifyRun run, Path file) throws IOException {
        return new TimeIndexCheck(IndexCursor.open(run, file, FORM));
    }

    /** Tells what is wrong with an index whose batches are not at hand. */
    static void alone(VerifyRun run, Path file) throws IOException {
        IndexCursor.open(run, file, FORM).endUncompared();
    }

    @Override
    public void onBatch(Path logFile, StoredBatch batch) {
        TimeIndexEntry entry = entries.peek();
        while (entry != null && entry.lastOffset() < batch.lastOffset()) {
            entries.wrong(": no batch of " + logFile.getFileName() + " ends with that offset");
            entry = entries.peek();
        }
        if (entry != null && entry.lastOffset() == batch.lastOffset()) {
            compare(entry, batch);
        }
        largestMs = Math.max(largestMs, batch.maxTimestampMs());
    }

    @Override
    public void onEnd(long endOffset) {
        entries.end();
    }

    private void compare(TimeIndexEntry entry, StoredBatch batch) {
        if (entry.timestampMs() != batch.maxTimestampMs()) {
            entries.wrong(": the largest timestamp of that batch is " + batch.maxTimestampMs());
        } else if (entry.timestampMs() < largestMs) {
            entries.wrong(": an earlier batch has timestamp " + largestMs);
        } else {
            entries.pass();
        }
    }
}
