package io.tidemark.core.log.cleaner;

import io.tidemark.core.checkpoint.OffsetCheckpointFile;
import io.tidemark.core.io.Files;
import io.tidemark.model.TopicPartition;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Up to where each log of a directory was cleaned, durably ({@code cleaner-offset-checkpoint}). Thread-safe; calls no log.
 *
 * <p>Entries of logs that are not loaded are carried forward; an entry goes only with its log. A truncation lowers an entry before
 * it cuts, and what a pass that began before finds out afterwards is not taken. What a damaged file said is unknown, which costs
 * one more pass over each log.
 */
public final class CleanerCheckpoint {
    private final OffsetCheckpointFile file;
    private final Map<TopicPartition, Long> changes = new HashMap<>();
    private SortedMap<TopicPartition, Long> offsets;

    /** Reads the file of that directory. */
    public CleanerCheckpoint(Files files, Path logDirectory) {
        this.file = new OffsetCheckpointFile(files, logDirectory, OffsetCheckpointFile.Kind.CLEANER);
        this.offsets = new TreeMap<>(file.read().value().orElse(new TreeMap<>()));
    }

    /** Up to where the log is clean; empty if nothing is recorded. */
    public synchronized OptionalLong offsetOf(TopicPartition partition) {
        Long offset = offsets.get(partition);
        return offset == null ? OptionalLong.empty() : OptionalLong.of(offset);
    }

    /** How often the log was truncated or deleted; asked before a pass begins. */
    synchronized long changesOf(TopicPartition partition) {
        return changes.getOrDefault(partition, 0L);
    }

    /**
     * Records how far a log is clean.
     *
     * @param changes {@link #changesOf} the log when what is recorded was found out
     * @return false, and nothing is recorded, if there was another one since
     */
    synchronized boolean record(TopicPartition partition, long offset, long changes) {
        if (changesOf(partition) != changes) {
            return false;
        }
        put(partition, offset);
        return true;
    }

    /** The log is about to be cut at {@code offset}: from there on it is not clean. Durable when this returns. */
    public synchronized void lowerTo(TopicPartition partition, long offset) {
        changes.merge(partition, 1L, Long::sum);
        Long recorded = offsets.get(partition);
        if (recorded != null && recorded > offset) {
            put(partition, offset);
        }
    }

    /** The log is deleted. */
    public synchronized void forget(TopicPartition partition) {
        changes.merge(partition, 1L, Long::sum);
        if (offsets.containsKey(partition)) {
            SortedMap<TopicPartition, Long> changed = new TreeMap<>(offsets);
            changed.remove(partition);
            file.write(changed);
            offsets = changed;
        }
    }

    private void put(TopicPartition partition, long offset) {
        SortedMap<TopicPartition, Long> changed = new TreeMap<>(offsets);
        changed.put(partition, offset);
        file.write(changed);
        offsets = changed;
    }
}
