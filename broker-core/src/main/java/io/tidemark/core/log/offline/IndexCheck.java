package io.tidemark.core.log.offline;

import io.tidemark.core.log.segment.OffsetIndex;
import java.io.IOException;
import java.nio.file.Path;

/** Compares an offset index with the batches of its segment: entries rise, and each points to the batch that it claims. */
final class IndexCheck implements CrossCheck {
    private static final IndexCursor.Form<IndexEntry> FORM = new IndexCursor.Form<>(
            OffsetIndex.ENTRY_BYTES,
            IndexFile::read,
            new IndexEntry(-1, -1),
            (entry, before) -> entry.position() > before.position() && entry.lastOffset() > before.lastOffset(),
            IndexEntry::lastOffset,
            entry -> "the entry of offset " + entry.lastOffset() + " at position " + entry.position());

    private final IndexCursor<IndexEntry> entries;

    private IndexCheck(IndexCursor<IndexEntry> entries) {
        this.entries = entries;
    }

    /** Reads the index; tells what is wrong with it alone. */
    static IndexCheck of(VerifyRun run, Path file) throws IOException {
        return new IndexCheck(IndexCursor.open(run, file, FORM));
    }

    /** Tells what is wrong with an index whose batches are not at hand. */
    static void alone(VerifyRun run, Path file) throws IOException {
        IndexCursor.open(run, file, FORM).endUncompared();
    }

    @Override
    public void onBatch(Path logFile, StoredBatch batch) {
        IndexEntry entry = entries.peek();
        while (entry != null && entry.position() < batch.position()) {
            entries.wrong(": no batch starts there in " + logFile.getFileName());
            entry = entries.peek();
        }
        if (entry == null || entry.position() != batch.position()) {
            return;
        }
        if (entry.lastOffset() == batch.lastOffset()) {
            entries.pass();
        } else {
            entries.wrong(": the batch there ends with offset " + batch.lastOffset());
        }
    }

    @Override
    public void onEnd(long endOffset) {
        entries.end();
    }
}
