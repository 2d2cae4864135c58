package io.tidemark.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.config.CleanerConfig;
import io.tidemark.core.config.LogConfig;
import io.tidemark.core.log.segment.Segment;
import io.tidemark.record.Codec;
import io.tidemark.record.LogRecord;
import io.tidemark.record.ProducerStamp;
import io.tidemark.record.RecordBatch;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What a pass leaves of a log. */
final class LogCleaningTest {
    private static final int ONE_BATCH = 70;

    private final CleanerRig rig = new CleanerRig(new LogRig(CleanerRig.compacted(ONE_BATCH)));

    @AfterEach
    void shouldFailNowhere() {
        assertThat(rig.logs.failures).isEmpty();
        assertThat(rig.storageFailures).isEmpty();
        assertThat(rig.cleaner.deadThreads()).isZero();
    }

    // S3, S17, scenario 20: the latest of each key stays, at its own offset
    // Fails if: BatchFilter.keeps compares with <= instead of <.
    @ParameterizedTest
    @EnumSource(Codec.class)
    void shouldKeepTheLatestRecordOfEachKeyAtItsOffset(Codec codec) {
        // given
        SegmentedLog log = rig.logs.leader();
        CleanerRig.write(log, CleanerRig.batch(codec, ProducerStamp.NONE, 5, "a=1", "b=1", "c=1"));
        CleanerRig.write(log, CleanerRig.batch(codec, ProducerStamp.NONE, 6, "a=2", "b=2", "c=2"));
        CleanerRig.write(log, CleanerRig.batch(codec, ProducerStamp.NONE, 7, "b=3", "d=3"));
        CleanerRig.write(log, "e=4");

        // when
        rig.tick();

        // then
        assertThat(CleanerRig.records(log)).containsExactly("3:a=2", "5:c=2", "6:b=3", "7:d=3", "8:e=4");
        assertThat(rig.checkpoint()).hasValue(8);
        assertThat(CleanerRig.batches(log)).allMatch(RecordBatch::isCrcValid);
        assertThat(LogRig.outline(log)).containsExactly("0-2@0", "3-5@0", "6-7@0", "8-8@0");
        assertThat(CleanerRig.batches(log).get(1).codec()).isEqualTo(codec);
    }

    // S18
    // Fails if: SegmentRecopier.copyChunk leaves out batches that are as they were.
    @Test
    void shouldGiveAProcessItsMapBack() {
        // given: a process logs changes of its map
        SegmentedLog log = rig.logs.leader();
        Map<String, String> state = new TreeMap<>();
        for (int i = 0; i < 200; i++) {
            String key = "key" + i % 17;
            if (i % 5 == 4) {
                state.remove(key);
                CleanerRig.write(log, key);
            } else {
                state.put(key, "value" + i);
                CleanerRig.write(log, key + "=value" + i);
            }
            if (i % 50 == 49) {
                rig.tick();
            }
        }

        // when
        rig.stop();
        rig.logs.restartCleanly();
        rig.start();
        Map<String, String> replayed = CleanerRig.replay(rig.logs.log());

        // then
        assertThat(new TreeMap<>(replayed)).isEqualTo(state);
        assertThat(CleanerRig.records(rig.logs.log())).hasSizeLessThan(60);
    }

    // KAFKA-4529, KAFKA-8522, KNOWN_BUGS 15: a tombstone's time begins when the cleaner first kept it
    // Fails if: BatchFilter.horizonMs adds the retention to the batch's own timestamp.
    @Test
    void shouldKeepATombstoneForItsTimeAfterTheFirstPass() {
        // given: delete.retention.ms is D; the key's value is dated D + 10 s ahead, its tombstone D + 10 s back
        Duration d = Duration.ofMinutes(10);
        LogConfig config = CleanerRig.compacted(ONE_BATCH);
        rig.logs.config = config.with(config.compaction().withDeleteRetention(d));
        SegmentedLog log = rig.logs.leader();
        rig.clock().shiftWall(Duration.ofDays(1));
        long beyondMs = d.plusSeconds(10).toMillis();
        CleanerRig.write(
                log,
                CleanerRig.batch(Codec.NONE, ProducerStamp.NONE, rig.clock().wallMs() + beyondMs, "k=v"));
        CleanerRig.write(log, "x=1");
        rig.tick();
        CleanerRig.write(
                log,
                CleanerRig.batch(Codec.NONE, ProducerStamp.NONE, rig.clock().wallMs() - beyondMs, "k"));
        CleanerRig.write(log, "y=1");

        // when: two passes within D
        rig.tick();
        CleanerRig.write(log, "z=1");
        rig.tick();

        // then
        assertThat(CleanerRig.records(log)).contains("2:k").doesNotContain("0:k=v");
        RecordBatch tombstone = CleanerRig.batches(log).stream()
                .filter(batch -> batch.baseOffset() == 2)
                .findFirst()
                .orElseThrow();
        assertThat(tombstone.deleteHorizonMs()).isPresent();
        assertThat(tombstone.records()).extracting(LogRecord::timestampMs).containsExactly(tombstone.maxTimestampMs());

        // when: D is over, and nothing is written any more
        rig.advance(d);
        rig.tick();

        // then
        assertThat(CleanerRig.records(log)).containsExactly("1:x=1", "3:y=1", "4:z=1");
    }

