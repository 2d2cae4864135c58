package io.tidemark.replication.follower;

import java.time.Duration;

/**
 * How followers fetch.
 *
 * @param maxWait how long a leader may hold a fetch that has nothing to bring ({@code replica.fetch.wait.max.ms})
 * @param minBytes a leader answers once it has as much ({@code replica.fetch.min.bytes})
 * @param partitionMaxBytes limit for one partition ({@code replica.fetch.max.bytes}); a larger batch comes whole
 * @param responseMaxBytes limit for an answer ({@code replica.fetch.response.max.bytes})
 * @param minBackoff pause after a first failure; it doubles with each further one
 * @param maxBackoff longest pause ({@code replica.fetch.backoff.ms})
 * @param fetchersPerLeader {@code num.replica.fetchers}
 */
public record FetcherConfig(
        Duration maxWait,
        int minBytes,
        int partitionMaxBytes,
        int responseMaxBytes,
        Duration minBackoff,
        Duration maxBackoff,
        int fetchersPerLeader) {
    /** The defaults that operators know. */
    public static final FetcherConfig DEFAULTS = new FetcherConfig(
            Duration.ofMillis(500), 1, 1 << 20, 10 << 20, Duration.ofMillis(25), Duration.ofSeconds(1), 1);

    public FetcherConfig {
        if (minBytes < 0 || partitionMaxBytes < 1 || responseMaxBytes < 1 || fetchersPerLeader < 1) {
            throw new IllegalArgumentException("fetch sizes and fetchers per leader must be positive");
        }
        if (maxWait.isNegative() || minBackoff.isZero() || minBackoff.isNegative()) {
            throw new IllegalArgumentException("waits must not be negative, backoffs must be positive");
        }
        if (maxBackoff.compareTo(minBackoff) < 0) {
            throw new IllegalArgumentException("the longest backoff is shorter than the first");
        }
    }
}
