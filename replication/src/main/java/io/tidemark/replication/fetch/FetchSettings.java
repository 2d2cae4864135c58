package io.tidemark.replication.fetch;

import java.time.Duration;

/**
 * Bounds of what a leader does for fetches.
 *
 * @param responseMaxBytes no answer's batches exceed this, whatever was asked, but for a single first batch that is larger
 * @param maxSessions followers' sessions in all; the one that was silent for longest makes room
 * @param maxSessionsPerFollower of one broker: at least its {@code num.replica.fetchers}
 * @param roundInterval how often a session's unchanged partitions are told that their follower still fetches; well below
 *     {@code replica.lag.time.max.ms}
 */
public record FetchSettings(int responseMaxBytes, int maxSessions, int maxSessionsPerFollower, Duration roundInterval) {
    /** Fits the defaults of the other settings. */
    public static final FetchSettings DEFAULTS = new FetchSettings(50 << 20, 1_000, 32, Duration.ofSeconds(1));

    /** Rounds are so many times as frequent as a silent follower leaves the in-sync set. */
    private static final int ROUNDS_IN_LAG_TIME = 8;

    public FetchSettings {
        if (responseMaxBytes < 1 || maxSessionsPerFollower < 1 || maxSessions < maxSessionsPerFollower) {
            throw new IllegalArgumentException("fetch bounds must be positive and leave room for one follower");
        }
        if (roundInterval.isNegative()) {
            throw new IllegalArgumentException("the round interval must not be negative");
        }
    }

    /** These, with rounds as seldom as {@code replica.lag.time.max.ms} allows: each costs a look at every unchanged partition. */
    public FetchSettings withRoundsFor(Duration replicaLagTimeMax) {
        Duration interval = replicaLagTimeMax.dividedBy(ROUNDS_IN_LAG_TIME);
        return new FetchSettings(responseMaxBytes, maxSessions, maxSessionsPerFollower, interval);
    }
}
