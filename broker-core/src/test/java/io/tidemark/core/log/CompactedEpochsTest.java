package io.tidemark.core.log;

import static io.tidemark.core.log.LogRig.append;
import static io.tidemark.core.log.LogRig.copy;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.io.FileBytes;
import io.tidemark.core.io.SimDisk;
import io.tidemark.core.log.LeaderEpochs.EpochEnd;
import io.tidemark.core.log.LeaderEpochs.EpochStart;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The epochs of logs whose batches do not tell all: compaction has taken some, or they are damaged. */
final class CompactedEpochsTest {
    private static final int BATCH_BYTES = 200;
    private static final String EPOCH_FILE = LeaderEpochCheckpoint.FILE_NAME;

    private final SimDisk disk = new SimDisk();
    private final LogRig rig = new LogRig(LogRig.CONFIG.withSegmentBytes(3 * BATCH_BYTES), disk);

    private LeaderEpochs epochs() {
        return rig.log().epochs();
    }

    private void loseEpochFile() throws Exception {
        disk.deleteIfThere(rig.partitionDirectory().resolve(EPOCH_FILE));
    }

    /** 0-1 of epoch 0, then a gap, 50-51 of epoch 4, then a gap, 90-91 of epoch 4: what compaction has left. */
    private void copyCompacted() {
        SegmentedLog log = rig.log();
        log.becomeFollower(4);
        copy(log, 4, Batches.at(0, 0, Batches.ofCount(2)));
        copy(log, 4, Batches.at(50, 4, Batches.ofCount(2)));
        copy(log, 4, Batches.at(90, 4, Batches.ofCount(2)));
    }

    // I2, I3: whoever has records of epoch 0 behind offset 1 may have what was never committed, so epoch 0 ends there
    // Fails if: EpochRebuild.add takes the base of an epoch's first batch for its start
    @Test
    void shouldBeginAnEpochRightBehindTheOneBeforeWhenTheFileIsLost() throws Exception {
        // given
        copyCompacted();
        rig.directories.closeCleanly();
        loseEpochFile();

        // when
        rig.start();

        // then
        assertThat(epochs().entries()).containsExactly(new EpochStart(0, 0), new EpochStart(4, 2));
        assertThat(epochs().endOf(0)).contains(new EpochEnd(0, 2));
        assertThat(epochs().endOf(3)).contains(new EpochEnd(0, 2));
        assertThat(new LeaderEpochCheckpoint(disk, rig.partitionDirectory()).read())
                .contains(epochs().entries());
    }

    // I2, I3: the same where the first batches of the log have gone
    // Fails if: EpochRebuild begins with the first batch instead of the first segment
    @Test
    void shouldBeginTheFirstEpochWhereTheLogBegins() throws Exception {
        // given
        SegmentedLog log = rig.log();
        log.becomeFollower(4);
        log.truncateFullyAndStartAt(20);
        copy(log, 4, Batches.at(50, 4, Batches.ofCount(2)));
        rig.directories.closeCleanly();
        loseEpochFile();

        // when
        rig.start();

        // then
        assertThat(epochs().entries()).containsExactly(new EpochStart(4, 20));
    }

    // I2, I3: after a crash, with a file that does not know the epoch yet, and with one that does
    // Fails if: LogRecovery.Begun.appendTo takes the first batch for the start of an epoch that is not recorded
    @Test
    void shouldBeginAnEpochThatIsNotRecordedRightBehindTheOneBefore() {
        // given
        copyCompacted();
        LeaderEpochCheckpoint file = new LeaderEpochCheckpoint(disk, rig.partitionDirectory());

        // when / then
        file.write(LeaderEpochHistory.of(List.of(new EpochStart(0, 0))));
        rig.crash();
        assertThat(epochs().entries()).containsExactly(new EpochStart(0, 0), new EpochStart(4, 2));
        file.write(LeaderEpochHistory.of(List.of(new EpochStart(0, 0), new EpochStart(4, 30))));
        rig.crash();
        assertThat(epochs().entries()).containsExactly(new EpochStart(0, 0), new EpochStart(4, 30));
        file.write(LeaderEpochHistory.of(List.of(new EpochStart(0, 0), new EpochStart(2, 10))));
        rig.crash();
        assertThat(epochs().endOf(2)).contains(new EpochEnd(0, 10));
        assertThat(epochs().latest()).isEqualTo(4);
    }

    /**
     * Decision 0007: what is damaged here may be sound elsewhere, and of either epoch; nobody is told to cut it.
     */
    // Fails if: EpochRebuild treats a damage like what compaction has taken, inside a segment or at its end
    @Test
    void shouldHaveNobodyCutWhatIsOnlyDamagedHere() throws Exception {
        // given: three batches per segment; 0-1 of epoch 0, 2-5 of epoch 1, 6-8 of epoch 2
        SegmentedLog log = rig.log();
        for (int i = 0; i < 9; i++) {
            int epoch = new int[] {0, 0, 1, 1, 1, 1, 2, 2, 2}[i];
            log.becomeLeader(epoch);
            append(log, epoch, Batches.ofSize(BATCH_BYTES));
        }
        rig.directories.closeCleanly();
        loseEpochFile();
        // The last batch of epoch 0, and that of epoch 1, which ends its segment.
        flip(0, 1);
        flip(3, 2);

        // when
        rig.start();

        // then
        assertThat(epochs().entries())
                .containsExactly(new EpochStart(0, 0), new EpochStart(1, 2), new EpochStart(2, 6));
    }

    private void flip(long base, int batch) throws Exception {
        Path file = rig.partitionDirectory().resolve(String.format("%020d.log", base));
        FileBytes.flip(disk, file, batch * BATCH_BYTES + 8, 1 << 6);
        for (String suffix : List.of(".index", ".timeindex")) {
            disk.delete(rig.partitionDirectory().resolve(String.format("%020d%s", base, suffix)));
        }
    }
}
