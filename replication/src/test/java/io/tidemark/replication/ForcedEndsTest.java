package io.tidemark.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.config.FlushMode;
import io.tidemark.core.config.LogConfig;
import io.tidemark.core.config.TruncationMode;
import io.tidemark.core.io.FaultFiles;
import io.tidemark.core.io.FaultPlan;
import io.tidemark.core.io.FaultRule;
import io.tidemark.core.io.SimDisk;
import io.tidemark.core.log.LoadProgress;
import io.tidemark.core.log.Log;
import io.tidemark.core.log.LogDirectories;
import io.tidemark.core.log.LogFlushers;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.ManualEventLoops;
import io.tidemark.core.testkit.ManualScheduler;
import io.tidemark.core.testkit.SeededRandomness;
import io.tidemark.model.Acks;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.fetch.FetchEntry;
import io.tidemark.replication.fetch.TestLogs;
import io.tidemark.replication.fetch.TestStates;
import io.tidemark.replication.partition.Advance;
import io.tidemark.replication.partition.Follower;
import io.tidemark.replication.partition.Partition;
import io.tidemark.replication.partition.ReplicaSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A leader in sync mode on a real log, its flusher on a manual loop (DESIGN section 5, "Sync mode"). */
final class ForcedEndsTest {
    private static final Path DIRECTORY = Path.of("/logs");
    private static final TopicPartition P0 = new TopicPartition("t", 0);
    private static final Follower TWO = new Follower(2, 102);
    private static final LogConfig SYNC =
            LogConfig.DEFAULTS.with(LogConfig.DEFAULTS.flush().withMode(FlushMode.SYNC));

    private final ManualScheduler scheduler = new ManualScheduler(new ManualClock());
    private final ManualEventLoops loops = new ManualEventLoops(scheduler);
    private final FaultPlan faults = FaultPlan.parse("");
    private final List<String> told = new ArrayList<>();
    private final List<KafkaStorageException> failures = new ArrayList<>();
    private final LogFlushers flushers = LogFlushers.onLoops(List.of(DIRECTORY), loops, failures::add);
    private final LogDirectories logs = LogDirectories.load(
            new LogDirectories.World(
                    new FaultFiles(new SimDisk(), faults, delay -> {}), scheduler, new SeededRandomness(1), flushers),
            LogDirectories.Settings.of(List.of(DIRECTORY), SYNC),
            Runnable::run,
            LoadProgress.SILENT);
    private final PartitionTable table = new PartitionTable();
    private final ForcedEnds forcedEnds = new ForcedEnds(flushers, table, new Told());

    private final class Told implements Signals {
        @Override
        public void appended(TopicPartition partition) {
            told.add("appended");
        }

        @Override
        public void advanced(TopicPartition partition, Advance advance) {
            told.add("high watermark " + advance.highWatermark());
        }

        @Override
        public void followersMoved(TopicPartition partition) {
            told.add("follower fetched");
        }

        @Override
        public void startMoved(TopicPartition partition) {
            told.add("start moved");
        }

        @Override
        public void ended(TopicPartition partition, ErrorCode error) {
            told.add("ended");
        }
    }

    /** Leads in epoch 5 with brokers 1 and 2 in sync. */
    private Partition leader() {
        Log log = logs.open(P0, TestLogs.TOPIC_ID, SYNC);
        ReplicaSettings settings =
                new ReplicaSettings(Duration.ofSeconds(30), TruncationMode.LEADER_EPOCH, FlushMode.SYNC);
        Partition partition = new Partition(log, 1, () -> 101, settings, 0);
        table.put(partition);
        forcedEnds.listen();
        partition.become(TestStates.led(P0, 1, 5, 1, 1, 2), 0);
        return partition;
    }

    private static void append(Partition leader) {
        leader.appendAsLeader(TestLogs.batch("v"), 5, Acks.ALL);
    }

    /** Broker 2 proves that it has everything below. */
    private static void proves(Partition leader, long offset) {
        leader.countFollowerFetch(
                new FetchEntry(TestLogs.TOPIC_ID, P0, 5, offset, offset == 0 ? -1 : 5, 0, 1 << 20), TWO, 0);
    }

    // I12, DESIGN section 5: unforced records may be fetched, not committed.
    // Fails if: Replica.countedEnd() answers log.end() in sync mode
    @Test
    void shouldCommitWhatAFollowerHasOnceTheLeaderHasForcedIt() {
        // given
        Partition leader = leader();
        append(leader);

        // when, then: the follower is faster than the leader's disk
        proves(leader, 1);
        assertThat(leader.view().highWatermark()).isZero();
        loops.runAll();
        assertThat(leader.view().highWatermark()).isEqualTo(1);
        assertThat(told).containsExactly("high watermark 1");
    }

    // Fails if: ForcedEnds.onForced() signals what did not move
    @Test
    void shouldCommitWithTheFollowersFetchIfTheLeadersDiskWasFaster() {
        // given
        Partition leader = leader();
        append(leader);
        append(leader);
        loops.runAll();
        assertThat(leader.view().highWatermark()).isZero();

        // when
        proves(leader, 2);

        // then
        assertThat(leader.view().highWatermark()).isEqualTo(2);
        assertThat(told).isEmpty();
    }

    // S15: after a force that failed nothing is committed by it.
    @Test
    void shouldCommitNothingAfterAForceFailed() {
        // given
        Partition leader = leader();
        faults.add(FaultRule.parse("force:*.log"));
        append(leader);
        proves(leader, 1);

        // when
        loops.runAll();

        // then
        assertThat(failures).hasSize(1);
        assertThat(leader.view().highWatermark()).isZero();
        assertThat(told).isEmpty();
    }

    @Test
    void shouldNotMindALogWhoseReplicaIsGone() {
        // given
        Partition leader = leader();
        append(leader);
        table.remove(P0);

        // when
        loops.runAll();

        // then
        assertThat(told).isEmpty();
        assertThat(leader.log().forcedEnd().offset()).isEqualTo(1);
    }

    @Test
    void shouldForceWhatAFollowerCopiedAndThenSaySo() {
        // given
        Partition leader = leader();
        append(leader);

        // when
        forcedEnds.flush(
                List.of(leader),
                () -> told.add("forced up to " + leader.log().forcedEnd().offset()));
        assertThat(told).isEmpty();
        loops.runAll();

        // then
        assertThat(told).containsExactly("forced up to 1");
    }
}
