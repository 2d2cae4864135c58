package io.tidemark.sim;

import io.tidemark.core.config.FlushMode;
import io.tidemark.core.config.TruncationMode;
import io.tidemark.replication.partition.ReplicaSettings;
import java.time.Duration;

/**
 * How simulated brokers are configured.
 *
 * @param sessionTimeout of ZooKeeper sessions
 * @param checkpointInterval between two checkpoints of the high watermarks
 */
public record SimSettings(ReplicaSettings replica, Duration sessionTimeout, Duration checkpointInterval) {
    /** Defaults as operators have them, but for a shorter lag time, so that runs see shrinks. */
    public static SimSettings of(TruncationMode mode) {
        return new SimSettings(
                new ReplicaSettings(Duration.ofSeconds(10), mode, FlushMode.ASYNC),
                Duration.ofSeconds(6),
                Duration.ofSeconds(5));
    }
}
