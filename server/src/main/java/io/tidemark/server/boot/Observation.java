package io.tidemark.server.boot;

import io.tidemark.coordination.cluster.ClusterState;
import io.tidemark.coordination.cluster.Notice;
import io.tidemark.coordination.zookeeper.ZkSession;
import io.tidemark.core.config.BrokerConfig;
import io.tidemark.model.ClusterUpdate;
import io.tidemark.replication.IsrChannel;
import io.tidemark.replication.LeaderChannels;
import io.tidemark.replication.ReplicaManager;
import io.tidemark.server.http.PageSource;
import io.tidemark.server.http.Pages;
import io.tidemark.server.metadata.ClusterView;
import io.tidemark.server.metadata.MetadataCache;
import io.tidemark.server.metrics.BrokerMeters;
import io.tidemark.server.metrics.ControllerMeters;
import io.tidemark.server.metrics.IsrMeters;
import io.tidemark.server.metrics.PartitionDetail;
import io.tidemark.server.metrics.TopicMeters;
import io.tidemark.server.status.ElectionHistory;
import io.tidemark.server.status.StatusSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Supplier;

/** What is measured and shown of a broker: its meters, and the pages of its HTTP port. */
final class Observation {
    private final BrokerConfig config;
    private final Foundation foundation;
    private final MetadataCache metadata;
    private final ElectionHistory elections;
    private final IsrMeters isr;
    private final TopicMeters topics;
    private final ControllerMeters controller;

    /**
     * What the pages show.
     *
     * @param controller what this broker knows as the controller; empty when it is not in office
     */
    record Seen(
            String clusterId,
            BrokerEpoch epoch,
            Standing standing,
            ReplicaManager replicas,
            Supplier<ZkSession.State> zooKeeper,
            Supplier<Optional<ClusterState>> controller) {}

    Observation(BrokerConfig config, Foundation foundation, MetadataCache metadata) {
        this.config = config;
        this.foundation = foundation;
        this.metadata = metadata;
        this.elections = new ElectionHistory(foundation.clock());
        this.isr = new IsrMeters(foundation.registry(), config.brokerId());
        this.topics = new TopicMeters(
                foundation.registry(), topic -> metadata.view().topics().containsKey(topic));
        this.controller = new ControllerMeters(foundation.registry());
    }

    void applied(ClusterView before, ClusterUpdate update) {
        elections.observe(before, update);
        isr.observe(before, update);
    }

    void noticed(Notice notice) {
        controller.noticed(notice);
    }

    TopicMeters topics() {
        return topics;
    }

    LeaderChannels leaders(LeaderChannels leaders) {
        return topics.leaders(leaders);
    }

    IsrChannel proposals(IsrChannel channel) {
        return isr.metered(channel);
    }

    SortedMap<String, PageSource> pages(Seen seen) {
        StatusSource status = status(seen);
        BrokerMeters meters = meters(seen);
        return Pages.of(new Pages.Sources(
                status::report,
                () -> scrape(meters),
                topic -> PartitionDetail.of(topic, seen.replicas().partitions()),
                seen.standing(),
                seen.standing()::state));
    }

    private String scrape(BrokerMeters meters) {
        topics.retain(metadata.view().topics().keySet());
        meters.refresh();
        return foundation.prometheus().scrape();
    }

    private StatusSource status(Seen seen) {
        return new StatusSource(
                new StatusSource.Fixed(config.brokerId(), seen.clusterId(), version()),
                new StatusSource.Own(
                        seen.epoch()::current,
                        seen.standing()::state,
                        () -> seen.zooKeeper().get().name(),
                        seen.standing()::missing,
                        seen.replicas()::partitions,
                        () -> seen.replicas().strays().size()),
                metadata,
                elections,
                seen.controller(),
                foundation.clock());
    }

    private BrokerMeters meters(Seen seen) {
        return new BrokerMeters(
                foundation.registry(),
                new BrokerMeters.Sources(
                        version(),
                        seen.standing()::state,
                        seen.zooKeeper(),
                        seen.replicas()::partitions,
                        metadata::view,
                        seen.controller(),
                        config.storage().logDirectories(),
                        this::freeBytes));
    }

    private long freeBytes(Path directory) {
        try {
            return foundation.files().freeSpaceBytes(directory);
        } catch (IOException e) {
            return -1;
        }
    }

    /** What the build wrote into the jar. */
    private static String version() {
        String version = Observation.class.getPackage().getImplementationVersion();
        return version == null ? "(not packaged)" : version;
    }
}
