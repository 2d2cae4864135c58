package io.tidemark.core.log;

import static io.tidemark.core.log.LogRig.append;
import static io.tidemark.core.log.LogRig.outline;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.checkpoint.OffsetCheckpointFile;
import io.tidemark.core.config.LogConfig;
import io.tidemark.core.config.RetentionConfig;
import io.tidemark.core.io.FaultFiles;
import io.tidemark.core.io.FaultPlan;
import io.tidemark.core.io.FaultRule;
import io.tidemark.core.io.FileOperation;
import io.tidemark.core.io.SimDisk;
import io.tidemark.core.log.RetentionResult.Removed;
import io.tidemark.core.log.segment.SegmentFiles;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.core.testkit.SeededRandomness;
import io.tidemark.model.TopicPartition;
import io.tidemark.record.ProducerStamp;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Scenario 9 on files: a log of one batch per segment loses its head. */
final class LogHeadTest {
    private static final long NOW_MS = 1_700_000_000_000L;
    private static final long LIMIT_MS = 600_000;
    private static final long OLD = NOW_MS - LIMIT_MS - 1;
    private static final int BATCH_BYTES = Batches.timed(NOW_MS).remaining();
    private static final Duration DELAY = Duration.ofSeconds(60);
    private static final LogConfig CONFIG = LogRig.CONFIG
            .withSegmentBytes(BATCH_BYTES)
            .withIndex(1, 1 << 20)
            .with(new RetentionConfig(LIMIT_MS, RetentionConfig.UNLIMITED, DELAY));

    private final SimDisk disk = new SimDisk();
    private final FaultPlan plan = new FaultPlan();
    private final LogRig rig = new LogRig(CONFIG, disk, new FaultFiles(disk, plan, delay -> {}));

    /** A log with a record of each of these times, all committed. */
    private SegmentedLog filled(long... timesMs) {
        SegmentedLog log = rig.leader();
        for (long timeMs : timesMs) {
            append(log, 0, Batches.timed(timeMs));
        }
        log.committedBound(log.end().offset());
        return log;
    }

    private Path file(long base, String suffix) {
        return rig.partitionDirectory().resolve(SegmentFiles.name(base, suffix));
    }

    private List<Long> bases() throws Exception {
        return rig.filesWith(".log").stream()
                .map(name -> Long.parseLong(name.substring(0, SegmentFiles.OFFSET_DIGITS)))
                .toList();
    }

    private Map<TopicPartition, Long> recordedStarts() {
        return new OffsetCheckpointFile(disk, LogRig.DIRECTORY, OffsetCheckpointFile.Kind.LOG_START)
                .peek()
                .value()
                .orElseGet(TreeMap::new);
    }

    /** S36, S43, S45. Fails if: positions are counted from the first segment that is left, or files are unlinked at once. */
    @Test
    void shouldRenameHeadSegmentsAtOnceAndLeaveTheRestAsItIs() throws Exception {
        // given
        SegmentedLog log = filled(OLD, OLD, NOW_MS, NOW_MS);
        LogEnd end = log.end();

        // when
        RetentionResult result = log.applyRetention(NOW_MS);

        // then
        assertThat(result.byTime()).isEqualTo(new Removed(2, 2L * BATCH_BYTES));
        assertThat(result.bySize()).isEqualTo(Removed.NONE);
        assertThat(log.startOffset()).isEqualTo(2);
        assertThat(log.end()).isEqualTo(end);
        assertThat(log.sizeBytes()).isEqualTo(2L * BATCH_BYTES);
        assertThat(outline(log)).containsExactly("2-2@0", "3-3@0");
        assertThat(log.positionOf(2)).isEqualTo(2L * BATCH_BYTES);
        assertThat(log.positionOf(3)).isEqualTo(3L * BATCH_BYTES);
        assertThat(log.read(new ReadRequest(1, 1_000, ReadRequest.TO_END, ReadRequest.Minimum.ONE_BATCH)))
                .isEqualTo(new ReadResult.OutOfRange(2, 4));
        assertThat(rig.filesWith(".log")).containsExactly(SegmentFiles.name(2, ".log"), SegmentFiles.name(3, ".log"));
        assertThat(rig.filesWith(".log.deleted")).hasSize(2);
        rig.scheduler.advance(DELAY.minusMillis(1));
        assertThat(rig.filesWith(".log.deleted")).hasSize(2);
        rig.scheduler.advance(Duration.ofMillis(2));
        assertThat(rig.filesWith(".deleted")).isEmpty();
        assertThat(log.applyRetention(NOW_MS).isNothing()).isTrue();
    }

