package io.tidemark.core.log;

import io.tidemark.model.TopicPartition;

/** Hears of every log that a start has loaded, on the thread that loaded it. Must not block. */
@FunctionalInterface
public interface LoadProgress {
    /** Tells nobody. */
    LoadProgress SILENT = (partition, done, total) -> {};

    /**
     * A log was loaded.
     *
     * @param done logs loaded so far, this one included
     * @param total logs found
     */
    void onLoaded(TopicPartition partition, int done, int total);
}
