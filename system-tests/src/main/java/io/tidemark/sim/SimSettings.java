package io.tidemark.sim;

import io.tidemark.core.config.FlushMode;
import io.tidemark.core.config.LogConfig;
import io.tidemark.core.config.TruncationMode;
import io.tidemark.model.SafetyRule;
import io.tidemark.model.SafetyRules;
import io.tidemark.replication.partition.ReplicaSettings;
import java.time.Duration;

/**
 * How simulated brokers are configured.
 *
 * @param replica how replicas count, and which safety rules are kept, by all parts of a broker
 * @param sessionTimeout of ZooKeeper sessions
 * @param checkpointInterval between two checkpoints of the high watermarks
 * @param upkeep what is done to logs now and then
 * @param detection how processes that end are noticed; by their sessions in most tests, which are about what that delay allows
 */
public record SimSettings(
        ReplicaSettings replica,
        Duration sessionTimeout,
        Duration checkpointInterval,
        SimUpkeep upkeep,
        Detection detection) {
    /** With detection by sessions. */
    public SimSettings(
            ReplicaSettings replica, Duration sessionTimeout, Duration checkpointInterval, SimUpkeep upkeep) {
        this(replica, sessionTimeout, checkpointInterval, upkeep, Detection.SESSION);
    }

    /** Defaults as operators have them, but for a shorter lag time, so that runs see shrinks. */
    public static SimSettings of(TruncationMode mode) {
        return flushing(mode, FlushMode.ASYNC);
    }

    /** {@code log.flush.mode=sync} on all brokers. */
    public static SimSettings sync() {
        return flushing(TruncationMode.LEADER_EPOCH, FlushMode.SYNC);
    }

    /** A planted fault: brokers force like in sync mode and say so, but count records before they are forced. */
    public static SimSettings syncThatCountsUnforcedRecords() {
        return sync().withRules(SafetyRules.without(SafetyRule.SYNC_COUNTS_FORCED));
    }

    /** The same under other safety rules: what is waived is a planted fault. */
    public SimSettings withRules(SafetyRules kept) {
        return new SimSettings(replica.withRules(kept), sessionTimeout, checkpointInterval, upkeep, detection);
    }

    private static SimSettings flushing(TruncationMode mode, FlushMode flushMode) {
        return new SimSettings(
                new ReplicaSettings(Duration.ofSeconds(10), mode, flushMode),
                Duration.ofSeconds(6),
                Duration.ofSeconds(5),
                SimUpkeep.DEFAULTS);
    }

    /** The same with another upkeep of logs. */
    public SimSettings withUpkeep(SimUpkeep other) {
        return new SimSettings(replica, sessionTimeout, checkpointInterval, other, detection);
    }

    /** The same with another detection of processes that end. */
    public SimSettings withDetection(Detection other) {
        return new SimSettings(replica, sessionTimeout, checkpointInterval, upkeep, other);
    }

    /** The safety rules that are kept. */
    SafetyRules rules() {
        return replica.rules();
    }

    /** What logs force, and what is stamped beside them as forced. */
    FlushMode flushMode() {
        return replica.flushMode();
    }

    /** What logs run with. */
    LogConfig log() {
        return LogConfig.DEFAULTS.with(LogConfig.DEFAULTS.flush().withMode(flushMode()));
    }
}
