package io.tidemark.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.config.CleanerConfig;
import io.tidemark.core.config.LogConfig;
import io.tidemark.core.io.FaultFiles;
import io.tidemark.core.io.FaultPlan;
import io.tidemark.core.io.FaultRule;
import io.tidemark.core.io.FileHandle;
import io.tidemark.core.io.SimDisk;
import io.tidemark.core.testkit.SeededRandomness;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The cleaner between a log's damage, its truncations and a loss of power. */
final class CleanerDamageTest {
    private static final int BASE_OFFSET_LOW_BYTE = 7;

    private final SimDisk disk = new SimDisk();

    private static void fill(Log log, int from, int to) {
        for (int i = from; i < to; i++) {
            CleanerRig.write(log, "k" + i % 3 + "=" + i);
        }
    }

    private Path segmentWith(LogRig rig, long offset) throws IOException {
        Path found = null;
        for (String name : disk.list(rig.partitionDirectory())) {
            Path file = rig.partitionDirectory().resolve(name);
            found = name.endsWith(".log") && baseOf(file) <= offset ? file : found;
        }
        return Objects.requireNonNull(found);
    }

    private static long baseOf(Path file) {
        return Long.parseLong(String.valueOf(file.getFileName()).substring(0, 20));
    }

    private void flip(Path file, int position, int mask) throws IOException {
        try (FileHandle handle = disk.openForAppend(file)) {
            ByteBuffer content = ByteBuffer.allocate((int) handle.size());
            handle.read(content, 0);
            content.put(position, (byte) (content.get(position) ^ mask));
            handle.truncate(0);
            handle.append(content.flip());
        }
    }

    // S74, KAFKA-7215, scenario 22: what a pass makes of bytes that a truncation changes under it is no fault of the
    // log
    // Fails if: CleanerThread.isOvertaken does not compare the truncations
    @Test
    void shouldNotSetALogAsideThatWasCutUnderAPass() {
        boolean more = true;
        for (int steps = 0; more; steps++) {
            // given: a pass reads each segment in several steps
            LogRig logs = new LogRig(CleanerRig.compacted(2_000));
            CleanerRig rig = new CleanerRig(logs);
            rig.stop();
            rig.config = new CleanerConfig(1, 1 << 16, 256, Long.MAX_VALUE, CleanerRig.BACKOFF);
            rig.start();
            SegmentedLog log = logs.leader();
            fill(log, 0, 60);
            for (int i = 0; i < steps && more; i++) {
                more = rig.step();
            }

            // when: other batches take the place of those that were cut
            log.truncateTo(4);
            log.becomeLeader(1);
            for (int i = 0; i < 12; i++) {
                LogRig.append(log, 1, CleanerRig.batch("other=" + "x".repeat(37 + i)));
            }
            log.committedBound(log.end().offset());
            rig.tick();
            rig.tick();

            // then
            assertThat(rig.cleaner.uncleanablePartitions())
                    .as("after %d steps", steps)
                    .isZero();
            assertThat(logs.failures).isEmpty();
            rig.stop();
        }
    }

    // S74, DESIGN 3: a follower cuts at a damage and fetches again; the cleaner takes the log up again
    // Fails if: CleanerBoard.Mark.isOf does not compare the truncations
    @Test
    void shouldCleanALogAgainOnceItsDamageWasCutOff() throws Exception {
        // given
        LogRig logs = new LogRig(CleanerRig.compacted(150), disk);
        CleanerRig rig = new CleanerRig(logs);
        SegmentedLog log = logs.leader();
        fill(log, 0, 12);
        flip(segmentWith(logs, 6), 65, 1);
        rig.tick();
        assertThat(rig.cleaner.uncleanablePartitions()).isEqualTo(1);

        // when
        log.truncateTo(4);
        fill(log, 4, 16);
        rig.tick();
        rig.tick();

        // then
        assertThat(rig.cleaner.uncleanablePartitions()).isZero();
        assertThat(rig.cleaner.uncleanableBytes()).isZero();
        assertThat(rig.cleaner.passes()).isPositive();
    }

    // S5, S17, scenario 18: a base offset is not under the CRC; the last record of a key must not lose to an older one
    // for it
    // Fails if: ChunkReader.requireUndamaged does not compare offsets
    @Test
    void shouldNotDropALatestRecordWhoseOffsetWasDamaged() throws Exception {
        // given: offset 13 is in a part that is dirty, and becomes 5, which is in the clean one
        LogRig logs = new LogRig(CleanerRig.compacted(400), disk);
        CleanerRig rig = new CleanerRig(logs);
        SegmentedLog log = logs.leader();
        fill(log, 0, 12);
        rig.tick();
        assertThat(rig.cleaner.passes()).isPositive();
        CleanerRig.write(log, "k0=before");
        CleanerRig.write(log, "k0=latest");
        for (int i = 0; i < 6; i++) {
            CleanerRig.write(log, "other=" + i);
        }
        Path damaged = segmentWith(logs, 13);
        int position = (int) (log.positionOf(13) - log.positionOf(baseOf(damaged)));
        flip(damaged, position + BASE_OFFSET_LOW_BYTE, 8);

        // when
        rig.tick();
        rig.tick();

        // then
        assertThat(rig.cleaner.uncleanablePartitions()).isEqualTo(1);
        flip(damaged, position + BASE_OFFSET_LOW_BYTE, 8);
        logs.restartCleanly();
        assertThat(CleanerRig.replay(logs.log())).containsEntry("k0", "latest");
    }

