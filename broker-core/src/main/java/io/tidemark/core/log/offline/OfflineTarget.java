package io.tidemark.core.log.offline;

import io.tidemark.core.checkpoint.MetaPropertiesFile;
import io.tidemark.core.checkpoint.OffsetCheckpointFile;
import io.tidemark.core.io.Files;
import io.tidemark.core.log.LeaderEpochCheckpoint;
import io.tidemark.core.log.PartitionDirectoryName;
import io.tidemark.core.log.segment.SegmentFiles;
import io.tidemark.model.TopicPartition;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.OptionalLong;

/** What a path that somebody names to a tool is, by its name and what it holds. */
public final class OfflineTarget {
    private OfflineTarget() {}

    /** The kinds of things that can be looked into. */
    public enum Kind {
        /** Batches of a segment, whatever the file is called in front of {@code .log}. */
        LOG,
        /** An offset index. */
        INDEX,
        /** A time index. */
        TIME_INDEX,
        /** A partition's leader epochs. */
        EPOCHS,
        /** One of the four offset checkpoints. */
        CHECKPOINT,
        /** A partition's directory, or a copy of it. */
        PARTITION,
        /** A directory of partitions, one of {@code log.dirs}. */
        LOG_DIRECTORY,
        /** Anything else. */
        OTHER
    }

    /** The base that the name of a segment's file says its offsets are relative to; empty if it is another name. */
    public static OptionalLong baseOf(Path file) {
        for (String suffix :
                List.of(SegmentFiles.LOG_SUFFIX, SegmentFiles.INDEX_SUFFIX, SegmentFiles.TIME_INDEX_SUFFIX)) {
            OptionalLong base = SegmentFiles.offsetIn(nameOf(file), suffix);
            if (base.isPresent()) {
                return base;
            }
        }
        return OptionalLong.empty();
    }

    /**
     * What the path is.
     *
     * @throws NoSuchFileException if it is not there
     */
    static Kind kindOf(Files io, Path path) throws IOException {
        if (!io.exists(path)) {
            throw new NoSuchFileException(path.toString());
        }
        return io.isDirectory(path) ? kindOfDirectory(io, path) : kindOfFile(nameOf(path));
    }

    /** Bases of the segments in a partition's directory. */
    static NavigableSet<Long> bases(Files io, Path partitionDirectory) throws IOException {
        return SegmentFiles.offsetsIn(io.list(partitionDirectory), SegmentFiles.LOG_SUFFIX);
    }

    /** The partitions in a log directory and their directories, in the order of their names. */
    static Map<TopicPartition, Path> partitions(Files io, Path logDirectory) throws IOException {
        Map<TopicPartition, Path> partitions = new LinkedHashMap<>();
        for (String name : io.list(logDirectory)) {
            Path path = logDirectory.resolve(name);
            if (io.isDirectory(path)) {
                PartitionDirectoryName.parse(name).ifPresent(partition -> partitions.put(partition, path));
            }
        }
        return partitions;
    }

    /** The directory that holds the file. */
    static Path directoryOf(Path file) {
        Path absolute = file.toAbsolutePath();
        Path parent = absolute.getParent();
        return parent == null ? absolute : parent;
    }

    /** The last part of the path, also of one like {@code .}. */
    static String nameOf(Path path) {
        return String.valueOf(path.toAbsolutePath().normalize().getFileName());
    }

    private static Kind kindOfFile(String name) {
        if (name.endsWith(SegmentFiles.LOG_SUFFIX)) {
            return Kind.LOG;
        }
        if (name.endsWith(SegmentFiles.INDEX_SUFFIX)) {
            return Kind.INDEX;
        }
        if (name.endsWith(SegmentFiles.TIME_INDEX_SUFFIX)) {
            return Kind.TIME_INDEX;
        }
        if (name.equals(LeaderEpochCheckpoint.FILE_NAME)) {
            return Kind.EPOCHS;
        }
        boolean isCheckpoint = Arrays.stream(OffsetCheckpointFile.Kind.values())
                .anyMatch(kind -> kind.fileName().equals(name));
        return isCheckpoint ? Kind.CHECKPOINT : Kind.OTHER;
    }

    private static Kind kindOfDirectory(Files io, Path directory) throws IOException {
        List<String> names = io.list(directory);
        boolean holdsSegments =
                !SegmentFiles.offsetsIn(names, SegmentFiles.LOG_SUFFIX).isEmpty();
        if (holdsSegments || names.contains(LeaderEpochCheckpoint.FILE_NAME)) {
            return Kind.PARTITION;
        }
        boolean holdsPartitions = !partitions(io, directory).isEmpty();
        return holdsPartitions || names.contains(MetaPropertiesFile.FILE_NAME) ? Kind.LOG_DIRECTORY : Kind.OTHER;
    }
}
