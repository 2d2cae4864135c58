package io.tidemark.sim.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.config.FlushMode;
import io.tidemark.core.config.LogConfig;
import io.tidemark.core.config.TruncationMode;
import io.tidemark.core.io.SimDisk;
import io.tidemark.core.log.LoadProgress;
import io.tidemark.core.log.Log;
import io.tidemark.core.log.LogDirectories;
import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.ManualScheduler;
import io.tidemark.model.Acks;
import io.tidemark.model.Member;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicPartition;
import io.tidemark.record.Codec;
import io.tidemark.record.ProducerStamp;
import io.tidemark.record.RecordBatchBuilder;
import io.tidemark.replication.partition.Partition;
import io.tidemark.replication.partition.ReplicaSettings;
import io.tidemark.runtime.Randomness;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** One broker that is the whole ISR, on a real log: what its machine may lose, and what not. */
final class RunChecksTest {
    private static final int BROKER = 1;
    private static final TopicPartition PARTITION = RecordedCluster.PARTITION;

    private final SimDisk disk = new SimDisk();
    private final RecordedCluster recorded = new RecordedCluster();
    private final List<String> changes = new ArrayList<>();
    private @Nullable Process process;
    private long nonces;
    private int leaderEpoch = -1;

    private static final class Worst implements Randomness {
        @Override
        public int nextInt(int boundExclusive) {
            return 0;
        }

        @Override
        public long nextLong() {
            return 0;
        }
    }

    private final class Machine implements Observed {
        @Override
        public List<Integer> brokerIds() {
            return List.of(BROKER);
        }

        @Override
        public @Nullable RunningBroker running(int brokerId) {
            return process;
        }
    }

    private final class Process implements RunningBroker {
        private final long nonce = ++nonces;
        private final LogDirectories logs = LogDirectories.load(
                disk,
                new ManualScheduler(new ManualClock()),
                LogDirectories.Settings.of(List.of(Path.of("/logs")), LogConfig.DEFAULTS),
                Runnable::run,
                LoadProgress.SILENT);
        private @Nullable Partition partition;

        @Override
        public long processNonce() {
            return nonce;
        }

        @Override
        public @Nullable Log log(TopicPartition asked) {
            return logs.find(asked).orElse(null);
        }

        @Override
        public @Nullable Partition replica(TopicPartition asked) {
            return partition;
        }
    }

    private RunChecks checks(FlushMode flushMode) {
        CheckSettings settings = CheckSettings.of(flushMode, TruncationMode.LEADER_EPOCH);
        RunChecks checks = new RunChecks(
                new Machine(), recorded.tree(), settings, mirror -> changes.add("broker " + mirror.brokerId()));
        recorded.tellOf(checks.zooKeeperChanges());
        recorded.controllerEpoch(1);
        start();
        checks.afterEvent();
        recorded.life(BROKER, 1, nonces);
        lead();
        append("m0");
        checks.afterEvent();
        assertThat(checks.committed()).isEqualTo(1);
        return checks;
    }

    private void start() {
        disk.processCrash();
        process = new Process();
    }

    /** The broker leads in the next leader epoch, alone; min ISR is 1. */
    private void lead() {
        leaderEpoch++;
        PartitionState state = new PartitionState(
                RecordedCluster.TOPIC_ID,
                PARTITION,
                BROKER,
                leaderEpoch,
                leaderEpoch,
                List.of(1, 2, 3),
                List.of(new Member(BROKER, 1)),
                List.of(),
                1,
                1);
        recorded.state(state);
        Process now = Objects.requireNonNull(process);
        Log log = now.logs.open(PARTITION, RecordedCluster.TOPIC_ID, LogConfig.DEFAULTS);
        ReplicaSettings settings =
                new ReplicaSettings(Duration.ofSeconds(30), TruncationMode.LEADER_EPOCH, FlushMode.ASYNC);
        Partition partition = new Partition(log, BROKER, () -> 1, settings, 0);
        partition.become(state, 0);
        now.partition = partition;
    }