    // KAFKA-8522: the time of a tombstone outlives a restart
    // Fails if: CleanerBoard.unscanned answers with nothing.
    @Test
    void shouldDropTombstonesOfAQuietLogAfterARestart() {
        // given
        SegmentedLog log = rig.logs.leader();
        CleanerRig.write(log, "k");
        CleanerRig.write(log, "x=1");
        rig.tick();
        assertThat(CleanerRig.records(log)).containsExactly("0:k", "1:x=1");
        rig.stop();
        rig.logs.restartCleanly();
        rig.start();
        rig.logs.log().committedBound(2);
        rig.tick();
        assertThat(CleanerRig.records(rig.logs.log())).containsExactly("0:k", "1:x=1");

        // when
        rig.clock().shiftWall(Duration.ofDays(1));
        rig.tick();

        // then
        assertThat(CleanerRig.records(rig.logs.log())).containsExactly("1:x=1");
    }

    // S69: never beyond the committed bound
    // Fails if: CleanerPlanner.firstUncleanable ignores the committed bound.
    @Test
    void shouldNotTouchWhatIsNotCommitted() {
        // given
        SegmentedLog log = rig.logs.leader();
        for (int i = 0; i < 5; i++) {
            LogRig.append(log, 0, CleanerRig.batch("k=" + i));
        }
        log.committedBound(2);

        // when
        rig.tick();
        List<String> before = CleanerRig.records(log);
        log.committedBound(5);
        rig.tick();

        // then
        assertThat(before).containsExactly("1:k=1", "2:k=2", "3:k=3", "4:k=4");
        assertThat(CleanerRig.records(log)).containsExactly("3:k=3", "4:k=4");
    }

    // S73 to the number, S66, S71, S74, scenario 19, KAFKA-9826 (bug 13)
    // Fails if: CleanerBoard.reset does not record.
    @Test
    void shouldNotSpinOnALogThatStartsInsideItsOnlySegment() {
        // given: one active segment of base 166266, start 166301, checkpoint 0
        rig.logs.config = CleanerRig.compacted(1 << 20);
        SegmentedLog log = rig.logs.leader();
        log.truncateFullyAndStartAt(166_266);
        String[] entries = new String[100];
        Arrays.setAll(entries, i -> "k=" + i);
        CleanerRig.write(log, entries);
        assertThat(log.advanceStartOffset(166_301)).isTrue();
        rig.recordCheckpoint(0);
        log = rig.logs.leader();
        log.committedBound(log.end().offset());

        // when
        for (int i = 0; i < 1_000; i++) {
            rig.tick();
        }

        // then
        assertThat(rig.cleaner.passes()).isZero();
        assertThat(rig.cleaner.checkpointResets()).isEqualTo(1);
        assertThat(rig.checkpoint()).hasValue(166_301);
        assertThat(rig.cleaner.maxDirtyRatio()).isZero();
        assertThat(CleanerRig.batches(log)).hasSize(1);
    }

    // S68, scenario 19, KAFKA-9826 (bug 13): a checkpoint beyond the end, or below the start
    // Fails if: forcedCheckpoint answers empty for a checkpoint above the end.
    @ParameterizedTest
    @CsvSource({"25, 0, 0", "15, 20, 20", "55649, 5, 5"})
    void shouldSetACheckpointRightThatDoesNotFitTheLog(long recorded, long start, long expected) {
        // given: 22 records in one segment
        rig.logs.config = CleanerRig.compacted(1 << 20);
        SegmentedLog log = rig.logs.leader();
        String[] entries = new String[22];
        Arrays.setAll(entries, i -> "k" + i + "=v");
        CleanerRig.write(log, entries);
        log.advanceStartOffset(start);
        rig.recordCheckpoint(recorded);
        rig.logs.log();

        // when
        for (int i = 0; i < 10; i++) {
            rig.tick();
        }

        // then
        assertThat(rig.checkpoint()).hasValue(expected);
        assertThat(rig.cleaner.checkpointResets()).isEqualTo(1);
        assertThat(rig.cleaner.passes()).isZero();
    }

