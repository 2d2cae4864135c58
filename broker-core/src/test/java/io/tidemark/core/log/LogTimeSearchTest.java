package io.tidemark.core.log;

import static io.tidemark.core.log.LogRig.append;
import static io.tidemark.core.log.LogRig.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.io.FaultFiles;
import io.tidemark.core.io.FaultPlan;
import io.tidemark.core.io.FaultRule;
import io.tidemark.core.io.FileOperation;
import io.tidemark.core.io.SimDisk;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.core.testkit.SeededRandomness;
import io.tidemark.record.Codec;
import io.tidemark.record.InvalidBatchException;
import io.tidemark.record.LogRecord;
import io.tidemark.record.ProducerStamp;
import io.tidemark.record.RecordBatch;
import io.tidemark.record.RecordBatches;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class LogTimeSearchTest {
    private static final int SMALL_SEGMENT_BYTES = 200;
    private static final int APPEND_TIME_BIT = 0x08;
    private static final int ATTRIBUTES_AT = 21;

    private final LogRig rig = new LogRig(LogRig.CONFIG.withIndex(1, 1 << 20));

    private static TimeSearch.Result search(Log log, long timestampMs) {
        return search(log, timestampMs, log.end().offset());
    }

    private static TimeSearch.Result search(Log log, long timestampMs, long boundOffset) {
        return log.search(new TimeSearch(timestampMs, boundOffset, () -> true));
    }

    private static TimeSearch.Found found(long offset) {
        return new TimeSearch.Found(offset);
    }

    @Test
    void shouldFindTheFirstRecordAtOrAfterATime() {
        // given: a tie across a batch's end
        Log log = rig.leader();
        append(log, 0, Batches.timed(100, 200));
        append(log, 0, Batches.timed(200, 200, 300));

        // when / then
        assertThat(search(log, 0)).isEqualTo(found(0));
        assertThat(search(log, 100)).isEqualTo(found(0));
        assertThat(search(log, 101)).isEqualTo(found(1));
        assertThat(search(log, 200)).isEqualTo(found(1));
        assertThat(search(log, 201)).isEqualTo(found(4));
        assertThat(search(log, 300)).isEqualTo(found(4));
        assertThat(search(log, 301)).isEqualTo(new TimeSearch.None());
        assertThat(search(rig.log(), Long.MAX_VALUE)).isEqualTo(new TimeSearch.None());
    }

    @Test
    void shouldFindNothingInAnEmptyLog() {
        assertThat(search(rig.leader(), 0)).isEqualTo(new TimeSearch.None());
    }

    @Test
    void shouldGoByOffsetWhereTimestampsFall() {
        // given: producers' clocks differ, across batches and inside one
        Log log = rig.leader();
        append(log, 0, Batches.timed(100));
        append(log, 0, Batches.timed(300, 50, 400));
        append(log, 0, Batches.timed(200));

        // when / then
        assertThat(search(log, 150)).isEqualTo(found(1));
        assertThat(search(log, 300)).isEqualTo(found(1));
        assertThat(search(log, 301)).isEqualTo(found(3));
    }

    @Test
    void shouldFindRecordsInsideCompressedBatches() {
        for (Codec codec : Codec.values()) {
            Log log = new LogRig().leader();
            append(log, 0, Batches.timed(codec, 10, 20, 30));
            append(log, 0, Batches.timed(codec, 40, 50, 60));
            assertThat(search(log, 55)).as(codec.name()).isEqualTo(found(5));
            assertThat(search(log, 50)).as(codec.name()).isEqualTo(found(4));
        }
    }

    @Test
    void shouldTakeTheAppendTimeOfABatchForAllItsRecords() {
        // given: records of 10 and 20 in a batch that was appended at 20
        ByteBuffer batch = Batches.timed(10, 20);
        batch.putShort(ATTRIBUTES_AT, (short) (batch.getShort(ATTRIBUTES_AT) | APPEND_TIME_BIT));
        RecordBatch.at(batch, 0).stamp(ProducerStamp.NONE);
        Log log = rig.leader();
        append(log, 0, batch);

        // when / then
        assertThat(search(log, 15)).isEqualTo(found(0));
        assertThat(search(log, 21)).isEqualTo(new TimeSearch.None());
    }

    @Test
    void shouldStayBelowTheBoundAlsoInsideABatch() {
        // given
        Log log = rig.leader();
        append(log, 0, Batches.timed(100, 200, 300));
        append(log, 0, Batches.timed(400));

        // when / then
        assertThat(search(log, 300, 3)).isEqualTo(found(2));
        assertThat(search(log, 300, 2)).isEqualTo(new TimeSearch.None());
        assertThat(search(log, 400, 3)).isEqualTo(new TimeSearch.None());
        assertThat(search(log, 400, 4)).isEqualTo(found(3));
        assertThat(search(log, 0, 0)).isEqualTo(new TimeSearch.None());
    }

    @Test
    void shouldNotFindRecordsBelowTheStart() {
        // given: the batch that qualifies does so by a record that is deleted
        Log log = rig.leader();
        append(log, 0, Batches.timed(500, 100, 110));
        append(log, 0, Batches.timed(120, 450));
        log.committedBound(5);
        log.advanceStartOffset(1);

        // when / then
        assertThat(search(log, 0)).isEqualTo(found(1));
        assertThat(search(log, 400)).isEqualTo(found(4));
        assertThat(search(log, 500)).isEqualTo(new TimeSearch.None());
    }

    @Test
    void shouldPassSegmentsThatAreTooEarlyWithoutReadingThem() {
        // given: DESIGN section 3; three sealed segments, loaded anew
        // Fails if: Segment.search asks largestTimestampMs() < request.timestampMs() - 100
        SimDisk disk = new SimDisk();
        FaultPlan faults = new FaultPlan();
        LogRig counted = new LogRig(
                LogRig.CONFIG.withSegmentBytes(SMALL_SEGMENT_BYTES), disk, new FaultFiles(disk, faults, delay -> {}));
        fill(counted.leader(), 10, 20, 30, 40);
        counted.restartCleanly();
        Log log = counted.log();

        // when: the first segment cannot be read any more
        faults.add(FaultRule.failing(FileOperation.READ, "00000000000000000000.log"));

        // then
        assertThat(search(log, 40)).isEqualTo(found(15));
        assertThat(search(log, 35)).isEqualTo(found(15));
        assertThatThrownBy(() -> search(log, 5)).isInstanceOf(KafkaStorageException.class);
    }

    @Test
    void shouldNotBelieveADamagedBatch() {
        // given
        ByteBuffer damaged = Batches.timed(10, 20);
        damaged.put(damaged.limit() - 1, (byte) 7);
        Log log = rig.leader();
        append(log, 0, damaged);

        // when / then
        assertThatThrownBy(() -> search(log, 20))
                .isInstanceOf(InvalidBatchException.class)
                .hasMessageContaining("CRC");
    }

    @Test
    void shouldKnowWhatWasAppendedAfterACut() {
        // given: a search has found that the only segment ends at 30
        Log log = rig.leader();
        fill(log, 10, 20, 30);
        assertThat(search(log, 50)).isEqualTo(new TimeSearch.None());

        // when
        log.truncateTo(5);
        append(log, 0, Batches.timed(60));

        // then
        assertThat(search(log, 50)).isEqualTo(found(5));
        assertThat(search(log, 20)).isEqualTo(found(5));
        assertThat(search(log, 10)).isEqualTo(found(0));
    }

    @Test
    void shouldGiveUpOnceNobodyWantsTheAnswer() {
        // given: a thousand batches in front of the one, and no index entry that leads past them
        rig.config = LogRig.CONFIG.withIndex(1 << 20, 1 << 20);
        Log log = rig.leader();
        for (int i = 0; i < 1_000; i++) {
            append(log, 0, Batches.timed(10));
        }
        append(log, 0, Batches.timed(20));
        AtomicInteger asked = new AtomicInteger();

        // when
        TimeSearch.Result result = log.search(new TimeSearch(20, 1_001, () -> asked.incrementAndGet() < 3));

        // then
        assertThat(result).isEqualTo(new TimeSearch.GivenUp());
        assertThat(asked).hasValue(3);
    }

    @Test
    void shouldRefuseToWorkOnAClosedLog() {
        SegmentedLog log = rig.leader();
        fill(log, 10);
        log.closeAtOnce();
        assertThatThrownBy(() -> search(log, 5)).isInstanceOf(LogClosedException.class);
    }

    @Test
    void shouldReportABrokenDiskAsSuch() {
        // given
        SimDisk disk = new SimDisk();
        FaultPlan faults = new FaultPlan();
        LogRig broken = new LogRig(LogRig.CONFIG, disk, new FaultFiles(disk, faults, delay -> {}));
        Log log = broken.leader();
        fill(log, 10);
        faults.add(FaultRule.failing(FileOperation.READ, "*.log"));

        // when / then
        assertThatThrownBy(() -> search(log, 5)).isInstanceOf(KafkaStorageException.class);
    }

    /** S8, S9, scenario 3: also with index entries of any spacing, after crashes and power losses. */
    // Fails if: SegmentIndexes.lookupTime looks up timestampMs + 20
    @Test
    void shouldAgreeWithALookAtEveryRecordInRandomLogs() {
        long seed = Long.getLong("tidemark.seed", 1);
        for (int spacing : new int[] {0, 70, 150, 4_096}) {
            compareWithALook(seed + spacing, spacing);
        }
    }

    private static void compareWithALook(long seed, int indexIntervalBytes) {
        Random random = new Random(seed);
        LogRig small = new LogRig(LogRig.CONFIG.withSegmentBytes(600).withIndex(indexIntervalBytes, 1 << 10));
        SegmentedLog log = small.leader();
        for (int round = 0; round < 300; round++) {
            switch (random.nextInt(14)) {
                case 0 -> {
                    log.truncateTo(
                            log.startOffset() + random.nextInt((int) (log.end().offset() - log.startOffset()) + 1));
                }
                case 1 -> {
                    small.restartCleanly();
                    log = small.leader();
                }
                case 2 -> {
                    log.committedBound(log.end().offset());
                    log.advanceStartOffset(Math.min(log.end().offset(), log.startOffset() + random.nextInt(4)));
                }
                case 3 -> {
                    small.crash();
                    log = small.leader();
                }
                case 4 -> {
                    small.disk.powerLoss(new SeededRandomness(random.nextLong()));
                    small.start();
                    log = small.leader();
                }
                default -> append(log, 0, Batches.timed(times(random)));
            }
            long timestampMs = random.nextInt(1_100);
            long bound = log.startOffset() + random.nextInt((int) (log.end().offset() - log.startOffset()) + 1);
            assertThat(search(log, timestampMs, bound))
                    .as("seed " + seed + " spacing " + indexIntervalBytes + " round " + round)
                    .isEqualTo(bySight(log, timestampMs, bound));
        }
    }

    private static long[] times(Random random) {
        return random.longs(1 + random.nextInt(4), 0, 1_000).toArray();
    }

    private static TimeSearch.Result bySight(Log log, long timestampMs, long bound) {
        long at = log.startOffset();
        while (true) {
            ByteBuffer batches = read(log, at).batches();
            if (!batches.hasRemaining()) {
                // Not only at the end: behind a start that a power loss has undone, a cut may leave the end in a gap.
                return new TimeSearch.None();
            }
            for (RecordBatch batch : RecordBatches.of(batches)) {
                for (LogRecord record : batch.records()) {
                    boolean inRange = record.offset() >= log.startOffset() && record.offset() < bound;
                    if (inRange && record.timestampMs() >= timestampMs) {
                        return found(record.offset());
                    }
                }
                at = batch.nextOffset();
            }
        }
    }

    private static void fill(Log log, long... timestampsMs) {
        for (long timestampMs : timestampsMs) {
            append(log, 0, Batches.timed(timestampMs, timestampMs, timestampMs, timestampMs, timestampMs));
        }
    }
}
