package io.tidemark.core.log.offline;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Compares a time index with the batches of its segment: entries rise, and each has the largest timestamp up to the batch that it
 * names, which that batch holds.
 */
final class TimeIndexCheck implements BatchCheck {
    private static final int ENTRY_BYTES = Long.BYTES + Integer.BYTES;

    private final FewFindings findings;
    private final long base;
    private final List<TimeIndexEntry> entries;
    private final List<Integer> slots;
    private int next;
    private long largestMs = Long.MIN_VALUE;

    private TimeIndexCheck(FewFindings findings, long base, List<TimeIndexEntry> entries, List<Integer> slots) {
        this.findings = findings;
        this.base = base;
        this.entries = entries;
        this.slots = slots;
    }

    /** Reads the index of the segment with that base; tells what is wrong with it alone. */
    static TimeIndexCheck of(VerifyRun run, Path file, long base) throws IOException {
        FewFindings findings = new FewFindings(run, file, IndexCheck.NEXT);
        run.countFile();
        long sizeBytes = run.io().size(file);
        List<TimeIndexEntry> rising = new ArrayList<>();
        List<Integer> slots = new ArrayList<>();
        if (sizeBytes > IndexCheck.MAX_BYTES) {
            findings.add(Finding.UNKNOWN, Finding.UNKNOWN, sizeBytes + " bytes are more than any index has; not read");
            return new TimeIndexCheck(findings, base, rising, slots);
        }
        List<TimeIndexEntry> all = TimeIndexFile.read(run.io(), file);
        TimeIndexEntry last = new TimeIndexEntry(Long.MIN_VALUE, -1);
        for (int slot = 0; slot < all.size(); slot++) {
            TimeIndexEntry entry = all.get(slot);
            if (entry.timestampMs() <= last.timestampMs() || entry.relativeOffset() <= last.relativeOffset()) {
                findings.add(
                        positionOf(slot),
                        base + entry.relativeOffset(),
                        "the entry of timestamp " + entry.timestampMs() + " and offset "
                                + (base + entry.relativeOffset()) + " does not rise above the one before");
            } else {
                rising.add(entry);
                slots.add(slot);
                last = entry;
            }
        }
        if (sizeBytes % ENTRY_BYTES != 0) {
            findings.add(
                    positionOf(all.size()),
                    Finding.UNKNOWN,
                    sizeBytes % ENTRY_BYTES + " bytes at the end are no whole entry");
        }
        return new TimeIndexCheck(findings, base, rising, slots);
    }

    @Override
    public void onBatch(Path logFile, StoredBatch batch) {
        while (next < entries.size() && offsetOfNext() < batch.lastOffset()) {
            wrong(": no batch of " + logFile.getFileName() + " ends with that offset");
        }
        if (next < entries.size() && offsetOfNext() == batch.lastOffset()) {
            compare(batch);
        }
        largestMs = Math.max(largestMs, batch.maxTimestampMs());
    }

    @Override
    public void onEnd(long endOffset) {
        while (next < entries.size()) {
            wrong(": that is behind the last good batch of the log");
        }
        findings.end();
    }

    private void compare(StoredBatch batch) {
        long timestampMs = entries.get(next).timestampMs();
        if (timestampMs != batch.maxTimestampMs()) {
            wrong(": the largest timestamp of that batch is " + batch.maxTimestampMs());
        } else if (timestampMs < largestMs) {
            wrong(": an earlier batch has timestamp " + largestMs);
        } else {
            next++;
        }
    }

    private void wrong(String why) {
        findings.add(
                positionOf(slots.get(next)),
                offsetOfNext(),
                "the entry of timestamp " + entries.get(next).timestampMs() + " and offset " + offsetOfNext() + why);
        next++;
    }

    private long offsetOfNext() {
        return base + entries.get(next).relativeOffset();
    }

    private static long positionOf(int slot) {
        return (long) slot * ENTRY_BYTES;
    }
}