    // S74: sleeps its back-off when there is nothing to do
    // Fails if: CleanerThread.take answers zero without work.
    @Test
    void shouldSleepWhenNothingIsCleanable() {
        // given
        rig.logs.leader();
        int[] looks = {0};
        rig.targets = targets -> {
            looks[0]++;
            return targets;
        };
        rig.advance(Duration.ZERO);
        looks[0] = 0;

        // when
        rig.advance(CleanerRig.BACKOFF.multipliedBy(100));

        // then
        assertThat(looks[0]).isEqualTo(100);
    }

    // KAFKA-8764 (bug 14), scenario 21: offsets are missing at the end of segments
    // Fails if: DirtyMapper ends behind its last batch at the end of the dirty part.
    @Test
    void shouldNotCleanTheSameRangeForEver() {
        // given: batches 0..9, 15..24 and 30, each in a segment of its own
        SegmentedLog log = rig.logs.log();
        log.becomeFollower(1);
        String[] entries = new String[10];
        Arrays.setAll(entries, i -> "k" + i + "=v");
        LogRig.copy(log, 1, Batches.at(0, 1, CleanerRig.batch(entries)));
        LogRig.copy(log, 1, Batches.at(15, 1, CleanerRig.batch(entries)));
        LogRig.copy(log, 1, Batches.at(30, 1, CleanerRig.batch("last=v")));
        log.committedBound(31);

        // when
        rig.tick();
        long passes = rig.cleaner.passes();
        rig.tick();

        // then
        assertThat(rig.checkpoint()).hasValue(30);
        assertThat(passes).isEqualTo(1);
        assertThat(rig.cleaner.passes()).isEqualTo(1);
        assertThat(CleanerRig.records(log)).hasSize(11).first().isEqualTo("15:k0=v");
    }

    // KAFKA-8764, KNOWN_BUGS 14: the first of its logs
    // Fails if: DirtyMapper ends behind its last batch at the end of the dirty part.
    @Test
    void shouldRecordTheBaseOfTheNextSegment() {
        // given: 0..9, 10 is missing, the active segment begins at 11
        SegmentedLog log = rig.logs.log();
        log.becomeFollower(1);
        String[] entries = new String[10];
        Arrays.setAll(entries, i -> "k" + i + "=v");
        LogRig.copy(log, 1, Batches.at(0, 1, CleanerRig.batch(entries)));
        LogRig.copy(log, 1, Batches.at(11, 1, CleanerRig.batch("last=v")));
        log.committedBound(12);

        // when
        rig.tick();

        // then
        assertThat(rig.checkpoint()).hasValue(11);
    }

    // S36, S37: differences of positions may overstate, never understate
    // Fails if: LogCleaning opens the new segment at start position 0.
    @Test
    void shouldKeepTheStartPositionsOfLaterSegments() {
        // given
        SegmentedLog log = rig.logs.leader();
        for (int i = 0; i < 20; i++) {
            CleanerRig.write(log, "k" + i % 2 + "=" + i);
        }
        long[] before = new long[21];
        Arrays.setAll(before, log::positionOf);
        LogEnd end = log.end();

        // when
        rig.tick();

        // then
        assertThat(log.end()).isEqualTo(end);
        assertThat(log.positionOf(19)).isEqualTo(before[19]);
        assertThat(log.positionOf(20)).isEqualTo(end.position());
        List<RecordBatch> left = CleanerRig.batches(log);
        for (int from = 0; from < 20; from++) {
            for (int to = from; to <= 20; to++) {
                assertThat(log.positionOf(to) - log.positionOf(from))
                        .as("from %d to %d", from, to)
                        .isGreaterThanOrEqualTo(bytesBetween(left, from, to));
            }
        }
        CleanerRig.write(log, "next=1");
        assertThat(log.end().position()).isGreaterThan(end.position());
    }

    private static long bytesBetween(List<RecordBatch> batches, long from, long to) {
        return batches.stream()
                .filter(batch -> batch.lastOffset() >= from && batch.lastOffset() < to)
                .mapToLong(RecordBatch::sizeBytes)
                .sum();
    }

