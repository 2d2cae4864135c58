package io.tidemark.core.log;

import static io.tidemark.core.log.LogRig.append;
import static io.tidemark.core.log.LogRig.copy;
import static io.tidemark.core.log.LogRig.outline;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.checkpoint.AtomicFile;
import io.tidemark.core.checkpoint.CleanShutdownMarker;
import io.tidemark.core.io.FileBytes;
import io.tidemark.core.log.LeaderEpochs.EpochStart;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.core.testkit.SeededRandomness;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LogLoaderTest {
    private static final int SEGMENT_BYTES = 400;

    private final LogRig rig =
            new LogRig(LogRig.CONFIG.withSegmentBytes(SEGMENT_BYTES).withIndex(1, 1 << 20));

    private List<String> fill(int batches) {
        SegmentedLog log = rig.leader();
        for (int i = 0; i < batches; i++) {
            append(log, 0, Batches.ofSize(100));
        }
        return outline(log);
    }

    private Path file(long base, String suffix) {
        return rig.partitionDirectory().resolve(String.format("%020d%s", base, suffix));
    }

    private void flip(Path file, int position) throws IOException {
        FileBytes.flip(rig.io, file, position, 0xff);
    }

    @Test
    void shouldSweepLeftoversBeforeLoading() throws Exception {
        // given: S46, S54
        // scenario 5 (an index without its segment)
        // Fails if: LogLoader does not sweep *.deleted
        List<String> before = fill(3);
        rig.directories.closeCleanly();
        FileBytes.append(rig.io, file(0, ".log.deleted"), new byte[10]);
        FileBytes.append(rig.io, file(0, ".index.deleted"), new byte[10]);
        FileBytes.append(rig.io, file(0, ".index.tmp"), new byte[10]);
        FileBytes.append(rig.io, file(0, ".timeindex.deleted"), new byte[10]);
        FileBytes.append(rig.io, file(77, ".index"), new byte[16]);
        FileBytes.append(rig.io, file(77, ".timeindex"), new byte[24]);

        // when
        rig.start();

        // then
        assertThat(outline(rig.log())).isEqualTo(before);
        assertThat(rig.io.list(rig.partitionDirectory()))
                .containsExactly(
                        "00000000000000000000.index",
                        "00000000000000000000.log",
                        "00000000000000000000.timeindex",
                        "00000000000000000003.snapshot",
                        "leader-epoch-checkpoint",
                        "partition.metadata");
    }

    @Test
    void shouldRebuildMissingTornAndLyingIndexes() throws Exception {
        // given: S8
        // scenario 5
        // Fails if: Segment.open does not compare the last index entry with its batch
        List<String> before = fill(14);
        rig.directories.closeCleanly();
        rig.io.delete(file(0, ".index"));
        FileBytes.cut(rig.io, file(4, ".index"), 5);
        FileBytes.cut(rig.io, file(8, ".index"), 0);
        FileBytes.append(rig.io, file(8, ".index"), new byte[] {0, 0, 0, 3, 0, 0, 0, 100});

        // when
        rig.start();

        // then
        assertThat(outline(rig.log())).isEqualTo(before);
        assertThat(rig.io.size(file(0, ".index"))).isEqualTo(24);
        assertThat(rig.io.size(file(4, ".index"))).isEqualTo(24);
        assertThat(rig.io.size(file(8, ".index"))).isEqualTo(24);
    }

    /** S8, scenario 5: each time index is one that a start cannot trust. */
    // Fails if: SegmentIndexes.openSealed does not ask whether lastTime == null
    @Test
    void shouldRebuildMissingTornAndLyingTimeIndexes() throws Exception {
        // given
        List<String> before = fill(18);
        rig.directories.closeCleanly();
        rig.io.delete(file(0, ".timeindex"));
        FileBytes.cut(rig.io, file(4, ".timeindex"), 5);
        FileBytes.cut(rig.io, file(8, ".timeindex"), 0);
        FileBytes.cut(rig.io, file(12, ".timeindex"), 0);
        FileBytes.append(rig.io, file(12, ".timeindex"), new byte[] {0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0});

        // when
        rig.start();

        // then: all batches have one time
        assertThat(outline(rig.log())).isEqualTo(before);
        for (long base : new long[] {0, 4, 8, 12}) {
            assertThat(rig.io.size(file(base, ".timeindex"))).isEqualTo(12);
        }
        assertThat(rig.log().search(new TimeSearch(1_001, 18, () -> true))).isEqualTo(new TimeSearch.None());
        assertThat(rig.log().search(new TimeSearch(1_000, 18, () -> true))).isEqualTo(new TimeSearch.Found(0));
    }

    /** DESIGN section 3: a start reads of a time index only its end, so a rebuilt one is on disk before anybody relies on it. */
    // Fails if: LogLoader.openSegments does not call forceRebuiltIndexes
    @Test
    void shouldHaveRebuiltTimeIndexesOnDiskBeforeALogIsUsed() throws Exception {
        // given: segments whose time rises; only the end of the time index tells
        rig.config = LogRig.CONFIG.withSegmentBytes(1_000).withIndex(1, 1 << 20);
        SegmentedLog log = rig.leader();
        for (int i = 0; i < 30; i++) {
            append(log, 0, Batches.timed(1_000 + i));
        }
        rig.directories.closeCleanly();
        rig.io.delete(file(0, ".timeindex"));
        rig.start();
        rig.log().force();
        rig.scheduler.advance(LogRig.RECORDING_PERIOD);

        // when
        for (long seed = 0; seed < 20; seed++) {
            rig.disk.powerLoss(new SeededRandomness(seed));
            rig.start();

            // then
            for (int i = 0; i < 30; i++) {
                assertThat(rig.log().search(new TimeSearch(1_000 + i, 30, () -> true)))
                        .isEqualTo(new TimeSearch.Found(i));
            }
        }
    }

    @Test
    void shouldReadRightInSpiteOfAnIndexThatLiesInTheMiddle() throws Exception {
        // given: an entry that no start looks at
        List<String> before = fill(14);
        rig.directories.closeCleanly();
        flip(file(4, ".index"), 7);

        // when
        rig.start();

        // then
        assertThat(outline(rig.log())).isEqualTo(before);
        assertThat(LogRig.read(rig.log(), 5).position()).isEqualTo(500);
    }

    @Test
    void shouldRefuseASegmentThatOverlapsTheNext() throws Exception {
        // given: S16, a stale segment masks part of the log
        // Fails if: LogLoader does not compare the end of a segment with the next base
        fill(8);
        rig.directories.closeCleanly();
        ByteBuffer stale = Batches.join(Batches.at(2, 0, Batches.ofCount(1)), Batches.at(3, 0, Batches.ofCount(1)));
        FileBytes.append(rig.io, file(2, ".log"), stale.array());

        // when / then
        assertThatThrownBy(rig::start)
                .isInstanceOf(KafkaStorageException.class)
                .hasMessageContaining("segments overlap")
                .hasMessageContaining(file(0, ".log").toString())
                .hasMessageContaining(file(2, ".log").toString());
    }

    @Test
    void shouldRefuseASegmentThatHoldsOffsetsBelowItsName() throws Exception {
        // given: S16
        // Fails if: LogLoader does not compare the first batch with the segment's base
        fill(3);
        rig.directories.closeCleanly();
        FileBytes.append(
                rig.io, file(9, ".log"), Batches.at(5, 0, Batches.ofCount(1)).array());

        // when / then
        assertThatThrownBy(rig::start)
                .isInstanceOf(KafkaStorageException.class)
                .hasMessageContaining(file(9, ".log").toString());
    }

    @Test
    void shouldCutAtTheFirstBadByteAfterAnUncleanStop() throws Exception {
        // given: garbage, a flipped bit and a torn batch
        // scenario 5
        // Fails if: LogRecovery does not look at the CRC
        List<String> before = fill(3);
        FileBytes.append(rig.io, file(0, ".log"), new byte[] {1, 2, 3});
        rig.crash();
        assertThat(outline(rig.log())).isEqualTo(before);
        assertThat(rig.io.size(file(0, ".log"))).isEqualTo(300);

        // when / then
        flip(file(0, ".log"), 250);
        rig.crash();
        assertThat(outline(rig.log())).isEqualTo(before.subList(0, 2));
        assertThat(rig.io.size(file(0, ".log"))).isEqualTo(200);

        // when / then
        FileBytes.cut(rig.io, file(0, ".log"), 199);
        rig.crash();
        assertThat(outline(rig.log())).isEqualTo(before.subList(0, 1));
        assertThat(rig.io.size(file(0, ".log"))).isEqualTo(100);
        assertThat(rig.log().end()).isEqualTo(new LogEnd(1, 100, 0));
    }

    @Test
    void shouldRemoveSegmentsBehindTheCut() throws Exception {
        // given
        List<String> before = fill(11);
        flip(file(4, ".log"), 150);

        // when
        rig.crash();

        // then
        assertThat(outline(rig.log())).isEqualTo(before.subList(0, 5));
        assertThat(rig.filesWith(".log")).hasSize(2);
        assertThat(rig.filesWith(".index")).hasSize(2);
        assertThat(rig.filesWith(".timeindex")).hasSize(2);
    }

    @Test
    void shouldNotCheckBelowTheRecoveryPoint() throws Exception {
        // given: a damage that nobody reads
        // scenario 12
        // Fails if: LogRecovery checks from the first segment on
        fill(6);
        rig.log().force();
        rig.scheduler.advance(LogRig.RECORDING_PERIOD);
        flip(file(0, ".log"), 150);

        // when
        rig.crash();

        // then
        assertThat(rig.log().end().offset()).isEqualTo(6);
    }

    @Test
    void shouldTakeACrashWhileLoadingForAnUncleanStop() throws Exception {
        // given: KAFKA-10471, the marker is gone before anything is loaded
        // scenario 12
        // Fails if: LogDirectory leaves the marker of the clean stop where it is
        List<String> before = fill(3);
        rig.restartCleanly();
        assertThat(rig.io.exists(LogRig.DIRECTORY.resolve(CleanShutdownMarker.FILE_NAME)))
                .isFalse();

        // when
        FileBytes.append(rig.io, file(0, ".log"), new byte[] {1, 2, 3});
        rig.crash();

        // then
        assertThat(outline(rig.log())).isEqualTo(before);
        assertThat(rig.io.size(file(0, ".log"))).isEqualTo(300);
    }

    @Test
    void shouldNotHonourTheEpochsOfAFileThatKnowsMoreThanTheLog() {
        // given: a power loss took the batches of epochs whose file was written
        // scenario 17
        // Fails if: LogLoader does not cut the epochs at the end of the log
        SegmentedLog log = rig.leader();
        append(log, 0, Batches.ofCount(2));
        new LeaderEpochCheckpoint(rig.io, rig.partitionDirectory())
                .write(LeaderEpochHistory.of(
                        List.of(new EpochStart(0, 0), new EpochStart(4, 2), new EpochStart(5, 9))));

        // when
        rig.crash();

        // then
        assertThat(rig.log().epochs().entries()).containsExactly(new EpochStart(0, 0));
    }

    @Test
    void shouldRebuildEpochsFromHeadersWhenTheFileIsMissingOrWrong() {
        // given
        SegmentedLog log = rig.log();
        for (int epoch : new int[] {0, 2, 3}) {
            log.becomeLeader(epoch);
            append(log, epoch, Batches.ofSize(300));
        }
        List<EpochStart> epochs = log.epochs().entries();
        AtomicFile file = new AtomicFile(rig.io, rig.partitionDirectory(), LeaderEpochCheckpoint.FILE_NAME);

        // when / then
        rig.directories.closeCleanly();
        file.delete();
        rig.start();
        assertThat(rig.log().epochs().entries()).isEqualTo(epochs);
        rig.directories.closeCleanly();
        file.write("0\n1\n1 0\n".getBytes(StandardCharsets.UTF_8));
        rig.start();
        assertThat(rig.log().epochs().entries()).isEqualTo(epochs);
        file.write("rubbish".getBytes(StandardCharsets.UTF_8));
        rig.crash();
        assertThat(rig.log().epochs().entries()).isEqualTo(epochs);
    }

    @Test
    void shouldForceTheEpochFileBeforeTheRecoveryPointPassesTheEpoch() {
        // given
        SegmentedLog log = rig.leader();
        append(log, 0, Batches.ofCount(1));
        log.becomeLeader(7);
        append(log, 7, Batches.ofCount(1));

        // when
        log.force();

        // then: without the scheduler
        assertThat(new LeaderEpochCheckpoint(rig.io, rig.partitionDirectory()).read())
                .contains(List.of(new EpochStart(0, 0), new EpochStart(7, 1)));
    }

    @Test
    void shouldWriteTheEpochFileOnceForManyChanges() {
        // given: one segment
        rig.config = LogRig.CONFIG;
        SegmentedLog log = rig.log();
        int tasks = rig.scheduler.size();

        // when
        for (int epoch = 0; epoch < 10; epoch++) {
            log.becomeLeader(epoch);
            append(log, epoch, Batches.ofCount(1));
        }

        // then
        assertThat(rig.scheduler.size()).isEqualTo(tasks + 1);
        rig.scheduler.advance(LogRig.RECORDING_PERIOD);
        assertThat(new LeaderEpochCheckpoint(rig.io, rig.partitionDirectory())
                        .read()
                        .orElseThrow())
                .hasSize(10);
    }

    @Test
    void shouldCutAtAHoleButNotAtANaturalGap() throws Exception {
        // given: a follower's log with a gap between two segments
        SegmentedLog log = rig.log();
        log.becomeFollower(0);
        copy(log, 0, Batches.at(0, 0, Batches.ofSize(200)));
        copy(log, 0, Batches.at(1, 0, Batches.ofSize(200)));
        copy(log, 0, Batches.at(50, 0, Batches.ofSize(200)));
        List<String> before = outline(log);
        assertThat(rig.filesWith(".log")).hasSize(2);

        // when / then: nothing was lost
        rig.crash();
        assertThat(outline(rig.log())).isEqualTo(before);

        // when / then: the end of the first segment did not reach the disk
        FileBytes.cut(rig.io, file(0, ".log"), 200);
        rig.crash();
        assertThat(outline(rig.log())).isEqualTo(before.subList(0, 1));
    }

    @Test
    void shouldNotCutForAGapWhenTheRecordOfRecoveryPointsIsDamaged() throws Exception {
        // given
        SegmentedLog log = rig.log();
        log.becomeFollower(0);
        copy(log, 0, Batches.at(0, 0, Batches.ofSize(300)));
        copy(log, 0, Batches.at(50, 0, Batches.ofSize(300)));
        List<String> before = new ArrayList<>(outline(log));
        log.force();
        rig.deleteSnapshots();
        FileBytes.append(rig.io, LogRig.DIRECTORY.resolve("recovery-point-offset-checkpoint"), new byte[] {1});

        // when
        rig.crash();

        // then
        assertThat(outline(rig.log())).isEqualTo(before);
    }

    // S61, I1. Fails if: LogDirectory.lowerTo leaves the recorded start offset as it is.
    @Test
    void shouldShowAfterAKillWhatALogGotBelowTheStartItHadBefore() {
        // given: records were deleted, and the start recorded
        SegmentedLog log = rig.leader();
        fill(6);
        log.committedBound(6);
        assertThat(log.advanceStartOffset(5)).isTrue();
        rig.scheduler.advance(LogRig.RECORDING_PERIOD);

        // when: the log follows a leader whose log begins further down
        log.truncateFullyAndStartAt(2);
        log.becomeFollower(1);
        copy(log, 1, Batches.at(2, 1, Batches.ofCount(2)));
        log.force();
        rig.crash();

        // then
        assertThat(rig.log().startOffset()).isEqualTo(2);
        assertThat(outline(rig.log())).containsExactly("2-3@1");
    }

    @Test
    void shouldTreatWhatWasLostBelowTheStartAsAGap() throws Exception {
        // given: the start offset was recorded, the batches below it never reached the disk
        // scenario 15
        // Fails if: LogLoader ends the log behind its last batch though that is below the start
        SegmentedLog log = rig.leader();
        append(log, 0, Batches.ofCount(10));
        log.committedBound(10);
        log.advanceStartOffset(7);
        rig.scheduler.advance(LogRig.RECORDING_PERIOD);
        rig.directories.closeAtOnce();

        // when
        FileBytes.cut(rig.io, file(0, ".log"), 0);
        rig.crash();

        // then
        assertThat(rig.log().startOffset()).isEqualTo(7);
        assertThat(rig.log().end()).isEqualTo(new LogEnd(7, 0, -1));
    }
}
