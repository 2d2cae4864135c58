package io.tidemark.core.log.offline;

import io.tidemark.core.checkpoint.BrokerEpochFile;
import io.tidemark.core.checkpoint.BrokerEpochStamp;
import io.tidemark.core.checkpoint.CleanShutdownMarker;
import io.tidemark.core.checkpoint.MetaProperties;
import io.tidemark.core.checkpoint.MetaPropertiesFile;
import io.tidemark.core.checkpoint.OffsetCheckpointFile;
import io.tidemark.core.checkpoint.StoredValue;
import io.tidemark.core.io.Files;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.model.TopicPartition;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.SortedMap;

/**
 * The small files of a log directory, as they are; a damaged one stays where it is.
 *
 * @param meta whose directory it is
 * @param brokerEpoch under which registration it was last used
 * @param isCleanlyStopped whether the marker of a clean stop is there; it is absent while a broker runs
 * @param checkpoints all four kinds
 */
public record LogDirectoryReport(
        StoredValue<MetaProperties> meta,
        StoredValue<BrokerEpochStamp> brokerEpoch,
        boolean isCleanlyStopped,
        Map<OffsetCheckpointFile.Kind, StoredValue<SortedMap<TopicPartition, Long>>> checkpoints) {

    static LogDirectoryReport read(Files io, Path directory) throws IOException {
        if (!io.isDirectory(directory)) {
            throw new NoSuchFileException(directory.toString());
        }
        try {
            Map<OffsetCheckpointFile.Kind, StoredValue<SortedMap<TopicPartition, Long>>> checkpoints =
                    new EnumMap<>(OffsetCheckpointFile.Kind.class);
            for (OffsetCheckpointFile.Kind kind : OffsetCheckpointFile.Kind.values()) {
                checkpoints.put(kind, new OffsetCheckpointFile(io, directory, kind).peek());
            }
            return new LogDirectoryReport(
                    new MetaPropertiesFile(io, directory).read(),
                    new BrokerEpochFile(io, directory).read(),
                    io.exists(directory.resolve(CleanShutdownMarker.FILE_NAME)),
                    checkpoints);
        } catch (KafkaStorageException e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