    // DESIGN 5: producer state is rebuilt from the log and stays right
    // Fails if: BatchFilter.withoutRecords drops every batch.
    @Test
    void shouldKnowAProducersLastSequenceFromTheCleanedLog() throws Exception {
        // given: all records of producer 7 are replaced by somebody else's
        SegmentedLog log = rig.logs.leader();
        for (int i = 0; i < 5; i++) {
            CleanerRig.write(log, CleanerRig.batch(Codec.NONE, new ProducerStamp(7, (short) 1, i), 1, "k=" + i));
        }
        CleanerRig.write(log, "k=other");
        CleanerRig.write(log, "x=1");
        log.reconfigure(CleanerRig.compacted(1_000));
        rig.tick();
        assertThat(LogRig.outline(log)).containsExactly("4-4@0", "5-5@0", "6-6@0");

        // when: nothing but the log is left
        rig.stop();
        rig.logs.directories.closeCleanly();
        for (String name : rig.logs.filesWith(".snapshot")) {
            rig.logs.io.delete(rig.logs.partitionDirectory().resolve(name));
        }
        rig.logs.start();
        rig.start();
        SegmentedLog loaded = rig.logs.leader();

        // then
        assertThat(CleanerRig.records(loaded)).containsExactly("5:k=other", "6:x=1");
        assertThat(loaded.appendAsLeader(CleanerRig.batch(Codec.NONE, new ProducerStamp(7, (short) 1, 4), 1, "k=4"), 0))
                .isInstanceOf(AppendResult.Duplicate.class);
        assertThat(loaded.appendAsLeader(CleanerRig.batch(Codec.NONE, new ProducerStamp(7, (short) 1, 5), 1, "k=5"), 0))
                .isInstanceOf(AppendResult.Appended.class);
    }

    // Issue 4: bounded memory, and progress all the same
    // Fails if: DirtyMapper ends where it began when the first batch does not fit the map.
    @Test
    void shouldCleanInPartWhatDoesNotFitTheMap() {
        // given: a map of a few keys, and one sealed segment of more
        rig.stop();
        rig.config = new CleanerConfig(1, 240, 1_024, Long.MAX_VALUE, CleanerRig.BACKOFF);
        rig.start();
        rig.logs.config = CleanerRig.compacted(1 << 20);
        SegmentedLog log = rig.logs.leader();
        String[] entries = new String[50];
        Arrays.setAll(entries, i -> "k" + i + "=old");
        CleanerRig.write(log, entries);
        Arrays.setAll(entries, i -> "k" + i + "=new");
        CleanerRig.write(log, entries);
        log.reconfigure(CleanerRig.compacted(ONE_BATCH));
        CleanerRig.write(log, "last=1");

        // when
        rig.tick();

        // then
        assertThat(rig.checkpoint().orElseThrow()).isBetween(9L, 100L);
        assertThat(log.end().offset()).isEqualTo(101);

        // when
        for (int i = 0; i < 20; i++) {
            rig.tick();
        }

        // then
        assertThat(rig.checkpoint()).hasValue(100);
        assertThat(CleanerRig.records(log)).hasSize(51).allMatch(record -> !record.endsWith("old"));
    }

    // KAFKA-6834, KNOWN_BUGS 16: a batch larger than the buffer, and than what is accepted by now
    // Fails if: ChunkReader takes a batch that does not fit its buffer for damaged.
    @Test
    void shouldCleanABatchLargerThanTheBuffer() {
        // given
        rig.stop();
        rig.config = new CleanerConfig(1, 1 << 16, 1_024, Long.MAX_VALUE, CleanerRig.BACKOFF);
        rig.start();
        SegmentedLog log = rig.logs.leader();
        CleanerRig.write(log, "a=1");
        CleanerRig.write(log, "big=" + "v".repeat(100_000), "a=2");
        CleanerRig.write(log, "a=3");
        CleanerRig.write(log, "b=1");

        // when
        rig.tick();

        // then
        assertThat(CleanerRig.records(log)).hasSize(3).last().isEqualTo("4:b=1");
        assertThat(rig.checkpoint()).hasValue(4);
    }

    // DESIGN 3: segments that have become small are joined
    // Fails if: SegmentGroups.runs answers with runs of one.
    @Test
    void shouldJoinSmallSegmentsAndDeleteTheOldOnesLater() throws Exception {
        // given
        SegmentedLog log = rig.logs.leader();
        for (int i = 0; i < 10; i++) {
            CleanerRig.write(log, "k=" + i);
        }
        log.reconfigure(CleanerRig.compacted(1_000));

        // when
        rig.tick();

        // then
        assertThat(rig.logs.filesWith(".log")).hasSize(2);
        assertThat(rig.logs.filesWith(".log.deleted")).hasSize(9);
        assertThat(rig.logs.filesWith(".cleaned")).isEmpty();
        assertThat(rig.logs.filesWith(".swap")).isEmpty();
        assertThat(CleanerRig.records(log)).containsExactly("8:k=8", "9:k=9");
        rig.advance(Duration.ofMinutes(2));
        assertThat(rig.logs.filesWith(".deleted")).isEmpty();
        assertThat(LogRig.outline(log)).containsExactly("8-8@0", "9-9@0");
        assertThat(List.copyOf(log.cleaning().snapshot().orElseThrow().segments()))
                .extracting(Segment::base)
                .containsExactly(0L, 9L);
    }
}
