package io.tidemark.core.log;

import io.tidemark.core.config.LogConfig;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The logs of one broker, over all its log directories. Thread-safe. */
public interface LogRegistry {
    /** The loaded log of the partition, whatever its topic id. */
    Optional<Log> find(TopicPartition partition);

    /**
     * The log of the partition, created if it does not exist, in the directory with the fewest logs. A log of the same name and
     * another topic id is set aside (its directory renamed to a stray's) first; its data is not deleted.
     */
    Log open(TopicPartition partition, TopicId topicId, LogConfig config);

    /** All loaded logs, ordered by partition. */
    List<Log> logs();

    /** Directories in the order of {@code log.dirs}. */
    List<Path> directories();

    /**
     * Deletes the log if its topic id matches: renames the directory at once, deletes files after the configured delay.
     *
     * @return whether there was such a log
     */
    boolean delete(TopicPartition partition, TopicId topicId);

    /** Forces every log and writes recovery points; the clean-shutdown marker is written last. Idempotent. */
    void closeCleanly();
}
