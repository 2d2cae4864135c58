package io.tidemark.core.log;

import io.tidemark.core.checkpoint.BrokerEpochFile;
import io.tidemark.core.checkpoint.CleanShutdownMarker;
import io.tidemark.core.checkpoint.OffsetCheckpointFile;
import io.tidemark.core.checkpoint.StoredValue;
import io.tidemark.core.io.Files;
import io.tidemark.core.log.cleaner.CleanerCheckpoint;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One directory of {@code log.dirs}: its lock, its clean-shutdown marker, and where its logs start and are durable. Thread-safe;
 * calls no log while it holds its monitor.
 *
 * <p>Entries of logs that are not loaded are carried forward by every write (S62); an entry goes only with its log.
 */
final class LogDirectory implements RecoveryPoints {
    private static final Logger LOG = LoggerFactory.getLogger(LogDirectory.class);
    private static final String LOCK_NAME = ".lock";

    private final Files io;
    private final Path path;
    private final Files.DirectoryLock lock;
    private final CleanShutdownMarker marker;
    private final OffsetCheckpointFile recoveryPointFile;
    private final OffsetCheckpointFile startOffsetFile;
    private final CleanerCheckpoint cleanerCheckpoint;
    private final LogLoader.Stop stop;
    private SortedMap<TopicPartition, Long> recoveryPoints;
    private SortedMap<TopicPartition, Long> startOffsets;

    private LogDirectory(Files io, Path path, Files.DirectoryLock lock) {
        this.io = io;
        this.path = path;
        this.lock = lock;
        this.marker = new CleanShutdownMarker(io, path);
        this.recoveryPointFile = new OffsetCheckpointFile(io, path, OffsetCheckpointFile.Kind.RECOVERY_POINT);
        this.startOffsetFile = new OffsetCheckpointFile(io, path, OffsetCheckpointFile.Kind.LOG_START);
        this.cleanerCheckpoint = new CleanerCheckpoint(io, path);
        boolean wasStoppedCleanly = marker.remove();
        StoredValue<SortedMap<TopicPartition, Long>> recorded = recoveryPointFile.read();
        boolean isDamaged = recorded instanceof StoredValue.Damaged;
        LogLoader.Stop unclean = isDamaged ? LogLoader.Stop.UNCLEAN_WITHOUT_RECORD : LogLoader.Stop.UNCLEAN;
        this.stop = wasStoppedCleanly ? LogLoader.Stop.CLEAN : unclean;
        this.recoveryPoints = new TreeMap<>(recorded.value().orElse(new TreeMap<>()));
        this.startOffsets = new TreeMap<>(startOffsetFile.read().value().orElse(new TreeMap<>()));
    }

    /** A directory that is locked; nothing in it was touched. */
    record Claim(Files io, Path path, Files.DirectoryLock lock) {
        /**
         * Takes it into use. The marker of a clean stop is gone, durably, before this returns and so before anything is loaded
         * (KAFKA-10471).
         */
        LogDirectory take() {
            return new LogDirectory(io, path, lock);
        }

        /** Lets go of it. */
        void release() {
            LogDirectory.release(lock, path);
        }
    }

    /**
     * Locks the directory, creating it if it is missing.
     *
     * @throws KafkaStorageException if somebody else has it, or it cannot be used
     */
    static Claim claim(Files io, Path path) {
        try {
            io.createDurableDirectory(path);
            return new Claim(io, path, io.lock(path.resolve(LOCK_NAME)));
        } catch (IOException e) {
            throw new KafkaStorageException("take the log directory", path, e);
        }
    }

    Path path() {
        return path;
    }

    /** What is known about a log that is about to be loaded. */
    synchronized LogLoader.Start startOf(TopicPartition partition) {
        return new LogLoader.Start(
                stop, recoveryPoints.getOrDefault(partition, 0L), startOffsets.getOrDefault(partition, 0L));
    }

    @Override
    public synchronized void lowerTo(TopicPartition partition, long offset) {
        Long start = startOffsets.get(partition);
        if (start != null && start > offset) {
            startOffsets.put(partition, offset);
            startOffsetFile.write(startOffsets);
        }
        Long recorded = recoveryPoints.get(partition);
        if (recorded != null && recorded > offset) {
            recoveryPoints.put(partition, offset);
            recoveryPointFile.write(recoveryPoints);
        }
    }

    @Override
    public synchronized long recordStart(TopicPartition partition, LongSupplier startOffset) {
        long recorded = startOffsets.getOrDefault(partition, 0L);
        long start = startOffset.getAsLong();
        if (start <= recorded) {
            return recorded;
        }
        startOffsets.put(partition, start);
        startOffsetFile.write(startOffsets);
        return start;
    }

