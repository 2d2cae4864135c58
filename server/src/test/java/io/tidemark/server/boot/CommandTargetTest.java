package io.tidemark.server.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemark.coordination.broker.Push;
import io.tidemark.core.config.FlushMode;
import io.tidemark.core.config.LogConfig;
import io.tidemark.core.config.TruncationMode;
import io.tidemark.core.io.SimDisk;
import io.tidemark.core.log.LoadProgress;
import io.tidemark.core.log.LogDirectories;
import io.tidemark.core.log.LogFlushers;
import io.tidemark.core.runtime.StorageLatch;
import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.ManualEventLoops;
import io.tidemark.core.testkit.ManualScheduler;
import io.tidemark.core.testkit.SeededRandomness;
import io.tidemark.model.ClusterUpdate;
import io.tidemark.model.Endpoint;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.HighWatermarkCheckpointer;
import io.tidemark.replication.LeaderChannel;
import io.tidemark.replication.ReplicationAssembly;
import io.tidemark.replication.fetch.FetchSettings;
import io.tidemark.replication.follower.FetcherConfig;
import io.tidemark.replication.partition.Partition;
import io.tidemark.replication.partition.ReplicaSettings;
import io.tidemark.server.metadata.MetadataCache;
import io.tidemark.server.peer.PeerConnections;
import io.tidemark.server.peer.PeerSettings;
import io.tidemark.server.rpc.MessageLimits;
import io.tidemark.server.status.States;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a push does that fails half-way: nothing passes for applied that was not, and a full one heals it. */
final class CommandTargetTest {
    private static final long BROKER_EPOCH = 101;
    private static final int CONTROLLER_EPOCH = 4;
    private static final TopicPartition ORDERS_0 = new TopicPartition("orders", 0);
    private static final Path LOGS = Path.of("/logs");

    private final MetadataCache metadata = new MetadataCache();
    private final List<ClusterUpdate> observed = new ArrayList<>();
    private boolean broken;
    private PeerConnections peers;
    private ReplicationAssembly replicas;
    private CommandTarget target;

    @BeforeEach
    void open() throws IOException {
        SimDisk disk = new SimDisk();
        disk.createDirectory(LOGS);
        ManualScheduler scheduler = new ManualScheduler(new ManualClock());
        SeededRandomness randomness = new SeededRandomness(1);
        ManualEventLoops loops = new ManualEventLoops(scheduler);
        StorageLatch storageFailures = new StorageLatch(failure -> {
            throw failure;
        });
        LogFlushers flushers = LogFlushers.onLoops(List.of(LOGS), loops, storageFailures);
        LogDirectories logs = LogDirectories.load(
                new LogDirectories.World(disk, scheduler, new SeededRandomness(1), flushers),
                LogDirectories.Settings.of(List.of(LOGS), LogConfig.DEFAULTS),
                Runnable::run,
                LoadProgress.SILENT);
        replicas = new ReplicationAssembly(
                new ReplicationAssembly.Self(
                        1,
                        () -> BROKER_EPOCH,
                        CommandTargetTest::nobodyIsFollowed,
                        (proposal, answer) -> {},
                        (report, answer) -> {}),
                new ReplicationAssembly.World(
                        scheduler.clock(),
                        scheduler,
                        loops,
                        Runnable::run,
                        randomness,
                        (runner, failure) -> {
                            throw new AssertionError(runner, failure);
                        },
                        storageFailures,
                        new SimpleMeterRegistry()),
                new ReplicationAssembly.Data(
                        logs,
                        flushers,
                        new HighWatermarkCheckpointer(disk, logs.directories()),
                        Duration.ofSeconds(5),
                        this::config,
                        partition -> LogConfig.DEFAULTS),
                new ReplicationAssembly.Settings(
                        new ReplicaSettings(Duration.ofSeconds(30), TruncationMode.LEADER_EPOCH, FlushMode.ASYNC),
                        FetcherConfig.DEFAULTS,
                        FetchSettings.DEFAULTS));
        replicas.replicas().startup();
        peers = new PeerConnections(PeerSettings.of(MessageLimits.fitting(1 << 20, 1 << 20)), scheduler, randomness);
        target = new CommandTarget(
                metadata, replicas.replicas(), replicas.fetchers(), peers, (before, update) -> observed.add(update));
        target.registered(BROKER_EPOCH);
    }

    @AfterEach
    void close() {
        peers.close();
    }

    private LogConfig config(SortedMap<String, String> overrides) {
        if (broken) {
            throw new IllegalStateException("as told");
        }
        return LogConfig.DEFAULTS;
    }

    private static LeaderChannel nobodyIsFollowed(int leader, Endpoint endpoint) {
        throw new AssertionError("broker 1 leads, and follows nobody");
    }

    private Push.Answer push(long sequence, boolean full, PartitionState state) {
        ClusterUpdate update = new ClusterUpdate(full, States.brokers(1), 1, List.of(States.topic(state)), List.of());
        return target.onPush(new Push.Request(1, CONTROLLER_EPOCH, BROKER_EPOCH, sequence, update));
    }

    private int leaderEpoch() {
        return replicas.replicas()
                .find(ORDERS_0)
                .flatMap(Partition::state)
                .map(PartitionState::leaderEpoch)
                .orElse(-1);
    }

    @Test
    void shouldAskForTheFullStateAfterAPushThatFailedHalfWay() {
        // given
        assertThat(push(1, true, States.partition(0, 1, 1, 1)).result()).isEqualTo(Push.Result.APPLIED);
        assertThat(leaderEpoch()).isEqualTo(1);
        observed.clear();

        // when metadata has taken it, and the replicas fail
        broken = true;
        PartitionState second = States.partition(0, 1, 2, 1);
        assertThatThrownBy(() -> push(2, false, second)).hasMessage("as told");
        broken = false;

        // then its repetition does not pass for applied, nor does what comes after it
        assertThat(metadata.view().partition(ORDERS_0)).contains(second);
        assertThat(push(2, false, second)).isEqualTo(new Push.Answer(2, Push.Result.NEED_FULL));
        assertThat(push(3, false, States.partition(0, 1, 3, 1)).result()).isEqualTo(Push.Result.NEED_FULL);
        assertThat(leaderEpoch()).isEqualTo(1);
        assertThat(observed).isEmpty();

        // when
        Push.Answer healed = push(3, true, States.partition(0, 1, 3, 1));

        // then
        assertThat(healed).isEqualTo(new Push.Answer(3, Push.Result.APPLIED));
        assertThat(leaderEpoch()).isEqualTo(3);
        assertThat(observed).hasSize(1);
        assertThat(push(4, false, States.partition(0, 1, 4, 1)).result()).isEqualTo(Push.Result.APPLIED);
        assertThat(leaderEpoch()).isEqualTo(4);
    }
}
