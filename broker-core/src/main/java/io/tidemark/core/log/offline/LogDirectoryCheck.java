package io.tidemark.core.log.offline;

import io.tidemark.core.checkpoint.MetaProperties;
import io.tidemark.core.checkpoint.MetaPropertiesFile;
import io.tidemark.core.checkpoint.OffsetCheckpointFile;
import io.tidemark.core.checkpoint.StoredValue;
import io.tidemark.core.log.offline.PartitionCheck.Range;
import io.tidemark.model.TopicPartition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Checks all partitions of a log directory, and that what the checkpoints say of them is in range. A checkpoint may lag, so only
 * what lies beyond a log's end is wrong.
 */
final class LogDirectoryCheck {
    private static final String DAMAGED = "the broker moves it aside at its next start and begins with safe values";

    private final VerifyRun run;
    private final SortedMap<TopicPartition, Range> ranges = new TreeMap<>();

    LogDirectoryCheck(VerifyRun run) {
        this.run = run;
    }

    void directory(Path directory) throws IOException {
        for (Map.Entry<TopicPartition, Path> partition :
                OfflineTarget.partitions(run.io(), directory).entrySet()) {
            ranges.put(partition.getKey(), new PartitionCheck(run).directory(partition.getValue()));
        }
        checkMeta(directory);
        for (OffsetCheckpointFile.Kind kind : OffsetCheckpointFile.Kind.values()) {
            checkCheckpoint(directory, kind);
        }
    }

    /** Checks a checkpoint file alone. */
    void checkpointFile(Path file) {
        Path directory = OfflineTarget.directoryOf(file);
        for (OffsetCheckpointFile.Kind kind : OffsetCheckpointFile.Kind.values()) {
            if (kind.fileName().equals(OfflineTarget.nameOf(file))) {
                read(directory, kind);
            }
        }
        run.cannotKnow("whether its offsets are in range: verify the log directory for that");
    }

    private void checkMeta(Path directory) {
        Path file = directory.resolve(MetaPropertiesFile.FILE_NAME);
        StoredValue<MetaProperties> meta = new MetaPropertiesFile(run.io(), directory).read();
        if (meta instanceof StoredValue.Damaged<MetaProperties> damaged) {
            run.found(Finding.ofFile(
                    file,
                    damaged.reason(),
                    "the broker does not start with it: restore it from a copy of the directory"));
        } else if (meta instanceof StoredValue.Absent<MetaProperties>) {
            run.cannotKnow("whose directory it is: there is no " + file);
        } else {
            run.countFile();
        }
    }

    private void checkCheckpoint(Path directory, OffsetCheckpointFile.Kind kind) {
        Path file = directory.resolve(kind.fileName());
        for (Map.Entry<TopicPartition, Long> entry : read(directory, kind).entrySet()) {
            Range range = ranges.get(entry.getKey());
            if (range == null) {
                run.found(
                        new Finding(
                                file,
                                Finding.UNKNOWN,
                                entry.getValue(),
                                "offset " + entry.getValue() + " is for " + entry.getKey()
                                        + ", which has no directory here",
                                "if the disk is the right one the partition's data is gone: see whether another replica has it"));
            } else if (entry.getValue() > range.end()) {
                run.found(new Finding(
                        file,
                        Finding.UNKNOWN,
                        entry.getValue(),
                        "offset " + entry.getValue() + " of " + entry.getKey() + " is beyond the end of its log, "
                                + range.end(),
                        nextOf(kind)));
            }
        }
    }

    private SortedMap<TopicPartition, Long> read(Path directory, OffsetCheckpointFile.Kind kind) {
        StoredValue<SortedMap<TopicPartition, Long>> value = new OffsetCheckpointFile(run.io(), directory, kind).peek();
        if (value instanceof StoredValue.Absent<SortedMap<TopicPartition, Long>>) {
            return new TreeMap<>();
        }
        run.countFile();
        if (value instanceof StoredValue.Damaged<SortedMap<TopicPartition, Long>> damaged) {
            run.found(Finding.ofFile(directory.resolve(kind.fileName()), damaged.reason(), DAMAGED));
        }
        return value.value().orElseGet(TreeMap::new);
    }

    private static String nextOf(OffsetCheckpointFile.Kind kind) {
        return switch (kind) {
            case HIGH_WATERMARK ->
                "records that were committed are missing here: verify the partition on its other replicas"
                        + " before this broker leads";
            case RECOVERY_POINT ->
                "natural if the log was cut inside a gap, else bytes that were forced are missing: verify the"
                        + " partition on another replica";
            case LOG_START ->
                "natural if records below the start were lost with the power: the log then begins there, empty";
            case CLEANER -> "the cleaner begins at the log's start instead";
        };
    }
}
