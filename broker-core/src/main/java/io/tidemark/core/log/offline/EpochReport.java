package io.tidemark.core.log.offline;

import io.tidemark.core.io.Files;
import io.tidemark.core.log.segment.SegmentFiles;
import io.tidemark.core.runtime.KafkaStorageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The leader epochs of a partition.
 *
 * @param rows by rising epoch
 * @param hasFile whether a readable epoch file was there
 * @param hasBatches whether batches were read
 */
public record EpochReport(List<Row> rows, boolean hasFile, boolean hasBatches) {
    /**
     * An epoch.
     *
     * @param startOffset that the epoch file has; empty if it does not have the epoch
     * @param firstBatchOffset base offset of the epoch's first batch; empty if it has none, as where a leader wrote nothing
     */
    public record Row(int epoch, OptionalLong startOffset, OptionalLong firstBatchOffset) {}

    /** Those of a partition's directory (from file and batches), of an epoch file, or of a {@code .log} file (from batches). */
    static EpochReport read(Files io, Path path) throws IOException {
        SortedMap<Integer, Long> inBatches = new TreeMap<>();
        boolean isDirectory = io.isDirectory(path);
        boolean isLog = !isDirectory && OfflineTarget.nameOf(path).endsWith(SegmentFiles.LOG_SUFFIX);
        if (isLog) {
            addEpochs(io, path, inBatches);
        }
        if (isDirectory) {
            for (long base : OfflineTarget.bases(io, path)) {
                addEpochs(io, new SegmentFiles(path, base).log(), inBatches);
            }
        }
        Optional<List<EpochEntry>> file =
                isLog ? Optional.empty() : fileIn(io, isDirectory ? path : OfflineTarget.directoryOf(path));
        return of(file, inBatches, isLog || isDirectory);
    }

    private static EpochReport of(
            Optional<List<EpochEntry>> file, SortedMap<Integer, Long> inBatches, boolean hasBatches) {
        SortedMap<Integer, Long> inFile = new TreeMap<>();
        file.ifPresent(entries -> entries.forEach(entry -> inFile.putIfAbsent(entry.epoch(), entry.startOffset())));
        SortedSet<Integer> epochs = new TreeSet<>(inFile.keySet());
        epochs.addAll(inBatches.keySet());
        List<Row> rows = new ArrayList<>();
        for (int epoch : epochs) {
            rows.add(new Row(epoch, valueOf(inFile, epoch), valueOf(inBatches, epoch)));
        }
        return new EpochReport(rows, file.isPresent(), hasBatches);
    }

    private static OptionalLong valueOf(Map<Integer, Long> offsets, int epoch) {
        Long offset = offsets.get(epoch);
        return offset == null ? OptionalLong.empty() : OptionalLong.of(offset);
    }

    private static Optional<List<EpochEntry>> fileIn(Files io, Path directory) throws IOException {
        try {
            return EpochFile.read(io, directory);
        } catch (KafkaStorageException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static void addEpochs(Files io, Path log, SortedMap<Integer, Long> epochs) throws IOException {
        try (LogFileReader reader = LogFileReader.open(io, log)) {
            Optional<StoredBatch> batch = reader.next();
            while (batch.isPresent()) {
                epochs.putIfAbsent(batch.get().leaderEpoch(), batch.get().baseOffset());
                batch = reader.next();
            }
        }
    }
}
