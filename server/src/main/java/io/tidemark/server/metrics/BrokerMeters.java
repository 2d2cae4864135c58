package io.tidemark.server.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.tidemark.coordination.cluster.ClusterState;
import io.tidemark.coordination.zookeeper.ZkSession;
import io.tidemark.replication.partition.Partition;
import io.tidemark.server.metadata.ClusterView;
import io.tidemark.server.status.BrokerState;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * Gauges of the broker, its replicas and its office as the controller. What is counted over partitions is taken once for each
 * scrape, by {@link #refresh}, not once for each gauge. Thread-safe.
 */
public final class BrokerMeters {
    private final MeterRegistry registry;
    private final Sources sources;
    private volatile Census census;
    private volatile Optional<ClusterState> office = Optional.empty();

    /**
     * What the gauges show; all of it thread-safe and without waiting.
     *
     * @param controller what this broker knows as the controller; empty when it is not in office
     * @param directories in the order of {@code log.dirs}
     * @param freeBytes that can still be written to a directory; -1 if that cannot be told
     */
    public record Sources(
            String version,
            Supplier<BrokerState> state,
            Supplier<ZkSession.State> zooKeeper,
            Supplier<List<Partition>> replicas,
            Supplier<ClusterView> cluster,
            Supplier<Optional<ClusterState>> controller,
            List<Path> directories,
            ToLongFunction<Path> freeBytes) {}

    public BrokerMeters(MeterRegistry registry, Sources sources) {
        this.registry = registry;
        this.sources = sources;
        this.census = Census.of(List.of(), ClusterView.EMPTY);
        broker();
        replicas();
        controller();
        sources.directories().forEach(this::directory);
    }

    /** Takes what the gauges show of partitions; to be called before each scrape. */
    public void refresh() {
        census = Census.of(sources.replicas().get(), sources.cluster().get());
        office = sources.controller().get();
    }

    private void broker() {
        Gauge.builder("tidemark.build.info", () -> 1)
                .description("1; the label says which version runs")
                .tag("version", sources.version())
                .register(registry);
        for (BrokerState state : BrokerState.values()) {
            Gauge.builder("tidemark.broker.state", () -> sources.state().get() == state ? 1 : 0)
                    .description("1 for the state that the broker is in")
                    .tag("state", state.name())
                    .register(registry);
        }
        for (ZkSession.State state : ZkSession.State.values()) {
            Gauge.builder("tidemark.zk.state", () -> sources.zooKeeper().get() == state ? 1 : 0)
                    .description("1 for the state of the ZooKeeper session")
                    .tag("state", state.name())
                    .register(registry);
        }
    }

    private void replicas() {
        counted("tidemark.replica.partitions", "replicas that this broker has", c -> c.replicas);
        counted("tidemark.replica.leaders", "partitions that this broker leads", c -> c.leaders);
        counted(
                "tidemark.replica.under.replicated.partitions",
                "led partitions that have replicas out of sync",
                c -> c.underReplicated);
        counted(
                "tidemark.replica.under.min.isr.partitions",
                "led partitions with fewer in-sync replicas than the effective min ISR",
                c -> c.underMinIsr);
        counted(
                "tidemark.replica.at.min.isr.partitions",
                "led partitions with just as many in-sync replicas as the effective min ISR",
                c -> c.atMinIsr);
        counted(
                "tidemark.log.corrupt.partitions",
                "replicas whose log is known to be damaged somewhere",
                c -> c.corrupt);
    }

    private void controller() {
        Gauge.builder("tidemark.controller.active", () -> office.isPresent() ? 1 : 0)
                .description("1 on the controller")
                .register(registry);
        inOffice("tidemark.controller.offline.partitions", "partitions without a leader", c -> c.offlinePartitions);
        inOffice("tidemark.controller.offline.replicas", "replicas on brokers that are away", c -> c.offlineReplicas);
        inOffice(
                "tidemark.controller.preferred.imbalance",
                "partitions that another than their first replica leads",
                c -> c.notPreferred);
        Gauge.builder(
                        "tidemark.controller.brokers.alive",
                        () -> office.map(state -> state.registrations().size()).orElse(0))
                .description("registered brokers; 0 except on the controller")
                .register(registry);
        Gauge.builder(
                        "tidemark.controller.brokers.known",
                        () -> office.map(state -> state.incarnations().size()).orElse(0))
                .description("brokers that ever registered; 0 except on the controller")
                .register(registry);
    }

    private void directory(Path directory) {
        Gauge.builder("tidemark.log.dir", this, meters -> meters.census.bytesByDirectory.getOrDefault(directory, 0L))
                .description("bytes in the live segments of a log directory")
                .baseUnit("bytes")
                .tag("dir", directory.toString())
                .register(registry);
        Gauge.builder("tidemark.log.dir.free", () -> sources.freeBytes().applyAsLong(directory))
                .description(
                        "bytes that can still be written to a log directory's file system; -1 if that cannot be told")
                .baseUnit("bytes")
                .tag("dir", directory.toString())
                .register(registry);
    }

    private void counted(String name, String description, ToDoubleFunction<Census> value) {
        Gauge.builder(name, this, meters -> value.applyAsDouble(meters.census))
                .description(description)
                .register(registry);
    }

    private void inOffice(String name, String description, ToDoubleFunction<Census> value) {
        Gauge.builder(name, this, meters -> meters.office.isPresent() ? value.applyAsDouble(meters.census) : 0)
                .description(description + "; 0 except on the controller")
                .register(registry);
    }
}
