package io.tidemark.core.log;

import static io.tidemark.core.log.LogRig.append;
import static io.tidemark.core.log.LogRig.copy;
import static io.tidemark.core.log.LogRig.outline;
import static io.tidemark.core.log.LogRig.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.model.ErrorCode;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SegmentedLogTest {
    private static final int SMALL_SEGMENT_BYTES = 200;

    private final LogRig rig = new LogRig(LogRig.CONFIG.withIndex(1, 1 << 20));

    @Test
    void shouldAssignOffsetsAndReturnEndPositionOnAppend() {
        // given
        // S2
        // Fails if: LogAppender counts offsets from the end position instead of the end offset
        Log log = rig.leader();
        ByteBuffer first = Batches.ofCount(3);
        ByteBuffer second = Batches.ofCount(2);
        int firstBytes = first.remaining();
        int secondBytes = second.remaining();

        // when
        AppendResult.Appended appended = append(log, 0, first);
        AppendResult.Appended again = append(log, 0, second);

        // then
        assertThat(appended).isEqualTo(new AppendResult.Appended(0, 2, new LogEnd(3, firstBytes, 0)));
        assertThat(again).isEqualTo(new AppendResult.Appended(3, 4, new LogEnd(5, firstBytes + secondBytes, 0)));
        assertThat(log.end()).isEqualTo(again.end());
        assertThat(outline(log)).containsExactly("0-2@0", "3-4@0");
        assertThat(read(log, 4).position()).isEqualTo(firstBytes);
        assertThat(read(log, 5).position()).isEqualTo(firstBytes + secondBytes);
        assertThat(read(log, 5).batches().hasRemaining()).isFalse();
    }

    @Test
    void shouldReadOnlyWholeBatchesBelowTheLimitOffset() {
        // given
        Log log = rig.leader();
        append(log, 0, Batches.join(Batches.ofCount(3), Batches.ofCount(3), Batches.ofCount(3)));

        // when
        ReadResult.Data data = (ReadResult.Data) log.read(new ReadRequest(1, 1 << 20, 7, ReadRequest.Minimum.NONE));
        ReadResult.Data atLimit = (ReadResult.Data) log.read(new ReadRequest(7, 1 << 20, 7, ReadRequest.Minimum.NONE));

        // then
        assertThat(Batches.outline(data.batches())).containsExactly("0-2@0", "3-5@0");
        assertThat(atLimit.batches().hasRemaining()).isFalse();
        assertThat(atLimit.position()).isEqualTo(log.positionOf(6));
    }

    @Test
    void shouldReturnOneBatchAboveTheByteLimitOnlyIfAsked() {
        // given: KAFKA-2063
        // Fails if: LogReader lets no batch pass the byte limit, not even the first
        Log log = rig.leader();
        append(log, 0, Batches.ofSize(100));
        append(log, 0, Batches.ofSize(300_000));
        append(log, 0, Batches.ofSize(100));

        // when
        ReadResult.Data whole = read(log, 1, 1_024);
        ReadResult.Data none =
                (ReadResult.Data) log.read(new ReadRequest(1, 1_024, ReadRequest.TO_END, ReadRequest.Minimum.NONE));
        ReadResult.Data tiny = read(log, 0, 16);

        // then
        assertThat(Batches.outline(whole.batches())).containsExactly("1-1@0");
        assertThat(none.batches().hasRemaining()).isFalse();
        assertThat(none.position()).isEqualTo(100);
        assertThat(Batches.outline(tiny.batches())).containsExactly("0-0@0");
    }

    @Test
    void shouldAnswerOutOfRangeOutsideOfTheLog() {
        // given
        Log log = rig.leader();
        append(log, 0, Batches.ofCount(3));
        log.committedBound(3);
        log.advanceStartOffset(2);

        // when / then
        ReadRequest.Minimum minimum = ReadRequest.Minimum.ONE_BATCH;
        assertThat(log.read(new ReadRequest(1, 100, ReadRequest.TO_END, minimum)))
                .isEqualTo(new ReadResult.OutOfRange(2, 3));
        assertThat(log.read(new ReadRequest(4, 100, ReadRequest.TO_END, minimum)))
                .isEqualTo(new ReadResult.OutOfRange(2, 3));
        assertThat(read(log, 3).batches().hasRemaining()).isFalse();
    }

    @Test
    void shouldRollBySizeAlsoInsideOneAppendAndKeepPositionsAcrossSegments() throws Exception {
        // given: S35
        // Fails if: LogRoller starts a new segment at position 0
        rig.config = rig.config.withSegmentBytes(SMALL_SEGMENT_BYTES);
        Log log = rig.leader();

        // when
        append(
                log,
                0,
                Batches.join(Batches.ofSize(100), Batches.ofSize(100), Batches.ofSize(100), Batches.ofSize(150)));

        // then
        assertThat(rig.filesWith(".log"))
                .containsExactly("00000000000000000000.log", "00000000000000000002.log", "00000000000000000003.log");
        assertThat(log.end()).isEqualTo(new LogEnd(4, 450, 0));
        assertThat(outline(log)).containsExactly("0-0@0", "1-1@0", "2-2@0", "3-3@0");
        assertThat(log.positionOf(2)).isEqualTo(200);
        assertThat(log.positionOf(3)).isEqualTo(300);
        assertThat(log.sizeBytes()).isEqualTo(450);
    }

    @Test
    void shouldRollBeforeARelativeOffsetOverflows() throws Exception {
        // given: KAFKA-4451
        // scenario 7, the roll
        // Fails if: RollPolicy does not look at the relative offset
        Log log = rig.log();
        log.becomeFollower(0);
        long beyond = Integer.MAX_VALUE + 2L;

        // when
        copy(log, 0, Batches.at(0, 0, Batches.ofCount(1)));
        copy(log, 0, Batches.at(beyond, 0, Batches.ofCount(1)));
        copy(log, 0, Batches.at(beyond + 1, 0, Batches.ofCount(1)));

        // then
        List<String> expected = List.of("0-0@0", "2147483649-2147483649@0", "2147483650-2147483650@0");
        assertThat(rig.filesWith(".log")).containsExactly("00000000000000000000.log", "00000000002147483649.log");
        assertThat(log.end().offset()).isEqualTo(beyond + 2);
        assertThat(outline(log)).isEqualTo(expected);
        rig.restartCleanly();
        assertThat(outline(rig.log())).isEqualTo(expected);
        rig.directories.closeCleanly();
        for (String index : rig.filesWith(".index")) {
            rig.io.delete(rig.partitionDirectory().resolve(index));
        }
        rig.start();
        assertThat(outline(rig.log())).isEqualTo(expected);
        assertThat(rig.log().end().offset()).isEqualTo(beyond + 2);
    }

    @Test
    void shouldKeepLastOffsetThatStillFitsInTheSegment() throws Exception {
        // given: KAFKA-4451
        // Fails if: RollPolicy rolls at 2^31-1 already (`>` made `>=`)
        Log log = rig.log();
        log.becomeFollower(0);
        copy(log, 0, Batches.at(0, 0, Batches.ofCount(1)));

        // when
        copy(log, 0, Batches.at(Integer.MAX_VALUE, 0, Batches.ofCount(1)));

        // then
        assertThat(rig.filesWith(".log")).hasSize(1);
    }

    @Test
    void shouldRefuseStaleEpochsAndRoles() {
        // given
        Log log = rig.leader();
        log.becomeLeader(3);

        // when / then
        assertRefused(log.appendAsLeader(Batches.ofCount(1), 2), ErrorCode.FENCED_LEADER_EPOCH);
        assertRefused(log.appendAsFollower(Batches.at(0, 2, Batches.ofCount(1)), 3), ErrorCode.FENCED_LEADER_EPOCH);
        log.becomeFollower(4);
        assertRefused(log.appendAsLeader(Batches.ofCount(1), 3), ErrorCode.FENCED_LEADER_EPOCH);
        assertThat(log.end()).isEqualTo(new LogEnd(0, 0, -1));
    }

    @Test
    void shouldNeverWriteAnEpochBelowThatOfTheLastBatch() {
        // given: recovery would take such a batch for damage
        Log log = rig.log();
        log.becomeLeader(5);
        append(log, 5, Batches.ofCount(2));

        // when
        log.becomeLeader(3);

        // then
        assertRefused(log.appendAsLeader(Batches.ofCount(1), 3), ErrorCode.FENCED_LEADER_EPOCH);
        assertThat(log.epochs().entries()).containsExactly(new LeaderEpochs.EpochStart(5, 0));
    }

    @Test
    void shouldRefuseWhatAFollowerMustNotAppend() {
        // given
        // S19
        // Fails if: LogAppender.asFollower does not compare the first offset with the end of the log
        Log log = rig.log();
        log.becomeFollower(2);
        copy(log, 2, Batches.at(0, 1, Batches.ofCount(3)));
        ByteBuffer corrupt = Batches.at(3, 2, Batches.ofCount(3));
        corrupt.put(corrupt.limit() - 1, (byte) ~corrupt.get(corrupt.limit() - 1));
        ByteBuffer torn = Batches.at(3, 2, Batches.ofCount(3));
        torn.limit(torn.limit() - 1);
        LogEnd before = log.end();

        // when / then
        assertRefused(log.appendAsFollower(corrupt, 2), ErrorCode.CORRUPT_MESSAGE);
        assertRefused(log.appendAsFollower(torn, 2), ErrorCode.CORRUPT_MESSAGE);
        assertRefused(log.appendAsFollower(Batches.at(2, 2, Batches.ofCount(3)), 2), ErrorCode.INVALID_RECORD);
        assertRefused(log.appendAsFollower(Batches.at(0, 1, Batches.ofCount(3)), 2), ErrorCode.INVALID_RECORD);
        assertRefused(log.appendAsFollower(Batches.at(3, 3, Batches.ofCount(3)), 2), ErrorCode.INVALID_RECORD);
        assertRefused(log.appendAsFollower(Batches.at(3, 0, Batches.ofCount(3)), 2), ErrorCode.INVALID_RECORD);
        assertRefused(
                log.appendAsFollower(
                        Batches.join(Batches.at(5, 2, Batches.ofCount(1)), Batches.at(4, 2, Batches.ofCount(1))), 2),
                ErrorCode.INVALID_RECORD);
        assertThat(log.end()).isEqualTo(before);
        assertThat(log.sizeBytes()).isEqualTo(before.position());
    }

    @Test
    void shouldTakeABatchThatHoldsTheStartOfAnEmptyLog() {
        // given: KAFKA-6975
        // Fails if: LogAppender.mayStartBelowEnd says no
        Log log = rig.log();
        log.truncateFullyAndStartAt(3);
        log.becomeFollower(0);

        // when
        copy(log, 0, Batches.at(0, 0, Batches.ofCount(10)));

        // then
        assertThat(log.startOffset()).isEqualTo(3);
        assertThat(log.end().offset()).isEqualTo(10);
        assertThat(Batches.outline(read(log, 3).batches())).containsExactly("0-9@0");
        rig.restartCleanly();
        assertThat(rig.log().startOffset()).isEqualTo(3);
        assertThat(rig.log().end().offset()).isEqualTo(10);
    }

    @Test
    void shouldLeaveNothingAtOrAboveTheTruncationOffset() {
        // given: S10
        // Fails if: LogTruncator ends the log at the offset itself though it lies inside a batch
        Log log = rig.log();
        log.becomeFollower(1);
        copy(log, 1, Batches.at(0, 0, Batches.ofCount(3)));
        copy(log, 1, Batches.at(10, 0, Batches.ofCount(5)));
        copy(log, 1, Batches.at(20, 1, Batches.ofCount(1)));

        // when / then: above the end, in a gap, inside a batch
        assertThat(log.truncateTo(21)).isEqualTo(log.end());
        assertThat(log.truncations()).isZero();
        LogEnd inGap = log.truncateTo(17);
        assertThat(inGap.offset()).isEqualTo(17);
        assertThat(inGap.lastEpoch()).isZero();
        assertThat(outline(log)).containsExactly("0-2@0", "10-14@0");
        LogEnd inBatch = log.truncateTo(12);
        assertThat(inBatch.offset()).isEqualTo(10);
        assertThat(outline(log)).containsExactly("0-2@0");
        assertThat(log.truncations()).isEqualTo(2);
        assertThat(log.truncateTo(0)).isEqualTo(new LogEnd(0, 0, -1));
    }

    @Test
    void shouldTruncateAcrossSegmentsAndAppendAgain() throws Exception {
        // given: KAFKA-12964
        // Fails if: SegmentFiles answers the old names of renamed files, which are then unlinked
        rig.config = rig.config.withSegmentBytes(100);
        Log log = rig.leader();
        for (int i = 0; i < 9; i++) {
            append(log, 0, Batches.ofSize(100));
        }

        // when
        log.truncateTo(5);
        for (int i = 5; i < 9; i++) {
            append(log, 0, Batches.ofSize(90));
        }
        List<String> live = rig.filesWith(".log");
        rig.scheduler.advance(rig.config.retention().deleteDelay().plusMillis(1));

        // then
        assertThat(rig.filesWith(".deleted")).isEmpty();
        assertThat(rig.filesWith(".log")).isEqualTo(live).hasSize(9);
        assertThat(rig.filesWith(".index")).hasSize(9);
        assertThat(rig.filesWith(".timeindex")).hasSize(9);
        assertThat(rig.filesWith(".snapshot")).contains("00000000000000000008.snapshot");
        assertThat(outline(log)).hasSize(9);
        assertThat(rig.failures).isEmpty();
    }

    @Test
    void shouldStartAgainInOneStepAfterFullTruncation() {
        // given: KAFKA-9491
        // Fails if: LogTruncator leaves the committed bound where it was
        Log log = rig.log();
        log.becomeFollower(0);
        copy(log, 0, Batches.at(0, 0, Batches.ofCount(6)));
        log.committedBound(3);

        // when
        log.truncateFullyAndStartAt(4);

        // then
        assertThat(log.startOffset()).isEqualTo(4);
        assertThat(log.committedBound()).isEqualTo(4);
        assertThat(log.end()).isEqualTo(new LogEnd(4, 0, -1));
        assertThat(log.epochs().entries()).isEmpty();
        log.becomeLeader(1);
        assertThat(read(log, 4).batches().hasRemaining()).isFalse();
    }

    @Test
    void shouldKnowAnEpochBeforeAnythingIsWrittenInIt() {
        // Fails if: SegmentedLog.becomeLeader leaves the epoch to its first append
        // given: KAFKA-7415
        Log log = rig.log();
        log.becomeFollower(5);
        copy(log, 5, Batches.at(0, 0, Batches.ofCount(2)));
        copy(log, 5, Batches.at(2, 5, Batches.ofCount(2)));

        // when
        LogEnd start = log.becomeLeader(8);

        // then
        assertThat(start.offset()).isEqualTo(4);
        assertThat(start.lastEpoch()).isEqualTo(5);
        assertThat(log.epochs().endOf(8)).contains(new LeaderEpochs.EpochEnd(8, 4));
        assertThat(log.epochs().endOf(6)).contains(new LeaderEpochs.EpochEnd(5, 4));
        assertThat(log.epochs().latest()).isEqualTo(8);
    }

    @Test
    void shouldComeBackTheSameAfterACleanStopAndAfterAKill() {
        // given
        rig.config = rig.config.withSegmentBytes(SMALL_SEGMENT_BYTES);
        Log log = rig.leader();
        for (int i = 0; i < 10; i++) {
            append(log, 0, Batches.ofCount(2));
        }
        log.becomeLeader(4);
        append(log, 4, Batches.ofCount(1));
        List<String> before = outline(log);
        LogEnd end = log.end();

        // when / then
        rig.restartCleanly();
        assertThat(outline(rig.log())).isEqualTo(before);
        assertThat(rig.log().end()).isEqualTo(end);
        rig.crash();
        assertThat(outline(rig.log())).isEqualTo(before);
        assertThat(rig.log().end()).isEqualTo(end);
        assertThat(rig.log().epochs().entries())
                .containsExactly(new LeaderEpochs.EpochStart(0, 0), new LeaderEpochs.EpochStart(4, 20));
    }

    private static void assertRefused(AppendResult result, ErrorCode error) {
        assertThat(result)
                .isInstanceOfSatisfying(
                        AppendResult.Refused.class,
                        refused -> assertThat(refused.error())
                                .as(refused.message())
                                .isEqualTo(error));
    }
}
