package io.tidemark.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemark.core.config.FlushMode;
import io.tidemark.core.config.LogConfig;
import io.tidemark.core.config.TruncationMode;
import io.tidemark.core.io.FaultFiles;
import io.tidemark.core.io.FaultPlan;
import io.tidemark.core.io.FaultRule;
import io.tidemark.core.io.FileOperation;
import io.tidemark.core.io.Files;
import io.tidemark.core.io.SimDisk;
import io.tidemark.core.log.LoadProgress;
import io.tidemark.core.log.LogDirectories;
import io.tidemark.core.log.LogFlushers;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.core.runtime.StorageLatch;
import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.ManualEventLoops;
import io.tidemark.core.testkit.ManualScheduler;
import io.tidemark.core.testkit.SeededRandomness;
import io.tidemark.model.Acks;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.PartitionState;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.fetch.FetchEntry;
import io.tidemark.replication.fetch.FetchSettings;
import io.tidemark.replication.fetch.ReplicaFetch;
import io.tidemark.replication.fetch.TestLogs;
import io.tidemark.replication.fetch.TestStates;
import io.tidemark.replication.follower.FetcherConfig;
import io.tidemark.replication.partition.Follower;
import io.tidemark.replication.partition.ReplicaSettings;
import io.tidemark.replication.produce.Produce;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * S15, DESIGN 5: "no acknowledgement leaves it after the error", whichever thread met it. While the broker tells the
 * controller and halts, its other threads go on: here a producer comes in between, and one that waits is committed.
 */
final class StorageFailurePathsTest {
    private static final Path LOGS = Path.of("/logs");
    private static final TopicPartition FAILING = new TopicPartition("t", 0);
    private static final TopicPartition SOUND = new TopicPartition("t", 1);
    private static final TopicPartition NEW = new TopicPartition("t", 2);
    private static final LogConfig SYNC =
            LogConfig.DEFAULTS.with(LogConfig.DEFAULTS.flush().withMode(FlushMode.SYNC));
    private static final Duration CHECKPOINT_INTERVAL = Duration.ofSeconds(5);
    private static final int LONG_MS = 60_000;

    private final ManualScheduler scheduler = new ManualScheduler(new ManualClock(0, 0));
    private final ManualEventLoops loops = new ManualEventLoops(scheduler);
    private final FaultPlan faults = new FaultPlan();
    private final List<KafkaStorageException> failures = new ArrayList<>();
    private final List<List<Produce.Result>> waiting = new ArrayList<>();
    private final List<List<Produce.Result>> meanwhile = new ArrayList<>();
    private final StorageLatch latch = new StorageLatch(failure -> {
        failures.add(failure);
        whileTheBrokerEnds();
    });
    private ReplicationAssembly replicas;

    @BeforeEach
    void open() {
        Files disk = new FaultFiles(new SimDisk(), faults, delay -> {});
        SeededRandomness randomness = new SeededRandomness(1);
        LogFlushers flushers = LogFlushers.onLoops(List.of(LOGS), loops, latch);
        LogDirectories logs = LogDirectories.load(
                new LogDirectories.World(disk, scheduler, randomness, flushers),
                LogDirectories.Settings.of(List.of(LOGS), SYNC),
                Runnable::run,
                LoadProgress.SILENT);
        replicas = new ReplicationAssembly(
                new ReplicationAssembly.Self(
                        1,
                        () -> 101,
                        (id, peer) -> {
                            throw new AssertionError("nobody is followed");
                        },
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
                        latch,
                        new SimpleMeterRegistry()),
                new ReplicationAssembly.Data(
                        logs,
                        flushers,
                        new HighWatermarkCheckpointer(disk, logs.directories()),
                        CHECKPOINT_INTERVAL,
                        overrides -> SYNC,
                        partition -> SYNC),
                new ReplicationAssembly.Settings(
                        new ReplicaSettings(Duration.ofSeconds(30), TruncationMode.LEADER_EPOCH, FlushMode.SYNC),
                        FetcherConfig.DEFAULTS,
                        FetchSettings.DEFAULTS));
        replicas.replicas().startup();
        apply(TestStates.led(FAILING, 1, 1, 1, 1), TestStates.led(SOUND, 1, 1, 1, 1, 2));
        produce(SOUND, Acks.ALL, waiting);
        loops.runAll();
        assertThat(waiting).isEmpty();
    }

    // Fails if: LogFlushers keeps a failure for itself, or ProduceHandler.results does not ask the latch
    @Test
    void shouldAcknowledgeNothingAfterAFailureOfAFlusher() {
        // given
        faults.add(FaultRule.failing(FileOperation.FORCE, "/logs/t-0/*.log"));

        // when
        produce(FAILING, Acks.ALL, waiting);
        loops.runAll();

        // then
        assertNothingIsAcknowledged();
    }

    // Fails if: ReplicaManager.checkpointHighWatermarks keeps a failure for itself
    @Test
    void shouldAcknowledgeNothingAfterAFailureOfACheckpoint() {
        // given
        produce(FAILING, Acks.LEADER, new ArrayList<>());
        loops.runAll();
        faults.add(FaultRule.failing(FileOperation.FORCE, "replication-offset-checkpoint*"));

        // when
        scheduler.advance(CHECKPOINT_INTERVAL);

        // then
        assertNothingIsAcknowledged();
    }

    // S14. Fails if: ReplicaManager.guarded keeps a failure for itself
    @Test
    void shouldAcknowledgeNothingAfterAFailureOfACommand() {
        // given
        faults.add(FaultRule.failing(FileOperation.CREATE_DIRECTORY, "/logs/t-2*"));

        // when
        apply(TestStates.led(NEW, 1, 1, 1, 1));

        // then
        assertNothingIsAcknowledged();
    }

    private void assertNothingIsAcknowledged() {
        assertThat(failures).hasSize(1);
        assertThat(errors(meanwhile)).containsExactly(ErrorCode.KAFKA_STORAGE_ERROR);
        assertThat(waiting).isNotEmpty();
        assertThat(errors(waiting)).containsOnly(ErrorCode.KAFKA_STORAGE_ERROR);
        assertThat(replicas.replicas().find(SOUND).orElseThrow().log().end().offset())
                .as("nothing more is written")
                .isEqualTo(1);
    }

    /** What other threads do while the broker tells the controller and halts. */
    private void whileTheBrokerEnds() {
        produce(SOUND, Acks.LEADER, meanwhile);
        FetchEntry proof = new FetchEntry(TestLogs.TOPIC_ID, SOUND, 1, 1, 1, 0, 1_000);
        List<ReplicaFetch.Answer> answers = new ArrayList<>();
        replicas.fetches()
                .fetchAsReplica(
                        new ReplicaFetch.Request(new Follower(2, 102), 0, 0, 0, 1, 1_000, List.of(proof), List.of()),
                        answers::add);
        assertThat(replicas.replicas().find(SOUND).orElseThrow().view().highWatermark())
                .as("what waited is committed")
                .isEqualTo(1);
    }

    private void produce(TopicPartition partition, Acks acks, List<List<Produce.Result>> answers) {
        Produce.Part part = new Produce.Part(partition, -1, TestLogs.batch("a record"));
        var unused = replicas.produces().produce(new Produce.Request(acks, LONG_MS, List.of(part)), answers::add);
    }

    private void apply(PartitionState... states) {
        replicas.replicas().apply(ReplicaBroker.update(false, states));
    }

    private static List<ErrorCode> errors(List<List<Produce.Result>> answers) {
        return answers.stream().flatMap(List::stream).map(Produce.Result::error).toList();
    }
}
