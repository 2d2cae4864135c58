package io.tidemark.replication.follower;

import io.tidemark.core.runtime.StorageLatch;
import io.tidemark.replication.LeaderChannels;
import io.tidemark.replication.partition.Follower;
import io.tidemark.replication.throttle.ReplicationThrottle;
import io.tidemark.runtime.Clock;
import io.tidemark.runtime.EventLoops;
import io.tidemark.runtime.Randomness;
import java.util.function.Supplier;

/**
 * What fetchers have of the world around them.
 *
 * @param self this broker under its current broker epoch; read before each fetch
 * @param storageFailures told when a disk failed under a copied log; once set, by whomever, no fetcher asks for more: a
 *     fetch is a follower's acknowledgement
 * @param throttle of this broker
 */
public record FetcherEnvironment(
        LeaderChannels channels,
        EventLoops loops,
        Clock clock,
        Randomness randomness,
        Supplier<Follower> self,
        FollowerFlush flush,
        StorageLatch storageFailures,
        ReplicationThrottle throttle,
        ReplicationLagMetrics metrics) {}
