package io.tidemark.core.log;

import io.tidemark.core.io.Files;
import io.tidemark.core.log.segment.SegmentFiles;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sorts what a log directory holds: logs, what is obsolete and may be deleted, and the rest, which is left alone.
 *
 * <p>A partition directory without its metadata was being created when the power went; it holds nothing and is obsolete. If it
 * does hold something it is somebody else's, or somebody has tampered with it: it is set aside.
 */
final class PartitionDirectories {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionDirectories.class);

    private final Files io;
    private final LogDirectory directory;
    private final List<FoundLog> logs = new ArrayList<>();
    private final List<Path> obsolete = new ArrayList<>();

    PartitionDirectories(Files io, LogDirectory directory) {
        this.io = io;
        this.directory = directory;
        for (String name : directory.names()) {
            if (io.isDirectory(directory.path().resolve(name))) {
                sort(name);
            }
        }
    }

    List<FoundLog> logs() {
        return logs;
    }

    List<Path> obsolete() {
        return obsolete;
    }

    private void sort(String name) {
        Path path = directory.path().resolve(name);
        Optional<TopicPartition> partition = PartitionDirectoryName.parse(name);
        if (partition.isPresent()) {
            sortPartition(partition.get(), path);
        } else if (PartitionDirectoryName.isBeingDeleted(name)) {
            obsolete.add(path);
        } else {
            LOG.warn("{} is not a partition's directory and is left alone", path);
        }
    }

    private void sortPartition(TopicPartition partition, Path path) {
        Optional<TopicId> topicId = new PartitionMetadataFile(io, path).read();
        if (topicId.isPresent()) {
            logs.add(new FoundLog(directory, partition, topicId.get(), path));
        } else if (partition.topic().startsWith(".")) {
            // A topic may be called so, but so may what desktops and file systems leave at the root of a disk.
            LOG.warn("{} does not say that it is a partition's directory and is left alone", path);
        } else if (holdsAnything(path)) {
            Path stray =
                    directory.rename(partition.toString(), PartitionDirectoryName.stray(partition, "unknown-topic"));
            LOG.error("{} does not say to which topic it belongs and was set aside as {}", path, stray);
        } else {
            obsolete.add(directory.rename(partition.toString(), PartitionDirectoryName.unfinished(partition)));
        }
    }

    /** Metadata are written first, so a directory that was not finished holds at most a temporary file. */
    private boolean holdsAnything(Path path) {
        try {
            return io.list(path).stream().anyMatch(name -> !name.endsWith(SegmentFiles.TEMPORARY_SUFFIX));
        } catch (IOException e) {
            throw new KafkaStorageException("list", path, e);
        }
    }
}
