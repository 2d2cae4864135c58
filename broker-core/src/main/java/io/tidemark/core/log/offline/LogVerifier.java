package io.tidemark.core.log.offline;

import io.tidemark.core.io.Files;
import io.tidemark.core.log.segment.SegmentFiles;
import io.tidemark.core.runtime.KafkaStorageException;
import java.io.IOException;
import java.nio.file.Path;

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
        long sum = logBytesIn(path);
        for (Path partition : OfflineTarget.partitions(io, path).values()) {
            sum += logBytesIn(partition);
        }
        return sum;
    }

    private long logBytesIn(Path directory) throws IOException {
        long sum = 0;
        for (String name : io.list(directory)) {
            sum += logBytes(directory.resolve(name));
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
            case TIME_INDEX -> verifyIndex(path, SegmentFiles.TIME_INDEX_SUFFIX, run);
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
        if (suffix.equals(SegmentFiles.INDEX_SUFFIX)) {
            IndexCheck.alone(run, index);
        } else {
            TimeIndexCheck.alone(run, index);
        }
    }

    private void verifyEpochs(Path file, VerifyRun run) throws IOException {
        run.cannotKnow("whether the epochs agree with the batches: verify the partition's directory for that");
        EpochCheck.of(run, OfflineTarget.directoryOf(file)).ifPresent(check -> check.onEnd(Long.MAX_VALUE));
    }
}
