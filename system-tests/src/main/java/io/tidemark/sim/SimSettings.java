package io.tidemark.sim;

import io.tidemark.core.config.FlushMode;
import io.tidemark.core.config.LogConfig;
import io.tidemark.core.config.TruncationMode;
import io.tidemark.replication.partition.ReplicaSettings;
import java.time.Duration;

/**
 * How simulated brokers are configured.
 *
 * @param replica how replicas count
 * @param flushMode what logs force and what is stamped beside them as forced; the replicas' own unless a fault is planted
 * @param sessionTimeout of ZooKeeper sessions
 * @param checkpointInterval between two checkpoints of the high watermarks
 * @param upkeep what is done to logs now and then
 */
public record SimSettings(
        ReplicaSettings replica,
        FlushMode flushMode,
        Duration sessionTimeout,
        Duration checkpointInterval,
        SimUpkeep upkeep) {
    /** Defaults as operators have them, but for a shorter lag time, so that runs see shrinks. */
    public static SimSettings of(TruncationMode mode) {
        return counting(mode, FlushMode.ASYNC, FlushMode.ASYNC);
    }

    /** {@code log.flush.mode=sync} on all brokers. */
    public static SimSettings sync() {
        return counting(TruncationMode.LEADER_EPOCH, FlushMode.SYNC, FlushMode.SYNC);
    }

    /** A planted fault: brokers force like in sync mode and say so, but count records before they are forced. */
    public static SimSettings syncThatCountsUnforcedRecords() {
        return counting(TruncationMode.LEADER_EPOCH, FlushMode.ASYNC, FlushMode.SYNC);
    }

    private static SimSettings counting(TruncationMode mode, FlushMode counted, FlushMode forced) {
        return new SimSettings(
                new ReplicaSettings(Duration.ofSeconds(10), mode, counted),
                forced,
                Duration.ofSeconds(6),
                Duration.ofSeconds(5),
                SimUpkeep.DEFAULTS);
    }

    /** The same with another upkeep of logs. */
    public SimSettings withUpkeep(SimUpkeep other) {
        return new SimSettings(replica, flushMode, sessionTimeout, checkpointInterval, other);
    }

    /** What logs run with. */
    LogConfig log() {
        return LogConfig.DEFAULTS.with(LogConfig.DEFAULTS.flush().withMode(flushMode));
    }
}
