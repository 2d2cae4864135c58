package io.tidemark.core.log.offline;

import io.tidemark.core.io.Files;
import io.tidemark.core.log.segment.SegmentFiles;
import io.tidemark.record.InvalidBatchException;
import io.tidemark.record.LogRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;

/**
 * Finds a record in the segments of a partition, or in one {@code .log} file. It trusts no index: it reads batches, for an offset
 * only those from the segment on that may hold it. Not thread-safe.
 */
public final class LogFinder {
    private static final String NEXT = "tidemark log verify says more; what was looked for may have been in there";

    private final Files io;
    private final LogVerifier.Listener listener;

    /** @param listener hears of batches that could not be looked into, and of the bytes that were read */
    LogFinder(Files io, LogVerifier.Listener listener) {
        this.io = io;
        this.listener = listener;
    }

    /**
     * The first that fits, in the order of the log.
     *
     * @param path a partition's directory or a {@code .log} file
     */
    public Optional<FoundRecord> find(Path path, Sought sought) throws IOException {
        if (!io.isDirectory(path)) {
            return findIn(path, sought);
        }
        NavigableSet<Long> bases = OfflineTarget.bases(io, path);
        if (sought instanceof Sought.AtOffset at && bases.floor(at.offset()) != null) {
            bases = bases.tailSet(bases.floor(at.offset()), true);
        }
        for (long base : bases) {
            Optional<FoundRecord> found = findIn(new SegmentFiles(path, base).log(), sought);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private Optional<FoundRecord> findIn(Path log, Sought sought) throws IOException {
        try (LogFileReader reader = LogFileReader.open(io, log)) {
            Optional<StoredBatch> next = reader.next();
            while (next.isPresent()) {
                StoredBatch batch = next.get();
                listener.read(batch.sizeBytes());
                Optional<FoundRecord> found =
                        mayHold(batch, sought) ? look(reader, log, batch, sought) : Optional.empty();
                if (found.isPresent()) {
                    return found;
                }
                next = reader.next();
            }
            reader.fault()
                    .ifPresent(fault -> listener.found(new Finding(
                            log, reader.end(), Finding.UNKNOWN, fault + "; what follows was not read", NEXT)));
            return Optional.empty();
        }
    }

    private static boolean mayHold(StoredBatch batch, Sought sought) {
        if (sought instanceof Sought.AtOffset at) {
            return batch.lastOffset() >= at.offset();
        }
        return !(sought instanceof Sought.AtTime at) || batch.maxTimestampMs() >= at.timestampMs();
    }

    private Optional<FoundRecord> look(LogFileReader reader, Path log, StoredBatch batch, Sought sought)
            throws IOException {
        boolean isAnswer = sought instanceof Sought.AtOffset;
        if (!batch.isCrcValid()) {
            damaged(log, batch, "the bytes of the batch do not match its CRC");
            return isAnswer ? Optional.of(new FoundRecord(log, batch, Optional.empty())) : Optional.empty();
        }
        Optional<LogRecord> record = Optional.empty();
        try {
            record = first(reader.records(batch), sought);
        } catch (InvalidBatchException e) {
            damaged(log, batch, "the records do not decode: " + e.getMessage());
        }
        return isAnswer || record.isPresent() ? Optional.of(new FoundRecord(log, batch, record)) : Optional.empty();
    }

    private void damaged(Path log, StoredBatch batch, String what) {
        listener.found(new Finding(log, batch.position(), batch.baseOffset(), what, NEXT));
    }

    private static Optional<LogRecord> first(List<LogRecord> records, Sought sought) {
        return records.stream().filter(record -> fits(record, sought)).findFirst();
    }

    private static boolean fits(LogRecord record, Sought sought) {
        if (sought instanceof Sought.AtOffset at) {
            return record.offset() >= at.offset();
        }
        if (sought instanceof Sought.AtTime at) {
            return record.timestampMs() >= at.timestampMs();
        }
        ByteBuffer key = record.key();
        return sought instanceof Sought.OfKey of && key != null && key.equals(of.key());
    }
}
