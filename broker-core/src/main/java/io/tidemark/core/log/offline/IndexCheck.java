package io.tidemark.core.log.offline;

import io.tidemark.core.log.segment.OffsetIndex;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Compares an offset index with the batches of its segment: entries rise, and each points to the batch that it claims. */
final class IndexCheck implements BatchCheck {
    static final String NEXT =
            "no record is lost, for a broker checks what an index says; to have it rebuilt delete the file"
                    + " while the broker is stopped";

    /** Far beyond what a broker writes. */
    static final long MAX_BYTES = 64 << 20;

    private final FewFindings findings;
    private final List<IndexEntry> entries;
    private final List<Integer> slots;
    private int next;

    private IndexCheck(FewFindings findings, List<IndexEntry> entries, List<Integer> slots) {
        this.findings = findings;
        this.entries = entries;
        this.slots = slots;
    }

    /** Reads the index; tells what is wrong with it alone. */
    static IndexCheck of(VerifyRun run, Path file) throws IOException {
        FewFindings findings = new FewFindings(run, file, NEXT);
        run.countFile();
        long sizeBytes = run.io().size(file);
        List<IndexEntry> rising = new ArrayList<>();
        List<Integer> slots = new ArrayList<>();
        if (sizeBytes > MAX_BYTES) {
            findings.add(Finding.UNKNOWN, Finding.UNKNOWN, sizeBytes + " bytes are more than any index has; not read");
            return new IndexCheck(findings, rising, slots);
        }
        List<IndexEntry> all = IndexFile.read(run.io(), file);
        IndexEntry last = new IndexEntry(-1, -1);
        for (int slot = 0; slot < all.size(); slot++) {
            IndexEntry entry = all.get(slot);
            if (entry.position() <= last.position() || entry.lastOffset() <= last.lastOffset()) {
                findings.add(positionOf(slot), entry.lastOffset(), text(entry) + " does not rise above " + text(last));
            } else {
                rising.add(entry);
                slots.add(slot);
                last = entry;
            }
        }
        if (sizeBytes % OffsetIndex.ENTRY_BYTES != 0) {
            findings.add(
                    positionOf(all.size()),
                    Finding.UNKNOWN,
                    sizeBytes % OffsetIndex.ENTRY_BYTES + " bytes at the end are no whole entry");
        }
        return new IndexCheck(findings, rising, slots);
    }

    @Override
    public void onBatch(Path logFile, StoredBatch batch) {
        while (next < entries.size() && entries.get(next).position() < batch.position()) {
            wrong(": no batch starts there in " + logFile.getFileName());
        }
        if (next == entries.size() || entries.get(next).position() != batch.position()) {
            return;
        }
        if (entries.get(next).lastOffset() == batch.lastOffset()) {
            next++;
        } else {
            wrong(": the batch there ends with offset " + batch.lastOffset());
        }
    }

    @Override
    public void onEnd(long endOffset) {
        while (next < entries.size()) {
            wrong(": that is behind the last good batch of the log");
        }
        findings.end();
    }

    private void wrong(String why) {
        IndexEntry entry = entries.get(next);
        findings.add(positionOf(slots.get(next)), entry.lastOffset(), text(entry) + why);
        next++;
    }

    private static long positionOf(int slot) {
        return (long) slot * OffsetIndex.ENTRY_BYTES;
    }

    private static String text(IndexEntry entry) {
        return entry.position() < 0
                ? "the beginning"
                : "the entry of offset " + entry.lastOffset() + " at position " + entry.position();
    }
}
