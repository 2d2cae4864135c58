package io.tidemark.sim.check;

import io.tidemark.core.log.Log;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.partition.Partition;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** One broker process, as the checks see it: the same object for the whole life of the process, and for no other. */
public interface RunningBroker {
    /** Tells this process from all others in its registrations. */
    long processNonce();

    /** The log on its disk; null if it has none. There from the start of the process on. */
    @Nullable
    Log log(TopicPartition partition);

    /** The replica; null until the process was told to hold it. */
    @Nullable
    Partition replica(TopicPartition partition);

    /** Up to where its cleaner says that the log is clean; empty if it was never cleaned. */
    default OptionalLong cleanedTo(TopicPartition partition) {
        return OptionalLong.empty();
    }
}
