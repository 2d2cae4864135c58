package io.tidemark.replication;

import io.tidemark.core.checkpoint.OffsetCheckpointFile;
import io.tidemark.core.checkpoint.OffsetCheckpointFile.Kind;
import io.tidemark.core.checkpoint.StoredValue;
import io.tidemark.core.io.Files;
import io.tidemark.core.runtime.Invariant;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.partition.Partition;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The one writer of {@code replication-offset-checkpoint}: the high watermarks of all partitions of a log directory in one
 * file and one write (S55, S59; bytes in {@link OffsetCheckpointFile}).
 *
 * <p>Each file is read once, before any log of its directory is used. From then on every write carries forward the entries
 * of logs that have no replica yet (S62, KAFKA-769); an entry goes only with its log. An entry that is missing, or a file
 * that was damaged, means 0, which the replica raises to its log start (S61, S63). Thread-safe.
 */
public final class HighWatermarkCheckpointer {
    private final SortedMap<Path, OffsetCheckpointFile> files = new TreeMap<>();
    private final SortedMap<Path, SortedMap<TopicPartition, Long>> onDisk = new TreeMap<>();

    /** @param directories the log directories */
    public HighWatermarkCheckpointer(Files io, List<Path> directories) {
        for (Path directory : directories) {
            files.put(directory, new OffsetCheckpointFile(io, directory, Kind.HIGH_WATERMARK));
        }
    }

    /** Reads the files. To be called once, before anything else. */
    public synchronized void load() {
        Invariant.check(onDisk.isEmpty(), "the high watermark checkpoints are read once");
        files.forEach((directory, file) -> {
            StoredValue<SortedMap<TopicPartition, Long>> stored = file.read();
            onDisk.put(directory, new TreeMap<>(stored.value().orElseGet(TreeMap::new)));
        });
    }

    /** What was written last for a log of that directory, in this process or an earlier one; 0 if nothing was (S60). */
    public synchronized long read(Path directory, TopicPartition partition) {
        return content(directory).getOrDefault(partition, 0L);
    }

    /**
     * Writes the high watermarks as they are now, one file per directory that has changed, and tells each replica whose own has.
     * Those that stand still cost a comparison.
     *
     * @param partitions reads the replicas that there are; called with the lock held, so that none of them can be one whose
     *     entry was dropped in between
     * @throws io.tidemark.core.runtime.KafkaStorageException if a file cannot be written; the old one is whole then
     */
    public void write(Supplier<List<Partition>> partitions) {
        List<Runnable> news = new ArrayList<>();
        synchronized (this) {
            SortedMap<Path, SortedMap<TopicPartition, Long>> moved = new TreeMap<>();
            for (Partition partition : partitions.get()) {
                long highWatermark = partition.view().highWatermark();
                Path directory = partition.log().logDirectory();
                Long written = content(directory).get(partition.partition());
                if (written == null || written != highWatermark) {
                    moved.computeIfAbsent(directory, at -> new TreeMap<>(content(at)))
                            .put(partition.partition(), highWatermark);
                    news.add(() -> partition.onCheckpointed(highWatermark));
                }
            }
            moved.forEach(this::replace);
        }
        news.forEach(Runnable::run);
    }

    /**
     * Drops the entries of logs that are no more, or that are about to be created: a new log never starts from the number of
     * an earlier one of its name. On disk when this returns, and not written again: their replicas are gone already.
     */
    public synchronized void forget(Collection<TopicPartition> partitions) {
        for (Path directory : files.keySet()) {
            SortedMap<TopicPartition, Long> next = new TreeMap<>(content(directory));
            next.keySet().removeAll(partitions);
            replace(directory, next);
        }
    }

    private void replace(Path directory, SortedMap<TopicPartition, Long> next) {
        OffsetCheckpointFile file = files.get(directory);
        if (file != null && !next.equals(onDisk.get(directory))) {
            file.write(next);
            onDisk.put(directory, next);
        }
    }

    private SortedMap<TopicPartition, Long> content(Path directory) {
        SortedMap<TopicPartition, Long> entries = onDisk.get(directory);
        if (entries == null) {
            throw new Invariant.InvariantBrokenException("no high watermarks were loaded from " + directory);
        }
        return entries;
    }
}
