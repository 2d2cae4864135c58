package io.tidemark.core.log.offline;

import io.tidemark.core.io.Files;
import io.tidemark.core.log.PartitionDirectoryName;
import io.tidemark.core.log.segment.SegmentFiles;
import io.tidemark.core.runtime.KafkaStorageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Checks the files of logs without a broker. Reads only, and needs no lock: of a running broker it sees what was there when each
 * file was opened, so that the end of an active segment, its indexes and checkpoints may seem to disagree. Memory is bounded by
 * the largest index and, if records are decoded, the largest batch. Not thread-safe.
 */
public final class LogVerifier {
    private final Files io;
    private final Depth depth;
    private final Listener listener;

    /** How much is looked at. */
    public enum Depth {
        /** Headers, and the CRC over everything else. */
        BATCHES,
        /** Each record too. */
        RECORDS
    }

    /** Hears what is found while it is found. */
    public interface Listener {
        /** Something is wrong. */
        void found(Finding finding);

        /** So many bytes more were checked. */
        void read(long bytes);
    }

    LogVerifier(Files io, Depth depth, Listener listener) {
        this.io = io;
        this.depth = depth;
        this.listener = listener;
    }

    /**
     * Checks what the path holds, in the order of its files.
     *
     * @param path of a kind that can be looked into, see {@link OfflineTarget.Kind}
     * @throws IOException if a file cannot be read
     */
    public Verification verify(Path path) throws IOException {
        VerifyRun run = new VerifyRun(io, depth, listener);
        try {
            verify(path, OfflineTarget.kindOf(io, path), run);
        } catch (KafkaStorageException e) {
            throw new IOException(e.getMessage(), e);
        }
        return run.result();
    }

    /** Bytes of all batches that {@link #verify} would read, for who shows how far it is. */
    public long sizeBytes(Path path) throws IOException {
        if (!io.isDirectory(path)) {
            return logBytes(path);
        }
        long sum = 0;
        for (String name : io.list(path)) {
            Path child = path.resolve(name);
            boolean isPartition = PartitionDirectoryName.parse(name).isPresent() && io.isDirectory(child);
            sum += isPartition ? logBytesIn(child) : logBytes(child);
        }
        return sum;
    }

    private long logBytesIn(Path partitionDirectory) throws IOException {
        long sum = 0;
        for (String name : io.list(partitionDirectory)) {
            sum += logBytes(partitionDirectory.resolve(name));
        }
        return sum;
    }

    private long logBytes(Path file) throws IOException {
        return OfflineTarget.nameOf(file).endsWith(SegmentFiles.LOG_SUFFIX) ? io.size(file) : 0;
    }

    private void verify(Path path, OfflineTarget.Kind kind, VerifyRun run) throws IOException {
        switch (kind) {
            case LOG -> new PartitionCheck(run).logFile(path);
            case INDEX -> verifyIndex(path, SegmentFiles.INDEX_SUFFIX, run);
            case TIME_INDEX -> verifyIndex(path, OfflineTarget.TIME_INDEX_SUFFIX, run);
            case EPOCHS -> verifyEpochs(path, run);
            case CHECKPOINT -> new LogDirectoryCheck(run).checkpointFile(path);
            case PARTITION -> new PartitionCheck(run).directory(path);
            case LOG_DIRECTORY -> new LogDirectoryCheck(run).directory(path);
            case OTHER -> throw new IOException("neither a partition, a log directory nor a file of one: " + path);
        }
    }

    /** With the batches if they are there, else for itself. */
    private void verifyIndex(Path index, String suffix, VerifyRun run) throws IOException {
        String name = OfflineTarget.nameOf(index);
        Path log = index.resolveSibling(name.substring(0, name.length() - suffix.length()) + SegmentFiles.LOG_SUFFIX);
        if (io.exists(log)) {
            new PartitionCheck(run).logFile(log);
            return;
        }
        run.cannotKnow("whether the entries point to batches: there is no " + log);
        long base = SegmentFiles.offsetIn(name, suffix)
                .orElseThrow(
                        () -> new IOException("not the name of an index, which its entries are relative to: " + index));
        if (suffix.equals(SegmentFiles.INDEX_SUFFIX)) {
            IndexCheck.of(run, index);
        } else {
            TimeIndexCheck.of(run, index, base);
        }
    }

    private void verifyEpochs(Path file, VerifyRun run) throws IOException {
        run.cannotKnow("whether the epochs agree with the batches: verify the partition's directory for that");
        run.countFile();
        Optional<List<EpochEntry>> entries = EpochFile.read(io, OfflineTarget.directoryOf(file));
        if (entries.isEmpty()) {
            run.found(Finding.ofFile(
                    file, "the file is damaged", "nothing is lost: the next start rebuilds it from the batches"));
        } else {
            new EpochCheck(run, file, entries.get()).onEnd(Long.MAX_VALUE);
        }
    }
}
