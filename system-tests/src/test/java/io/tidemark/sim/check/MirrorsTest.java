package io.tidemark.sim.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.io.SimDisk;
import io.tidemark.core.log.LoadProgress;
import io.tidemark.core.log.Log;
import io.tidemark.core.log.LogDirectories;
import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.ManualScheduler;
import io.tidemark.core.testkit.SeededRandomness;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import io.tidemark.record.Codec;
import io.tidemark.record.ProducerStamp;
import io.tidemark.record.RecordBatchBuilder;
import io.tidemark.replication.partition.Partition;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Mirrors of real logs on a simulated disk: what they say is what a full read says, whatever happens to the log. */
final class MirrorsTest {
    private static final TopicPartition PARTITION = new TopicPartition("t", 0);
    private static final int BROKER = 4;
    private static final int STEPS = 200;

    private final SimDisk disk = new SimDisk();
    private final Machine machine = new Machine();
    private final Mirrors mirrors = new Mirrors(machine, partition -> Cleanup.DELETE);
    private @Nullable Life life;
    private long lives;
    private int epoch;
    private int values;

    private final class Machine implements Observed {
        @Override
        public List<Integer> brokerIds() {
            return List.of(BROKER);
        }

        @Override
        public @Nullable RunningBroker running(int brokerId) {
            return life;
        }
    }

    /** One process: its logs alone, no replica. */
    private final class Life implements RunningBroker {
        private final LogDirectories logs = LogDirectories.load(
                disk,
                new ManualScheduler(new ManualClock()),
                LogDirectories.Settings.of(List.of(Path.of("/logs")), LogConfig.DEFAULTS),
                Runnable::run,
                LoadProgress.SILENT);

        private final long nonce = ++lives;

        @Override
        public long processNonce() {
            return nonce;
        }

        @Override
        public @Nullable Log log(TopicPartition partition) {
            return logs.find(partition).orElse(null);
        }

        @Override
        public @Nullable Partition replica(TopicPartition partition) {
            return null;
        }
    }

    private Log log() {
        return Objects.requireNonNull(life).logs.open(PARTITION, new TopicId(7, 7), LogConfig.DEFAULTS);
    }

    private void append(int records) {
        RecordBatchBuilder builder = new RecordBatchBuilder(Codec.NONE, 4_096, 4_096);
        for (int i = 0; i < records; i++) {
            byte[] value = ("v" + values++).getBytes(StandardCharsets.UTF_8);
            builder.tryAppend(1_000, null, ByteBuffer.wrap(value), List.of());
        }
        Log log = log();
        log.becomeLeader(epoch);
        log.appendAsLeader(builder.build(ProducerStamp.NONE), epoch);
    }

    private ReplicaMirror look() {
        mirrors.follow(List.of(PARTITION));
        return Objects.requireNonNull(mirrors.of(PARTITION, BROKER));
    }

    // Fails if: ReplicaMirror.follow reads only what is behind its end after a cut, or after a restart
    @RepeatedTest(20)
    void shouldSayWhatAFullReadSays(RepetitionInfo repetition) {
        SeededRandomness randomness = new SeededRandomness(repetition.getCurrentRepetition());
        life = new Life();
        for (int step = 0; step < STEPS; step++) {
            act(randomness);
            if (randomness.oneIn(2)) {
                // A power loss may have taken the log: then it is made anew.
                Log log = log();
                assertThat(look().batches())
                        .as("seed %s, step %s", randomness.seed(), step)
                        .isEqualTo(LogContents.read(log, 0));
            }
        }
    }

    private void act(SeededRandomness randomness) {
        switch (randomness.nextInt(12)) {
            case 0 -> {
                Log log = log();
                log.becomeFollower(++epoch);
                log.truncateTo(randomness.nextInt((int) log.end().offset() + 1));
                epoch++;
            }
            case 1 -> {
                disk.processCrash();
                life = new Life();
            }
            case 2 -> {
                disk.powerLoss(randomness);
                life = new Life();
            }
            case 3 -> log().force();
            default -> append(1 + randomness.nextInt(3));
        }
    }