    /** Scenario 9, by size. */
    @Test
    void shouldLeaveAsManyBytesAsTheLimitSays() {
        SegmentedLog log = filled(NOW_MS, NOW_MS, NOW_MS, NOW_MS, NOW_MS);
        log.reconfigure(CONFIG.with(CONFIG.retention().withLimits(RetentionConfig.UNLIMITED, 2L * BATCH_BYTES)));
        assertThat(log.applyRetention(NOW_MS).bySize()).isEqualTo(new Removed(3, 3L * BATCH_BYTES));
        assertThat(log.startOffset()).isEqualTo(3);
    }

    /** I18. Fails if: factsOf takes the end for the committed bound. */
    @Test
    void shouldKeepWhatIsNotCommitted() {
        SegmentedLog log = filled(OLD, OLD, OLD, OLD);
        log.committedBound(2);
        assertThat(log.applyRetention(NOW_MS).byTime().segments()).isEqualTo(2);
        assertThat(log.startOffset()).isEqualTo(2);
        log.committedBound(3);
        assertThat(log.applyRetention(NOW_MS).byTime().segments()).isEqualTo(1);
    }

    /** KAFKA-5634 (bug 12), I18. Fails if: LogRetention.mayGo lets the committed bound be passed by one. */
    @Test
    void shouldNeverTakeAwayWhatTheHighWatermarkHasNotPassed() throws Exception {
        // given: 100 old records in ten segments
        rig.config = CONFIG.withSegmentBytes(10 * BATCH_BYTES);
        long[] timesMs = new long[100];
        Arrays.fill(timesMs, OLD);
        SegmentedLog log = filled(timesMs);

        for (long highWatermark = 0; highWatermark <= 100; highWatermark++) {
            // when
            long bound = highWatermark;
            log.committedBound(bound);
            log.applyRetention(NOW_MS);

            // then: what lies below the bound has gone, as far as it fills segments
            List<Long> bases = bases();
            assertThat(bases.get(0)).as("bound %d", bound).isEqualTo(bound / 10 * 10);
            assertThat(bases).as("bound %d", bound).hasSize(Math.max(1, 10 - (int) bound / 10));
            assertThat(log.startOffset()).as("bound %d", bound).isEqualTo(bases.get(0));
            assertThat(bases.subList(1, bases.size())).as("bound %d", bound).allMatch(base -> base > bound);
        }
        assertThat(log.startOffset()).isEqualTo(100);
        assertThat(log.end().offset()).isEqualTo(100);
        assertThat(log.sizeBytes()).isZero();
    }

    /** KAFKA-5634 (bug 12). Fails if: LogHead.advanceLocked compares with the end of the log alone. */
    @Test
    void shouldRefuseToDeleteRecordsThatAreNotCommitted() {
        SegmentedLog log = filled(new long[100]);
        log.committedBound(25);
        assertThat(log.advanceStartOffset(26)).isFalse();
        assertThat(log.startOffset()).isZero();
        assertThat(log.advanceStartOffset(25)).isTrue();
        assertThat(log.startOffset()).isEqualTo(25);
    }

    /** A log nobody has taken over yet keeps everything: its settings and its bound are not known. */
    @Test
    void shouldKeepEverythingOfALogThatWasJustLoaded() {
        filled(OLD, OLD, OLD);
        rig.restartCleanly();
        assertThat(rig.directories.logs().get(0).applyRetention(NOW_MS).isNothing())
                .isTrue();
    }

    /** Fails if: largestTimestampMs of a segment that was loaded is unknown for ever. */
    @Test
    void shouldKnowTheTimesOfSegmentsAgainAfterARestart() {
        filled(OLD, OLD, NOW_MS);
        rig.crash();
        SegmentedLog log = rig.leader();
        log.committedBound(3);
        assertThat(log.applyRetention(NOW_MS).byTime().segments()).isEqualTo(2);
    }

