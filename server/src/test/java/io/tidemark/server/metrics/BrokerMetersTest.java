package io.tidemark.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.tidemark.coordination.cluster.ClusterState;
import io.tidemark.coordination.cluster.NextProducerIds;
import io.tidemark.coordination.zookeeper.ZkSession;
import io.tidemark.core.config.LogConfig;
import io.tidemark.core.io.FileHandle;
import io.tidemark.core.io.SimDisk;
import io.tidemark.core.log.LoadProgress;
import io.tidemark.core.log.Log;
import io.tidemark.core.log.LogDirectories;
import io.tidemark.core.log.ScrubPoint;
import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.ManualScheduler;
import io.tidemark.model.ClusterUpdate;
import io.tidemark.model.PartitionState;
import io.tidemark.record.Codec;
import io.tidemark.record.ProducerStamp;
import io.tidemark.record.RecordBatchBuilder;
import io.tidemark.replication.partition.Partition;
import io.tidemark.replication.partition.ReplicaSettings;
import io.tidemark.server.metadata.ClusterView;
import io.tidemark.server.metadata.MetadataCache;
import io.tidemark.server.status.BrokerState;
import io.tidemark.server.status.States;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class BrokerMetersTest {
    private static final Path DIRECTORY = Path.of("/data");

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final SimDisk disk = new SimDisk();
    private final LogDirectories logs = LogDirectories.load(
            disk,
            new ManualScheduler(new ManualClock(), (runner, failure) -> {}),
            LogDirectories.Settings.of(List.of(DIRECTORY), LogConfig.DEFAULTS),
            Runnable::run,
            LoadProgress.SILENT);
    private final MetadataCache metadata = new MetadataCache();
    private final AtomicInteger looks = new AtomicInteger();
    private List<Partition> replicas = new ArrayList<>();
    private Optional<ClusterState> office = Optional.empty();
    private final BrokerMeters meters = new BrokerMeters(
            registry,
            new BrokerMeters.Sources(
                    "1.2",
                    () -> BrokerState.RUNNING,
                    () -> ZkSession.State.CONNECTED,
                    this::looked,
                    this::view,
                    () -> office,
                    List.of(DIRECTORY),
                    directory -> 12_345));

    private List<Partition> looked() {
        looks.incrementAndGet();
        return replicas;
    }

    private ClusterView view() {
        looks.incrementAndGet();
        return metadata.view();
    }

    private double value(String series) {
        meters.refresh();
        return registry.scrape()
                .lines()
                .filter(line -> line.startsWith(series + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no series " + series));
    }

    private void told(PartitionState... states) {
        ClusterUpdate update = States.update(States.brokers(1, 2), States.topic(states));
        metadata.apply(update, 1);
        for (PartitionState state : states) {
            Partition replica = new Partition(
                    logs.open(state.partition(), state.topicId(), LogConfig.DEFAULTS),
                    1,
                    () -> 101,
                    ReplicaSettings.DEFAULTS,
                    0);
            replica.become(state, 0);
            replicas.add(replica);
        }
    }

    @Test
    void shouldCountReplicasAndWhatThisBrokerLeads() {
        told(
                States.partition(0, 1, 1, 1, 2, 3),
                States.partition(1, 1, 1, 1, 2),
                States.partition(2, 1, 1, 1),
                States.partition(3, 2, 1, 2));
        assertThat(value("tidemark_replica_partitions")).isEqualTo(4);
        assertThat(value("tidemark_replica_leaders")).isEqualTo(3);
        assertThat(value("tidemark_replica_under_replicated_partitions")).isEqualTo(2);
        assertThat(value("tidemark_replica_under_min_isr_partitions")).isEqualTo(1);
        assertThat(value("tidemark_replica_at_min_isr_partitions")).isEqualTo(1);
        assertThat(value("tidemark_log_dir_bytes{dir=\"/data\"}")).isZero();
        assertThat(value("tidemark_log_dir_free_bytes{dir=\"/data\"}")).isEqualTo(12_345);
    }

    // DESIGN 3
    // Fails if: Census.count does not ask the logs
    @Test
    void shouldCountReplicasWithADamagedLog() throws Exception {
        // given two segments, and a bit of the sealed one that changes
        told(States.partition(0, 1, 1, 1), States.partition(1, 1, 1, 1));
        Log log = replicas.get(0).log();
        log.reconfigure(LogConfig.DEFAULTS.withSegmentBytes(100));
        log.appendAsLeader(batch(), replicas.get(0).view().leaderEpoch());
        log.appendAsLeader(batch(), replicas.get(0).view().leaderEpoch());
        assertThat(value("tidemark_log_corrupt_partitions")).isZero();
        Path file = DIRECTORY.resolve(log.partition().toString()).resolve("00000000000000000000.log");
        try (FileHandle handle = disk.openForAppend(file)) {
            ByteBuffer content = ByteBuffer.allocate((int) handle.size());
            handle.read(content, 0);
            content.put(70, (byte) ~content.get(70));
            handle.truncate(0);
            handle.append(content.flip());
        }

        // when
        log.scrub(ScrubPoint.FRONT, 1_000);

        // then
        assertThat(value("tidemark_log_corrupt_partitions")).isEqualTo(1);
    }

    private static ByteBuffer batch() {
        RecordBatchBuilder builder = new RecordBatchBuilder(Codec.NONE, 1 << 10, 1 << 10);
        builder.tryAppend(0, null, ByteBuffer.allocate(50), List.of());
        ByteBuffer built = builder.build(ProducerStamp.NONE);
        return ByteBuffer.allocate(built.remaining()).put(built.duplicate()).flip();
    }

    @Test
    void shouldCountTheClusterOnTheControllerAlone() {
        // given: broker 3 is away
        told(States.partition(0, 1, 1, 1, 2), States.partition(1, 2, 1, 2), States.partition(2, -1, 1, 3));
        assertThat(value("tidemark_controller_active")).isZero();
        assertThat(value("tidemark_controller_offline_partitions")).isZero();

        // when
        office = Optional.of(ClusterState.loaded(1, List.of(), List.of(), List.of(), NextProducerIds.NONE));

        // then
        assertThat(value("tidemark_controller_active")).isEqualTo(1);
        assertThat(value("tidemark_controller_offline_partitions")).isEqualTo(1);
        assertThat(value("tidemark_controller_offline_replicas")).isEqualTo(3);
        assertThat(value("tidemark_controller_preferred_imbalance")).isEqualTo(1);
        assertThat(value("tidemark_controller_brokers_known")).isZero();
    }

    @Test
    void shouldSayWhatRunsAndHowItIs() {
        assertThat(value("tidemark_build_info{version=\"1.2\"}")).isEqualTo(1);
        assertThat(value("tidemark_broker_state{state=\"RUNNING\"}")).isEqualTo(1);
        assertThat(value("tidemark_broker_state{state=\"STOPPING\"}")).isZero();
        assertThat(value("tidemark_zk_state{state=\"CONNECTED\"}")).isEqualTo(1);
        assertThat(value("tidemark_zk_state{state=\"EXPIRED\"}")).isZero();
    }

    @Test
    void shouldLookAtEachPartitionOnceAndGrowNoSeriesByThem() {
        // given
        told(States.partition(0, 1, 1, 1, 2));
        meters.refresh();
        long seriesOfOne = registry.scrape().lines().count();
        AtomicInteger visits = new AtomicInteger();
        replicas = new VisitedList(replicas.get(0), 10_000, visits);
        looks.set(0);

        // when
        meters.refresh();
        String scrape = registry.scrape();

        // then
        assertThat(scrape.lines().count()).isEqualTo(seriesOfOne);
        assertThat(scrape).contains("tidemark_replica_partitions 10000.0");
        assertThat(looks).hasValue(2);
        assertThat(visits).hasValueLessThanOrEqualTo(10_000);
    }

    @Test
    void shouldShowEachPartitionOfATopicOnRequest() {
        told(States.partition(0, 1, 4, 1, 2), States.partition(1, 2, 5, 2));
        String detail = PartitionDetail.of("orders", replicas).orElseThrow();
        assertThat(detail)
                .contains("# TYPE tidemark_partition_leader gauge\n")
                .contains("tidemark_partition_leader{topic=\"orders\",partition=\"0\"} 1\n")
                .contains("tidemark_partition_leader{topic=\"orders\",partition=\"1\"} 0\n")
                .contains("tidemark_partition_leader_epoch{topic=\"orders\",partition=\"1\"} 5\n")
                .contains("tidemark_partition_isr_members{topic=\"orders\",partition=\"0\"} 2\n")
                .contains("tidemark_partition_log_end_offset{topic=\"orders\",partition=\"0\"} 0\n");
        assertThat(PartitionDetail.of("other", replicas)).isEmpty();
        assertThat(PartitionDetail.of("orders", Collections.emptyList())).isEmpty();
    }

    /** The same replica many times, which counts how often it is asked for. */
    private static final class VisitedList extends java.util.AbstractList<Partition> {
        private final Partition replica;
        private final int size;
        private final AtomicInteger visits;

        VisitedList(Partition replica, int size, AtomicInteger visits) {
            this.replica = replica;
            this.size = size;
            this.visits = visits;
        }

        @Override
        public Partition get(int index) {
            visits.incrementAndGet();
            return replica;
        }

        @Override
        public int size() {
            return size;
        }
    }
}