    // Fails if: Mirrors.follow forgets what is on the disk of a machine on which nothing runs
    @Test
    void shouldKeepWhatTheDiskHasWhileNothingRuns() {
        // given
        life = new Life();
        append(2);
        BatchMark batch = look().batches().get(0);
        int generation = look().generation();

        // when
        disk.processCrash();
        life = null;
        ReplicaMirror mirror = look();

        // then
        assertThat(mirror.isRunning()).isFalse();
        assertThat(mirror.holds(batch)).isTrue();
        assertThat(mirror.generation()).isEqualTo(generation);
        assertThat(mirror.holds(0, "v0")).isTrue();
        assertThat(mirror.holds(0, "v1")).isFalse();
        assertThat(mirror.holds(2, "v2")).isFalse();
    }

    // Fails if: ReplicaMirror.forcedEnd forgets what earlier processes forced, or believes it beyond the log
    @Test
    void shouldRememberWhatWasForcedByEarlierProcesses() {
        // given
        life = new Life();
        append(2);
        log().force();
        look();
        append(1);
        assertThat(look().forcedEnd()).isEqualTo(2);

        // when
        disk.processCrash();
        life = new Life();

        // then
        assertThat(look().forcedEnd()).isGreaterThanOrEqualTo(2);
        log().becomeFollower(++epoch);
        log().truncateTo(0);
        assertThat(look().forcedEnd()).isZero();
    }

    // I11
    // Fails if: Mirrors.follow keeps what was on a disk that is gone
    @Test
    void shouldForgetALogThatIsGone() {
        // given
        life = new Life();
        append(1);
        int generation = look().generation();

        // when
        mirrors.diskGone(BROKER);

        // then
        ReplicaMirror mirror = Objects.requireNonNull(mirrors.of(PARTITION, BROKER));
        assertThat(mirror.batches()).isEmpty();
        assertThat(mirror.generation()).isGreaterThan(generation);
    }

    // Fails if: Mirrors.follow reads logs again that did not change
    @Test
    void shouldSeeTheStartOfAnotherProcess() {
        life = new Life();
        append(1);
        look();
        assertThat(mirrors.restarted()).containsExactly(BROKER);
        int generation = look().generation();
        assertThat(mirrors.restarted()).isEmpty();

        disk.processCrash();
        life = new Life();

        assertThat(look().generation()).isGreaterThan(generation);
        assertThat(mirrors.restarted()).containsExactly(BROKER);
    }

    // S15
    // Fails if: ReplicaMirror.follow takes a log whose disk failed for an empty one
    @Test
    void shouldKeepWhatALogHadWhoseDiskFailed() {
        // given
        ReplicaMirror mirror = new ReplicaMirror(PARTITION, BROKER, Cleanup.DELETE);
        FakeReplica replica = new FakeReplica();
        replica.append(Marks.batch(0, 0, "a")).append(Marks.batch(1, 0, "b"));
        mirror.follow(replica, 1);

        // when
        replica.cutTo(1);
        replica.failed = true;
        mirror.follow(replica, 1);

        // then
        assertThat(mirror.holds(1, "b")).as("what the next process may find").isTrue();
        replica.failed = false;
        replica.append(Marks.batch(1, 1, "c"));
        mirror.follow(replica, 1);
        assertThat(mirror.holds(0, "a")).isTrue();
        assertThat(mirror.holds(1, "b")).isFalse();
    }

    // Fails if: ReplicaMirror.holds asks compacted logs for superseded records
    @Test
    void shouldTakeSupersededRecordsOfCompactedLogsForHeld() {
        // given
        ReplicaMirror mirror = new ReplicaMirror(PARTITION, BROKER, Cleanup.COMPACT);
        FakeReplica cleaned = new FakeReplica();
        cleaned.append(Marks.keyed(3, 0, "k", "2"));

        // when
        mirror.follow(cleaned, 1);

        // then
        assertThat(mirror.holds(Marks.keyed(1, 0, "k", "1"))).isTrue();
        assertThat(mirror.holds(Marks.keyed(3, 0, "k", "2"))).isTrue();
        assertThat(mirror.holds(Marks.keyed(3, 0, "k", "3"))).isFalse();
        assertThat(mirror.holds(Marks.keyed(4, 0, "k", "4"))).isFalse();
        assertThat(mirror.holds(Marks.keyed(1, 0, "l", "1"))).isFalse();
    }
}