    /** Records that were deleted before go with their segments, whatever the limits are. */
    @Test
    void shouldTakeAwayWhatLiesBelowTheLogStart() {
        SegmentedLog log = filled(NOW_MS, NOW_MS, NOW_MS);
        assertThat(log.advanceStartOffset(2)).isTrue();
        assertThat(log.applyRetention(NOW_MS).byLogStart()).isEqualTo(new Removed(2, 2L * BATCH_BYTES));
        assertThat(log.startOffset()).isEqualTo(2);
    }

    /** S48. Fails if: an active segment of old records is not rolled, or one with a young record goes. */
    @Test
    void shouldEmptyALogWhoseRecordsAreAllOld() throws Exception {
        // given
        SegmentedLog log = filled(OLD, OLD);
        LogEnd end = log.end();

        // when
        RetentionResult result = log.applyRetention(NOW_MS);

        // then
        assertThat(result.byTime().segments()).isEqualTo(2);
        assertThat(log.startOffset()).isEqualTo(2);
        assertThat(log.end()).isEqualTo(end);
        assertThat(rig.filesWith(".log")).containsExactly(SegmentFiles.name(2, ".log"));
        assertThat(append(log, 0, Batches.timed(NOW_MS)).firstOffset()).isEqualTo(2);
        assertThat(outline(log)).containsExactly("2-2@0");
    }

    /** A record that must stay keeps its segment. */
    @Test
    void shouldKeepAnActiveSegmentWithAYoungRecord() {
        rig.config = CONFIG.withSegmentBytes(10 * BATCH_BYTES);
        SegmentedLog log = filled(OLD, NOW_MS, OLD);
        assertThat(log.applyRetention(NOW_MS).isNothing()).isTrue();
        assertThat(log.startOffset()).isZero();
    }

    /** Fails if: LogLoader.withLastEpoch is left out: a recovery election would prefer a shorter log. */
    @Test
    void shouldKnowAfterARestartInWhichEpochAnEmptiedLogEnded() {
        // given
        SegmentedLog log = rig.log();
        log.becomeLeader(5);
        append(log, 5, Batches.timed(OLD));
        log.committedBound(1);
        log.applyRetention(NOW_MS);

        // when / then
        rig.restartCleanly();
        assertThat(rig.log().end()).isEqualTo(new LogEnd(1, 0, 5));
        rig.crash();
        assertThat(rig.log().end()).isEqualTo(new LogEnd(1, 0, 5));
        assertThat(rig.log().startOffset()).isEqualTo(1);
    }

    /** Fails if: ProducerRebuild takes no snapshot of what lies below the start. */
    @Test
    void shouldKnowProducersOfWhatHasGoneAfterARestart() {
        // given
        SegmentedLog log = rig.leader();
        append(log, 0, Batches.of(new ProducerStamp(7, (short) 0, 0), "a", "b"));
        log.committedBound(2);
        assertThat(log.applyRetention(NOW_MS).byTime().segments()).isEqualTo(1);

        // when / then: by the snapshot that the roll wrote, then by that of the clean stop
        rig.crash();
        assertThat(append(rig.leader(), 0, Batches.of(new ProducerStamp(7, (short) 0, 2), "c"))
                        .firstOffset())
                .isEqualTo(2);
        rig.restartCleanly();
        assertThat(append(rig.leader(), 0, Batches.of(new ProducerStamp(7, (short) 0, 3), "d"))
                        .firstOffset())
                .isEqualTo(3);
    }

    /**
     * redpanda-data/redpanda#9820, KAFKA-14991 (bug 33). Fails if: retention looks at the first segment's records alone, or never
     * past a future stamp.
     */
    @Test
    void shouldNotBeStoppedForLongByARecordOfTheFuture() {
        // given: as far ahead as a leader lets in
        long aheadMs = CONFIG.messages().timestampAfterMax().toMillis();
        SegmentedLog log = filled(NOW_MS, NOW_MS + aheadMs, NOW_MS, NOW_MS);

        // when
        RetentionResult tooEarly = log.applyRetention(NOW_MS + aheadMs + LIMIT_MS);
        RetentionResult late = log.applyRetention(NOW_MS + aheadMs + LIMIT_MS + 1);

        // then: all of them, for the others are older still
        assertThat(tooEarly.byTime().segments()).isEqualTo(1);
        assertThat(late.byTime().segments()).isEqualTo(3);
    }

