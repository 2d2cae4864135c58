package io.tidemark.server.status;

import io.tidemark.coordination.cluster.ClusterState;
import io.tidemark.replication.partition.Partition;
import io.tidemark.replication.partition.PartitionView;
import io.tidemark.runtime.Clock;
import io.tidemark.server.metadata.ClusterView;
import io.tidemark.server.metadata.MetadataCache;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Takes the picture that the status page shows, from memory alone. Thread-safe. */
public final class StatusSource {
    private final Fixed fixed;
    private final Own own;
    private final MetadataCache metadata;
    private final ElectionHistory elections;
    private final Supplier<Optional<ClusterState>> controller;
    private final Clock clock;

    /** What never changes. */
    public record Fixed(int brokerId, String clusterId, String version) {}

    /**
     * What this broker knows of itself; all of it thread-safe and without waiting.
     *
     * @param missing why it is not ready
     */
    public record Own(
            LongSupplier brokerEpoch,
            Supplier<BrokerState> state,
            Supplier<String> zooKeeper,
            Supplier<List<String>> missing,
            Supplier<List<Partition>> replicas,
            IntSupplier strays) {}

    /** @param controller what this broker knows as the controller; empty when it is not in office */
    public StatusSource(
            Fixed fixed,
            Own own,
            MetadataCache metadata,
            ElectionHistory elections,
            Supplier<Optional<ClusterState>> controller,
            Clock clock) {
        this.fixed = fixed;
        this.own = own;
        this.metadata = metadata;
        this.elections = elections;
        this.controller = controller;
        this.clock = clock;
    }

    public StatusReport report() {
        ClusterView view = metadata.view();
        return new StatusReport(
                clock.wallMs(),
                self(),
                new StatusReport.Told(view.controllerId(), view.controllerEpoch(), elections.toldMsAgo()),
                view.brokers(),
                Troubles.of(view),
                elections.recent(),
                controller.get().map(StatusSource::office).orElse(null));
    }

    private StatusReport.Self self() {
        List<Partition> replicas = own.replicas().get();
        long leaders = replicas.stream()
                .filter(partition -> partition.view().role() == PartitionView.Role.LEADER)
                .count();
        return new StatusReport.Self(
                fixed.brokerId(),
                own.brokerEpoch().getAsLong(),
                fixed.clusterId(),
                fixed.version(),
                own.state().get(),
                own.zooKeeper().get(),
                own.missing().get(),
                replicas.size(),
                (int) leaders,
                own.strays().getAsInt());
    }

    private static StatusReport.Office office(ClusterState state) {
        TreeSet<Integer> missing = new TreeSet<>(state.incarnations().keySet());
        missing.removeAll(state.registrations().keySet());
        return new StatusReport.Office(
                state.controllerEpoch(),
                state.isStarting(),
                new ArrayList<>(missing),
                new ArrayList<>(state.questions().keySet()),
                new ArrayList<>(state.departures().keySet()),
                state.recoveries().size(),
                state.deletions().size());
    }
}
