package io.tidemark.server.boot;

import io.tidemark.core.config.BrokerConfig;
import io.tidemark.core.config.ReplicationConfig;
import io.tidemark.core.log.LogFlushers;
import io.tidemark.core.log.LogRegistry;
import io.tidemark.replication.DamageChannel;
import io.tidemark.replication.HighWatermarkCheckpointer;
import io.tidemark.replication.IsrChannel;
import io.tidemark.replication.LeaderChannels;
import io.tidemark.replication.ReplicationAssembly;
import io.tidemark.replication.fetch.FetchSettings;
import io.tidemark.replication.follower.FetcherConfig;
import io.tidemark.replication.partition.ReplicaSettings;
import io.tidemark.server.metadata.TopicSettings;
import java.time.Duration;

/** Binds replication to this process's configuration, threads and disk. */
final class ReplicaRoom {
    private static final Duration FIRST_FETCH_BACKOFF = Duration.ofMillis(20);

    private ReplicaRoom() {}

    /** What replication is built from. */
    record Parts(
            BrokerConfig config,
            Foundation foundation,
            LogRegistry logs,
            LogFlushers flushers,
            TopicSettings topics,
            BrokerEpoch epoch,
            LeaderChannels leaders,
            IsrChannel controller,
            DamageChannel damages) {}

    static ReplicationAssembly assemble(Parts parts) {
        Foundation foundation = parts.foundation();
        BrokerConfig config = parts.config();
        ReplicationConfig replication = config.replication();
        return new ReplicationAssembly(
                new ReplicationAssembly.Self(
                        config.brokerId(),
                        parts.epoch()::current,
                        parts.leaders(),
                        parts.controller(),
                        parts.damages()),
                new ReplicationAssembly.World(
                        foundation.clock(),
                        foundation.scheduler(),
                        foundation.loops(),
                        foundation.passes(),
                        foundation.randomness(),
                        foundation.failures(),
                        foundation.storageFailures(),
                        foundation.registry()),
                new ReplicationAssembly.Data(
                        parts.logs(),
                        parts.flushers(),
                        new HighWatermarkCheckpointer(
                                foundation.files(), parts.logs().directories()),
                        replication.highWatermarkCheckpointInterval(),
                        parts.topics()::of,
                        parts.topics()::of),
                new ReplicationAssembly.Settings(
                        new ReplicaSettings(
                                replication.lagTimeMax(),
                                replication.truncation(),
                                config.log().flush().mode()),
                        fetcherConfig(replication),
                        FetchSettings.DEFAULTS.withRoundsFor(replication.lagTimeMax())));
    }

    private static FetcherConfig fetcherConfig(ReplicationConfig config) {
        return new FetcherConfig(
                config.fetchWaitMax(),
                config.fetchMinBytes(),
                config.fetchMaxBytes(),
                config.fetchResponseMaxBytes(),
                FIRST_FETCH_BACKOFF,
                config.fetchBackoff(),
                config.fetchersPerLeader());
    }
}