    /** Fails if: applyRetention renames files before it has recorded the start. */
    @Test
    void shouldRecordTheStartBeforeItTouchesAFile() {
        // given
        SegmentedLog log = filled(OLD, OLD, OLD, NOW_MS);
        log.force();
        plan.add(FaultRule.failing(FileOperation.RENAME, "*.log"));

        // when
        assertThatThrownBy(() -> log.applyRetention(NOW_MS)).isInstanceOf(KafkaStorageException.class);

        // then
        assertThat(recordedStarts()).isEqualTo(Map.of(LogRig.PARTITION, 3L));
        plan.clear();
        rig.crash();
        assertThat(rig.log().startOffset()).isEqualTo(3);
        assertThat(outline(rig.log())).containsExactly("3-3@0");
    }

    /** Fails if: a failure to record the start does not keep the files. */
    @Test
    void shouldTouchNoFileIfTheStartCannotBeRecorded() throws Exception {
        // given
        SegmentedLog log = filled(OLD, OLD, NOW_MS);
        plan.add(FaultRule.failing(FileOperation.FORCE, "log-start-offset-checkpoint.tmp"));

        // when
        assertThatThrownBy(() -> log.applyRetention(NOW_MS)).isInstanceOf(KafkaStorageException.class);

        // then
        assertThat(rig.filesWith(".log")).hasSize(3);
        plan.clear();
        rig.crash();
        assertThat(outline(rig.log())).hasSize(3);
    }

    /**
     * Renames that were not forced may be lost one by one. Fails if: LogLoader.removeBelowStart is left out: what is behind the
     * hole would be cut.
     */
    @Test
    void shouldDropHeadSegmentsThatAPowerLossBroughtBack() throws Exception {
        // given: nothing was recorded as durable, so a start checks everything
        SegmentedLog log = filled(OLD, OLD, OLD, NOW_MS, NOW_MS);
        log.applyRetention(NOW_MS);
        disk.rename(file(0, ".log.deleted"), file(0, ".log"));
        disk.rename(file(2, ".log.deleted"), file(2, ".log"));

        // when
        rig.crash();

        // then
        assertThat(rig.log().startOffset()).isEqualTo(3);
        assertThat(outline(rig.log())).containsExactly("3-3@0", "4-4@0");
        assertThat(rig.filesWith(".log")).hasSize(2);
        assertThat(rig.filesWith(".index")).hasSize(2);
    }

    // DESIGN 5: what is forced of a log that was emptied is its end, last epoch included
    // Fails if: LogForcer.startOf asks a history that begins at the end
    @Test
    void shouldHaveForcedTheWholeEndOfAnEmptiedLog() {
        // given
        SegmentedLog log = filled(OLD, OLD);
        log.force();

        // when
        log.applyRetention(NOW_MS);
        rig.scheduler.runDue();

        // then
        assertThat(log.startOffset()).isEqualTo(log.end().offset());
        assertThat(log.forcedEnd()).isEqualTo(log.end());
        rig.directories.closeCleanly();
    }

    // S13: a live name that cannot be removed is no matter of a warning
    // Fails if: LogLoader.removeBelowStart goes on where a segment cannot be deleted
    @Test
    void shouldNotStartBesideAHeadSegmentThatCannotBeDeleted() throws Exception {
        // given
        SegmentedLog log = filled(OLD, OLD, OLD, NOW_MS, NOW_MS);
        log.applyRetention(NOW_MS);
        disk.rename(file(0, ".log.deleted"), file(0, ".log"));
        plan.add(FaultRule.failing(FileOperation.DELETE, "00000000000000000000.log"));

        // when / then
        assertThatThrownBy(rig::crash)
                .isInstanceOf(KafkaStorageException.class)
                .hasStackTraceContaining("00000000000000000000.log");
    }

    /** Fails if: the start is not on disk when applyRetention returns. */
    @Test
    void shouldBeginWhereItBeganBeforeAPowerLoss() {
        for (long seed = 0; seed < 100; seed++) {
            LogRig other = new LogRig(CONFIG);
            SegmentedLog log = other.leader();
            for (long timeMs : new long[] {OLD, OLD, OLD, NOW_MS, NOW_MS}) {
                append(log, 0, Batches.timed(timeMs));
            }
            log.force();
            log.committedBound(5);
            log.applyRetention(NOW_MS);

            other.disk.powerLoss(new SeededRandomness(seed));
            other.start();

            assertThat(other.log().startOffset()).as("seed " + seed).isEqualTo(3);
            assertThat(outline(other.log())).as("seed " + seed).containsExactly("3-3@0", "4-4@0");
        }
    }

