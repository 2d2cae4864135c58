package io.tidemark.core.log.offline;

import io.tidemark.core.io.Files;
import io.tidemark.core.log.offline.LogVerifier.Depth;
import io.tidemark.core.log.offline.LogVerifier.Listener;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** One verification under way: whom it tells, and what it has counted so far. Not thread-safe. */
final class VerifyRun {
    private final Files io;
    private final Depth depth;
    private final Listener listener;
    private final Set<String> unknown = new LinkedHashSet<>();
    private long files;
    private long batches;
    private long records;
    private long bytes;
    private long findings;

    VerifyRun(Files io, Depth depth, Listener listener) {
        this.io = io;
        this.depth = depth;
        this.listener = listener;
    }

    Files io() {
        return io;
    }

    boolean isDeep() {
        return depth == Depth.RECORDS;
    }

    void found(Finding finding) {
        findings++;
        listener.found(finding);
    }

    /** Something that the files at hand cannot tell; said once. */
    void cannotKnow(String what) {
        unknown.add(what);
    }

    void countFile() {
        files++;
    }

    void countBatch(StoredBatch batch) {
        batches++;
        bytes += batch.sizeBytes();
        listener.read(batch.sizeBytes());
    }

    void countRecords(int count) {
        records += count;
    }

    Verification result() {
        return new Verification(files, batches, records, bytes, findings, List.copyOf(unknown));
    }
}