    private void append(String value) {
        RecordBatchBuilder builder = new RecordBatchBuilder(Codec.NONE, 4_096, 4_096);
        builder.tryAppend(1_000, null, ByteBuffer.wrap(value.getBytes(StandardCharsets.UTF_8)), List.of());
        Partition partition = Objects.requireNonNull(Objects.requireNonNull(process).partition);
        partition.appendAsLeader(builder.build(ProducerStamp.NONE), leaderEpoch, Acks.ALL);
    }

    private void losePower() {
        disk.powerLoss(new Worst());
        process = null;
    }

    // I12
    // Fails if: RunChecks.onStart excuses nothing, or RunChecks.powerLost excuses before it is seen what is left
    @Test
    void shouldExcuseWhatAPowerLossTookOnceTheLogIsLoaded() {
        // given
        RunChecks checks = checks(FlushMode.ASYNC);

        // when
        losePower();
        checks.powerLost(BROKER);
        checks.afterEvent();
        int before = checks.excused();
        start();
        checks.afterEvent();
        lead();
        checks.afterEvent();

        // then
        assertThat(before).isZero();
        assertThat(checks.excused()).isEqualTo(1);
        assertThat(checks.excusedRecords().get(PARTITION)).containsExactly(0L);
    }

    // I12: a copy that was forced is there, and whoever leads without it is found
    // Fails if: RunChecks.onStart takes every copy on the machine for lost
    @Test
    void shouldExcuseNothingThatSurvivedAPowerLoss() throws IOException {
        RunChecks checks = checks(FlushMode.ASYNC);
        Objects.requireNonNull(Objects.requireNonNull(process).log(PARTITION)).force();
        for (String directory : List.of("/", "/logs", "/logs/t-0")) {
            disk.forceDirectory(Path.of(directory));
        }

        losePower();
        checks.powerLost(BROKER);
        start();
        checks.afterEvent();
        lead();
        checks.afterEvent();

        assertThat(checks.excused()).isZero();
    }

    // I12: what sync mode promises
    // Fails if: RunChecks.powerLost does not ask for the flush mode
    @Test
    void shouldExcuseNoPowerLossInSyncMode() {
        RunChecks checks = checks(FlushMode.SYNC);
        losePower();
        checks.powerLost(BROKER);
        start();

        assertThatThrownBy(checks::afterEvent)
                .isInstanceOfSatisfying(
                        Violation.class, found -> assertThat(found.invariant()).isEqualTo("InSyncHolds"));
    }

    // I1: a process that dies loses nothing
    // Fails if: Mirrors.follow keeps a mirror when another process starts on the disk
    @Test
    void shouldFindThatACrashLostARecord() {
        RunChecks checks = checks(FlushMode.ASYNC);
        losePower();
        start();

        assertThatThrownBy(checks::afterEvent).isInstanceOf(Violation.class).hasMessageContaining("I6: broker 1#1");
    }

    // I11
    // Fails if: RunChecks.wiped destroys nothing
    @Test
    void shouldExcuseWhatAWipedDiskHeld() {
        RunChecks checks = checks(FlushMode.SYNC);

        process = null;
        checks.wiped(BROKER);

        assertThat(checks.excused()).isEqualTo(1);
    }

    // KAFKA-6834: what lies in front of the damage is there
    // Fails if: RunChecks.damaged takes the whole log for lost
    @Test
    void shouldExcuseWhatLiesBehindADamage() {
        RunChecks checks = checks(FlushMode.SYNC);
        append("m1");
        checks.afterEvent();

        checks.damaged(BROKER, PARTITION, 1);

        assertThat(checks.excusedRecords().get(PARTITION)).containsExactly(1L);
    }

    // Fails if: RunChecks.afterEvent takes what did not move for changed
    @Test
    void shouldTellOfEachChangeOnce() {
        RunChecks checks = checks(FlushMode.ASYNC);
        assertThat(changes).containsExactly("broker 1");

        checks.afterEvent();
        assertThat(changes).hasSize(1);

        append("m1");
        checks.afterEvent();
        assertThat(changes).hasSize(2);
    }
}