    /** A log that starts again below its recorded start. Fails if: LogDirectory.lowerTo leaves the start alone. */
    @Test
    void shouldForgetTheRecordedStartWhenALogStartsAgainBelowIt() {
        // given
        SegmentedLog log = filled(OLD, OLD, OLD, NOW_MS);
        log.applyRetention(NOW_MS);
        assertThat(recordedStarts()).isEqualTo(Map.of(LogRig.PARTITION, 3L));

        // when
        log.truncateTo(1);
        append(log, 0, Batches.timed(NOW_MS));
        rig.crash();

        // then
        assertThat(rig.log().startOffset()).isEqualTo(1);
        assertThat(outline(rig.log())).containsExactly("1-1@0");
    }

    /** Fails if: LogDirectory.create does not forget what is recorded of an earlier log of that name. */
    @Test
    void shouldNotStartANewLogWhereAnEarlierOneOfItsNameStarted() {
        // given: deleted, and the process died before it took the entry back
        rig.directories.closeCleanly();
        new OffsetCheckpointFile(disk, LogRig.DIRECTORY, OffsetCheckpointFile.Kind.LOG_START)
                .write(new TreeMap<>(Map.of(LogRig.PARTITION, 500L)));
        rig.start();

        // when
        append(rig.leader(), 0, Batches.timed(NOW_MS));
        rig.crash();

        // then
        assertThat(rig.log().startOffset()).isZero();
        assertThat(rig.log().end().offset()).isEqualTo(1);
    }

    /** S44. Fails if: a segment's files are closed under a reader. */
    @Test
    void shouldLetAReaderFinishWithWhatWasRemoved() {
        SegmentedLog log = filled(OLD, NOW_MS);
        ReadResult.Data before = LogRig.read(log, 0);
        log.applyRetention(NOW_MS);
        rig.scheduler.advance(DELAY.plusMillis(1));
        assertThat(Batches.outline(before.batches())).containsExactly("0-0@0");
        assertThat(LogRig.read(log, 1).batches().remaining()).isEqualTo(BATCH_BYTES);
    }

    /** S45: zero is allowed. */
    @Test
    void shouldUnlinkAtOnceWithoutADelay() throws Exception {
        rig.config = CONFIG.withDeleteDelay(Duration.ZERO);
        SegmentedLog log = filled(OLD, OLD, NOW_MS);
        log.applyRetention(NOW_MS);
        rig.scheduler.advance(Duration.ZERO);
        assertThat(rig.filesWith(".deleted")).isEmpty();
        assertThat(rig.filesWith(".log")).hasSize(1);
    }

    /** Epochs that ended below the start go; the one that goes on begins with it. */
    @Test
    void shouldShortenTheEpochs() {
        SegmentedLog log = rig.log();
        for (int epoch = 0; epoch < 4; epoch++) {
            log.becomeLeader(epoch);
            append(log, epoch, Batches.timed(epoch < 2 ? OLD : NOW_MS));
        }
        log.committedBound(4);
        log.applyRetention(NOW_MS);
        assertThat(log.epochs().entries())
                .isEqualTo(List.of(new LeaderEpochs.EpochStart(2, 2), new LeaderEpochs.EpochStart(3, 3)));
        rig.crash();
        assertThat(rig.log().epochs().entries())
                .isEqualTo(List.of(new LeaderEpochs.EpochStart(2, 2), new LeaderEpochs.EpochStart(3, 3)));
    }

    @Test
    void shouldRefuseAClosedLog() {
        SegmentedLog log = filled(OLD, NOW_MS);
        rig.directories.delete(LogRig.PARTITION, LogRig.TOPIC_ID);
        assertThatThrownBy(() -> log.applyRetention(NOW_MS)).isInstanceOf(LogClosedException.class);
        assertThatThrownBy(() -> log.expireProducers(0)).isInstanceOf(LogClosedException.class);
    }
}
