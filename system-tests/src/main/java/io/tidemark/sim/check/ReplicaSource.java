package io.tidemark.sim.check;

import io.tidemark.core.log.LogEnd;
import io.tidemark.model.PartitionState;
import io.tidemark.replication.partition.PartitionView;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What a mirror looks at: one log as one process has it, and what that process makes of it. {@link #end()} and {@link #view()}
 * answer the same object until something moves.
 */
interface ReplicaSource {
    LogEnd end();

    long startOffset();

    long truncations();

    /** End of what is durable. */
    long forcedEnd();

    /** The batches from the one that holds the offset on; null once the disk failed under the log, which then shows nothing any more. */
    @Nullable
    List<BatchMark> read(long from);

    /** Null until the process was told to hold the replica. */
    @Nullable
    PartitionView view();

    /** The state that the process adopted last; null before the first. */
    @Nullable
    PartitionState state();

    /** How often this process cut the log below the high watermark. */
    long cutsBelowHighWatermark();

    /** Up to where the cleaner says that the log is clean; empty if it was never cleaned. */
    OptionalLong cleanedTo();
}
