package io.tidemark.replication.partition;

import io.tidemark.core.config.FlushMode;
import io.tidemark.core.config.TruncationMode;
import io.tidemark.model.SafetyRule;
import io.tidemark.model.SafetyRules;
import java.time.Duration;

/**
 * The settings of a broker's replicas.
 *
 * @param replicaLagTimeMax a follower that was not caught up for longer leaves the in-sync set ({@code
 *     replica.lag.time.max.ms}, I22)
 * @param truncation how followers find what to cut ({@code replica.truncation})
 * @param flushMode whether a replica counts with its forced end ({@code log.flush.mode})
 * @param rules that are kept: all of them in a broker
 */
public record ReplicaSettings(
        Duration replicaLagTimeMax, TruncationMode truncation, FlushMode flushMode, SafetyRules rules) {
    /** The defaults that operators know. */
    public static final ReplicaSettings DEFAULTS =
            new ReplicaSettings(Duration.ofSeconds(30), TruncationMode.LEADER_EPOCH, FlushMode.ASYNC);

    public ReplicaSettings {
        if (replicaLagTimeMax.isNegative() || replicaLagTimeMax.isZero()) {
            throw new IllegalArgumentException("replica.lag.time.max.ms must be positive: " + replicaLagTimeMax);
        }
    }

    /** With every safety rule. */
    public ReplicaSettings(Duration replicaLagTimeMax, TruncationMode truncation, FlushMode flushMode) {
        this(replicaLagTimeMax, truncation, flushMode, SafetyRules.ALL);
    }

    /** The same under other rules. */
    public ReplicaSettings withRules(SafetyRules kept) {
        return new ReplicaSettings(replicaLagTimeMax, truncation, flushMode, kept);
    }

    /** Whether a replica counts with its forced end, and a follower forces before its next fetch. */
    public boolean countsForcedEnds() {
        return flushMode == FlushMode.SYNC && rules.keeps(SafetyRule.SYNC_COUNTS_FORCED);
    }
}
