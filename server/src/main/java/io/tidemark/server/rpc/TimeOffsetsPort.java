package io.tidemark.server.rpc;

import io.tidemark.model.TopicPartition;
import io.tidemark.replication.partition.OffsetLookup;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Where partitions reach a time, as this broker knows. Thread-safe; never blocks the caller. */
@FunctionalInterface
public interface TimeOffsetsPort {
    /**
     * A question for the first committed record at or after a time.
     *
     * @param clientLeaderEpoch that the client knows, or -1
     */
    record Question(TopicPartition partition, long timestampMs, int clientLeaderEpoch) {}

    /**
     * @param questions at least one
     * @param isWanted whether the asker still waits; thread-safe
     * @param answer given one lookup for each question, in order, exactly once, on any thread; all THROTTLED, at once, when
     *     too many searches are under way. Not called after a stop
     */
    void search(List<Question> questions, BooleanSupplier isWanted, Consumer<List<OffsetLookup>> answer);
}