    @Override
    public void beforeTruncation(TopicPartition partition, long offset) {
        lowerTo(partition, offset);
        cleanerCheckpoint.lowerTo(partition, offset);
    }

    /** Up to where the logs are clean. */
    CleanerCheckpoint cleanerCheckpoint() {
        return cleanerCheckpoint;
    }

    /**
     * Records where the logs start and up to where they are durable; writes a file only if its content changed. The logs are asked
     * inside the monitor, so that what {@link #lowerTo} lowers is not raised again by an older answer. A start is recorded even
     * where a segment begins with it: nothing else says, after a power loss, that renamed segments which are back are none.
     */
    synchronized void record(Collection<SegmentedLog> logs) {
        SortedMap<TopicPartition, Long> durable = new TreeMap<>(recoveryPoints);
        SortedMap<TopicPartition, Long> starts = new TreeMap<>(startOffsets);
        for (SegmentedLog log : logs) {
            durable.put(log.partition(), log.recoveryPoint());
            long start = log.startToRecord();
            if (start > 0) {
                starts.put(log.partition(), start);
            } else {
                starts.remove(log.partition());
            }
        }
        replace(durable, starts);
    }

    /** The recorded recovery point. */
    synchronized long recoveryPointOf(TopicPartition partition) {
        return recoveryPoints.getOrDefault(partition, 0L);
    }

    /** Drops what is recorded about a log that was deleted or set aside. */
    synchronized void forget(TopicPartition partition) {
        SortedMap<TopicPartition, Long> durable = new TreeMap<>(recoveryPoints);
        SortedMap<TopicPartition, Long> starts = new TreeMap<>(startOffsets);
        durable.remove(partition);
        starts.remove(partition);
        replace(durable, starts);
        cleanerCheckpoint.forget(partition);
    }

    private void replace(SortedMap<TopicPartition, Long> durable, SortedMap<TopicPartition, Long> starts) {
        if (!starts.equals(startOffsets)) {
            startOffsetFile.write(starts);
            startOffsets = starts;
        }
        if (!durable.equals(recoveryPoints)) {
            recoveryPointFile.write(durable);
            recoveryPoints = durable;
        }
    }

    /** Says that every log was closed durably; the last thing written. */
    void markClean() {
        marker.write();
    }

    /** Its disk failed: the next process must not claim that its logs are what they were. Never throws. */
    void provesNothing() {
        if (!new BrokerEpochFile(io, path).removeAfterFailure()) {
            LOG.error("{} may still claim, at the next start, that nothing of it was lost", path);
        }
    }

    /** Lets go of the directory. */
    void release() {
        release(lock, path);
    }

    private static void release(Files.DirectoryLock lock, Path path) {
        try {
            lock.close();
        } catch (IOException e) {
            LOG.warn("cannot release the lock of {}", path, e);
        }
    }

    @Override
    public String toString() {
        return path.toString();
    }

    /** Names of what the directory holds. */
    List<String> names() {
        try {
            return io.list(path);
        } catch (IOException e) {
            throw new KafkaStorageException("list", path, e);
        }
    }

    /**
     * Renames a directory in it, durably; the new name gets a number in front of its last dash if it is taken: a partition may be
     * deleted, come back and be deleted again before the first one's files are gone.
     */
    Path rename(String from, String to) {
        Path target = path.resolve(to);
        int dash = to.lastIndexOf('-');
        for (int number = 1; io.exists(target); number++) {
            target = path.resolve(to.substring(0, dash) + "." + number + to.substring(dash));
        }
        try {
            io.rename(path.resolve(from), target);
            io.forceDirectory(path);
            return target;
        } catch (IOException e) {
            throw new KafkaStorageException("rename", path.resolve(from), e);
        }
    }

    /** Creates the directory of a partition, with its metadata, durably; what is recorded of an earlier log of that name goes. */
    Path create(TopicPartition partition, TopicId topicId) {
        forget(partition);
        Path directory = path.resolve(partition.toString());
        try {
            io.createDirectory(directory);
            new PartitionMetadataFile(io, directory).write(topicId);
            io.forceDirectory(path);
            return directory;
        } catch (IOException e) {
            throw new KafkaStorageException("create", directory, e);
        }
    }

    /** Deletes a directory in it and the files in that; what fails is left to the next start. */
    void deleteTree(Path directory) {
        try {
            for (String name : io.list(directory)) {
                io.delete(directory.resolve(name));
            }
            io.delete(directory);
        } catch (NoSuchFileException e) {
            LOG.debug("already gone: {}", directory);
        } catch (IOException e) {
            LOG.warn("cannot delete {}; the next start will", directory, e);
        }
    }
}
