package io.tidemark.core.log.offline;

import io.tidemark.core.io.Files;
import io.tidemark.core.log.LeaderEpochCheckpoint;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Reads the {@code leader-epoch-checkpoint} of a partition directory. */
public final class EpochFile {
    private EpochFile() {}

    /**
     * Its entries in order; empty if the file is missing or damaged.
     *
     * @throws io.tidemark.core.runtime.KafkaStorageException if it cannot be read
     */
    public static Optional<List<EpochEntry>> read(Files io, Path partitionDirectory) {
        return new LeaderEpochCheckpoint(io, partitionDirectory)
                .read()
                .map(entries -> entries.stream()
                        .map(entry -> new EpochEntry(entry.epoch(), entry.startOffset()))
                        .toList());
    }
}