    // I2, KAFKA-7415, DESIGN 3: compaction takes the batches that an epoch began with; a recovery must not let it begin
    // later, or a
    // follower would keep what it has there of an earlier one
    // Fails if: LogRecovery.Begun.appendTo does not look into the recorded history
    @Test
    void shouldKnowWhereAnEpochBeganAfterACrash() {
        // given: epoch 5 begins at 2, where nothing is left of it
        LogRig logs = new LogRig(CleanerRig.compacted(150));
        CleanerRig rig = new CleanerRig(logs);
        SegmentedLog log = logs.leader();
        fill(log, 0, 2);
        writeAs(log, 5, "a=1", "a=2", "a=3");
        writeAs(log, 7, "a=4", "a=5");
        writeAs(log, 8, "a=6", "b=1", "c=1");
        rig.tick();
        rig.tick();
        assertThat(rig.cleaner.passes()).isPositive();
        List<LeaderEpochs.EpochStart> before = log.epochs().entries();
        assertThat(before).extracting(LeaderEpochs.EpochStart::startOffset).containsExactly(0L, 2L, 5L, 7L);

        // when: nothing was recorded as durable, so everything is checked
        logs.crash();

        // then
        assertThat(logs.log().epochs().entries()).isEqualTo(before);
        assertThat(logs.log().epochs().endOf(0))
                .get()
                .extracting(LeaderEpochs.EpochEnd::endOffset)
                .isEqualTo(2L);
    }

    private static void writeAs(SegmentedLog log, int epoch, String... entries) {
        log.becomeLeader(epoch);
        for (String entry : entries) {
            LogRig.append(log, epoch, CleanerRig.batch(entry));
        }
        log.committedBound(log.end().offset());
    }

    // DESIGN 3, S61, scenario 22: the power goes at any step of a pass over a log with a natural gap between two
    // segments
    // Fails if: ProducerSnapshots.prepareGapBefore does not force what takes the place of a durable snapshot
    @Test
    void shouldKeepWhatLiesBehindANaturalGapWhenThePowerGoes() {
        boolean more = true;
        for (int call = 0; more; call++) {
            for (int seed = 0; seed < 8; seed++) {
                more = losePowerAt(call, seed);
            }
            assertThat(call).as("calls of a pass").isLessThan(2_000);
        }
    }

    /** A follower's log of durable records: 0 to 3 and, in other segments, 50 and on. */
    private static SegmentedLog gapped(LogRig logs) {
        SegmentedLog log = logs.log();
        log.becomeFollower(0);
        for (int i = 0; i < 4; i++) {
            copy(log, i, "k0=" + i);
        }
        for (int i = 50; i < 56; i++) {
            copy(log, i, "k" + i + "=" + i);
        }
        log.force();
        log.committedBound(log.end().offset());
        return log;
    }

    private static void copy(Log log, long offset, String entry) {
        LogRig.copy(log, 0, Batches.at(offset, 0, writable(CleanerRig.batch(entry))));
    }

    private static ByteBuffer writable(ByteBuffer batch) {
        return ByteBuffer.allocate(batch.remaining()).put(batch.duplicate()).flip();
    }

    private static boolean losePowerAt(int call, int seed) {
        // given
        SimDisk disk = new SimDisk();
        FaultPlan plan = new FaultPlan();
        LogConfig config = CleanerRig.compacted(150);
        LogRig logs = new LogRig(config, disk, new FaultFiles(disk, plan, delay -> {}));
        CleanerRig rig = new CleanerRig(logs);
        SegmentedLog log = gapped(logs);
        List<String> latest =
                List.of("3:k0=3", "50:k50=50", "51:k51=51", "52:k52=52", "53:k53=53", "54:k54=54", "55:k55=55");
        assertThat(CleanerRig.records(log)).containsAll(latest);

        // when
        plan.add(FaultRule.failingAny().after(call).times(1));
        rig.tick();
        boolean more = plan.isSpent();
        rig.stop();
        plan.clear();
        disk.powerLoss(new SeededRandomness(31L * call + seed));
        logs.start();

        // then
        assertThat(CleanerRig.records(logs.log()))
                .as("call %d, seed %d", call, seed)
                .containsAll(latest);
        return more;
    }
}
