package io.tidemark.core.log;

import static io.tidemark.core.log.LogRig.append;
import static io.tidemark.core.log.LogRig.ask;
import static io.tidemark.core.log.LogRig.copy;
import static io.tidemark.core.log.LogRig.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.config.CleanupPolicy;
import io.tidemark.core.config.LogConfig;
import io.tidemark.core.io.FaultFiles;
import io.tidemark.core.io.FaultPlan;
import io.tidemark.core.io.FaultRule;
import io.tidemark.core.io.FileBytes;
import io.tidemark.core.io.FileOperation;
import io.tidemark.core.io.SimDisk;
import io.tidemark.record.RecordBatch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Batches of sealed segments are checked as they are read, and what is bad is read around (DESIGN section 3). */
final class CheckedReadsTest {
    private static final int BATCH_BYTES = 200;
    private static final int BATCHES_PER_SEGMENT = 10;
    private static final int RECORDS = 30;

    /** A segment holds ten batches of one record; every third has an index entry. */
    private static final LogConfig CONFIG =
            LogRig.CONFIG.withSegmentBytes(BATCHES_PER_SEGMENT * BATCH_BYTES).withIndex(2 * BATCH_BYTES, 1 << 20);

    private static final Path FIRST_SEGMENT =
            LogRig.DIRECTORY.resolve(LogRig.PARTITION.toString()).resolve("00000000000000000000.log");

    private final SimDisk disk = new SimDisk();

    /** Three segments, of which two are sealed: offsets 0-9, 10-19, 20-29. */
    private SegmentedLog filled(LogRig rig) {
        SegmentedLog log = rig.leader();
        for (int i = 0; i < RECORDS; i++) {
            append(log, 0, Batches.ofSize(BATCH_BYTES));
        }
        return log;
    }

    private void flip(int position, int bit) throws IOException {
        flip(FIRST_SEGMENT, position, bit);
    }

    private void flip(Path file, int position, int bit) throws IOException {
        FileBytes.flip(disk, file, position, 1 << bit);
    }

    private static LogDamage damageAt(Log log, long offset) {
        assertThat(ask(log, offset)).as("read at %d", offset).isInstanceOf(ReadResult.Corrupt.class);
        return ((ReadResult.Corrupt) ask(log, offset)).damage();
    }

    /**
     * S5: a bit in every byte of the header and of what frames the record, and here and there in its value. Whatever it hits, no
     * read gives anything but what was written, the bad batch is refused, and the others are there.
     */
    // Fails if: SegmentReader.requireSound no longer asks the check
    @ParameterizedTest
    @ValueSource(ints = {0, 3, 4, 5, 6, 9})
    void shouldFindAFlippedBitInEveryRegionOfASealedBatch(int batch) throws Exception {
        LogRig rig = new LogRig(CONFIG, disk);
        filled(rig);
        for (int index = 0; index < BATCH_BYTES; index += index < RecordBatch.HEADER_BYTES + 12 ? 1 : 11) {
            for (int bit : new int[] {0, 3, 7}) {
                // given
                flip(batch * BATCH_BYTES + index, bit);

                // when / then
                String what = "batch " + batch + " byte " + index + " bit " + bit;
                assertReadAround(rig.log(), batch, what);
                flip(batch * BATCH_BYTES + index, bit);
                rig.restartCleanly();
            }
        }
    }

    private static void assertReadAround(Log log, int bad, String what) {
        LogDamage damage = ReadsAround.assertReadAround(log, RECORDS, bad, BATCH_BYTES, what);
        assertThat(damage.position()).as(what).isEqualTo(bad * BATCH_BYTES);
        assertThat(damage.file()).as(what).isEqualTo(FIRST_SEGMENT);
    }

    // S5, DESIGN 3: what lies in front of the bad batch is answered first
    // Fails if: SegmentReader.soundEnd throws whatever it has found before
    @Test
    void shouldReturnWhatLiesInFrontOfTheBadBatchFirst() throws Exception {
        // given
        SegmentedLog log = filled(new LogRig(CONFIG, disk));
        flip(5 * BATCH_BYTES + 100, 2);

        // when
        List<String> before = Batches.outline(read(log, 2).batches());

        // then
        assertThat(before).containsExactly("2-2@0", "3-3@0", "4-4@0");
        assertThat(damageAt(log, 5).what()).contains("CRC");
        assertThat(Batches.outline(read(log, 6).batches())).startsWith("6-6@0").endsWith("9-9@0");
        assertThat(Batches.outline(read(log, 2).batches())).isEqualTo(before);
    }

    // DESIGN 3: readers get the same answer without another read
    // Fails if: LogReader does not ask LogHealth before it reads
    @Test
    void shouldAnswerADamageThatIsKnownWithoutReading() throws Exception {
        // given
        FaultPlan faults = new FaultPlan();
        LogRig rig = new LogRig(CONFIG, disk, new FaultFiles(disk, faults, delay -> {}));
        filled(rig);
        rig.restartCleanly();
        Log log = rig.log();
        flip(5 * BATCH_BYTES + 100, 2);
        LogDamage damage = damageAt(log, 5);

        // when: the segment cannot be read at all any more
        faults.add(FaultRule.failing(FileOperation.READ, "00000000000000000000.log"));

        // then
        assertThat(ask(log, 5)).isEqualTo(new ReadResult.Corrupt(damage));
        assertThat(log.damage()).contains(damage);
        assertThat(damage.message()).contains("orders-0/00000000000000000000.log at position 1000");
    }

    // DESIGN 3: the tail of the active segment is not checked by its CRC, appends were
    // Fails if: LogReader.segmentRequest expects the same of active segments
    @Test
    void shouldNotCheckTheActiveSegment() throws Exception {
        // given
        SegmentedLog log = filled(new LogRig(CONFIG, disk));
        Path active = FIRST_SEGMENT.resolveSibling("00000000000000000020.log");

        // when
        flip(active, 3 * BATCH_BYTES + 150, 0);

        // then
        assertThat(Batches.outline(read(log, 23).batches())).startsWith("23-23@0");
        assertThat(log.damage()).isEmpty();
    }

    // KAFKA-6834: a header of the active segment that cannot be is a value too, not an exception
    // Fails if: LogReader.find lets an InvalidBatchException pass
    @Test
    void shouldAnswerAnImpossibleHeaderInTheActiveSegmentAsCorrupt() throws Exception {
        // given
        SegmentedLog log = filled(new LogRig(CONFIG, disk));
        Path active = FIRST_SEGMENT.resolveSibling("00000000000000000020.log");

        // when: a length with its sign bit set
        flip(active, 4 * BATCH_BYTES + 8, 7);

        // then
        assertThat(damageAt(log, 24).position()).isEqualTo(4 * BATCH_BYTES);
        assertThat(Batches.outline(read(log, 25).batches())).startsWith("25-25@0");
        assertThat(Batches.outline(read(log, 22).batches())).containsExactly("22-22@0", "23-23@0");
    }

    // I2: an epoch that the history does not have there
    // Fails if: BatchCheck.epochFault does not compare the epoch
    @Test
    void shouldFindAnEpochThatIsNotTheHistorys() throws Exception {
        // given: epochs 0 and 4
        LogRig rig = new LogRig(CONFIG, disk);
        SegmentedLog log = rig.leader();
        for (int i = 0; i < 15; i++) {
            if (i == 4) {
                log.becomeLeader(4);
            }
            append(log, i < 4 ? 0 : 4, Batches.ofSize(BATCH_BYTES));
        }
        assertThat(Batches.outline(read(log, 3).batches())).startsWith("3-3@0", "4-4@4");

        // when: 4 becomes 0
        flip(6 * BATCH_BYTES + 15, 2);

        // then
        assertThat(damageAt(log, 6).what()).contains("epoch");
        assertThat(Batches.outline(read(log, 7).batches())).startsWith("7-7@4");
    }

    // S3: offsets may be missing, in a log that was compacted and in a copy of one, whatever the policy says now
    // Fails if: SegmentExaminer takes a gap for a damage
    @ParameterizedTest
    @CsvSource({"DELETE", "COMPACT"})
    void shouldTakeNoGapForADamage(CleanupPolicy policy) throws Exception {
        // given
        LogRig rig = new LogRig(CONFIG.with(CONFIG.compaction().withPolicy(policy)), disk);
        SegmentedLog log = rig.log();
        log.becomeFollower(0);
        for (int i = 0; i < RECORDS; i++) {
            copy(log, 0, Batches.at(7L * i, 0, Batches.ofSize(BATCH_BYTES)));
        }

        // when / then
        long offset = 0;
        for (int i = 0; i < RECORDS; i++) {
            assertThat(Batches.outline(read(log, offset, BATCH_BYTES).batches()))
                    .containsExactly(7 * i + "-" + 7 * i + "@0");
            offset = 7L * i + 1;
        }
        assertThat(log.damage()).isEmpty();
    }

    // S5, S3: a base offset that was moved up into a gap's place shows at the batch behind it
    // Fails if: SegmentReader.soundEnd returns what lies behind a gap without a look at the next batch
    @Test
    void shouldBlameTheBatchWhoseOffsetsReachBeyondTheNext() throws Exception {
        // given
        SegmentedLog log = filled(new LogRig(CONFIG.with(CONFIG.compaction().withPolicy(CleanupPolicy.COMPACT)), disk));

        // when: 4 becomes 6
        flip(4 * BATCH_BYTES + 7, 1);

        // then
        LogDamage damage = damageAt(log, 4);
        assertThat(damage.position()).isEqualTo(4 * BATCH_BYTES);
        assertThat(damage.behindOffset()).isEqualTo(5);
        assertThat(Batches.outline(read(log, 5).batches())).startsWith("5-5@0");
    }

    // DESIGN 3: two bad batches, each refused, the one between them readable
    // Fails if: LogHealth.notBefore looks at the first damage only
    @Test
    void shouldReadBetweenTwoDamages() throws Exception {
        // given
        SegmentedLog log = filled(new LogRig(CONFIG, disk));
        flip(3 * BATCH_BYTES + 90, 2);
        flip(5 * BATCH_BYTES + 90, 2);

        // when / then
        assertThat(damageAt(log, 5).firstBadOffset()).isEqualTo(5);
        assertThat(damageAt(log, 3).firstBadOffset()).isEqualTo(3);
        assertThat(Batches.outline(read(log, 4).batches())).containsExactly("4-4@0");
        assertThat(log.damage().map(LogDamage::firstBadOffset)).contains(3L);
    }

    // Fails if: Resync gives up where the length of the bad batch leads nowhere
    @Test
    void shouldReadOnBehindAStretchOfZeros() throws Exception {
        // given: a page that was lost, from inside batch 3 to inside batch 6
        SegmentedLog log = filled(new LogRig(CONFIG, disk));
        zero(3 * BATCH_BYTES + 30, 3 * BATCH_BYTES);

        // when
        LogDamage damage = damageAt(log, 4);

        // then
        assertThat(damage.firstBadOffset()).isEqualTo(3);
        assertThat(damage.behindOffset()).isEqualTo(7);
        assertThat(Batches.outline(read(log, 7).batches())).startsWith("7-7@0");
        assertThat(Batches.outline(read(log, 0).batches())).containsExactly("0-0@0", "1-1@0", "2-2@0");
    }

    private void zero(int position, int count) throws IOException {
        byte[] content = FileBytes.content(disk, FIRST_SEGMENT);
        Arrays.fill(content, position, position + count, (byte) 0);
        FileBytes.write(disk, FIRST_SEGMENT, content);
    }

    // DESIGN 3: bytes that a sealed segment has lost are damage like any other, and no exception
    // Fails if: SegmentExaminer takes as given that the file has what was published
    @Test
    void shouldTakeTheMissingEndOfASealedSegmentForDamage() throws Exception {
        // given
        SegmentedLog log = filled(new LogRig(CONFIG, disk));
        FileBytes.cut(disk, FIRST_SEGMENT, 3 * BATCH_BYTES + 50);

        // when
        LogDamage damage = damageAt(log, 4);

        // then
        assertThat(damage.firstBadOffset()).isEqualTo(3);
        assertThat(damage.behindOffset()).isEqualTo(10);
        assertThat(Batches.outline(read(log, 0).batches())).containsExactly("0-0@0", "1-1@0", "2-2@0");
        assertThat(Batches.outline(read(log, 10).batches())).startsWith("10-10@0");
    }

    // DESIGN 3: a follower cuts at the bad batch and fetches again; after that the log is sound
    // Fails if: LogTruncator walks into the damage, or LogHealth keeps it
    @ParameterizedTest
    @ValueSource(ints = {8, 100})
    void shouldBeSoundAgainAfterACutAtTheDamage(int byteInBatch) throws Exception {
        // given
        LogRig rig = new LogRig(CONFIG, disk);
        SegmentedLog log = filled(rig);
        flip(5 * BATCH_BYTES + byteInBatch, 6);
        LogDamage damage = damageAt(log, 5);

        // when
        LogEnd end = log.truncateTo(damage.firstBadOffset());

        // then
        assertThat(end.offset()).isEqualTo(5);
        assertThat(end.lastEpoch()).isZero();
        assertThat(log.damage()).isEmpty();
        log.becomeFollower(1);
        for (int i = 5; i < RECORDS; i++) {
            copy(log, 1, Batches.at(i, 1, Batches.ofSize(BATCH_BYTES)));
        }
        assertThat(LogRig.outline(log)).hasSize(RECORDS).endsWith("29-29@1");
        assertThat(log.damage()).isEmpty();
    }

    // I3: a cut behind a damage leaves it, and the last epoch is known although the scan cannot pass
    // Fails if: LogTruncator.epochBefore answers that the log has no epoch
    @Test
    void shouldKnowTheLastEpochAfterACutBehindADamage() throws Exception {
        // given
        SegmentedLog log = filled(new LogRig(CONFIG, disk));
        flip(3 * BATCH_BYTES + 8, 6);
        damageAt(log, 3);

        // when
        LogEnd end = log.truncateTo(4);

        // then
        assertThat(end.offset()).isEqualTo(4);
        assertThat(end.lastEpoch()).isZero();
        assertThat(log.damage()).isPresent();
    }

    // S36: a damage goes with its segment
    // Fails if: LogHealth.first does not ask whether the segment is still one of the log's
    @Test
    void shouldForgetADamageThatLiesInFrontOfTheLogsStart() throws Exception {
        // given
        SegmentedLog log = filled(new LogRig(CONFIG, disk));
        flip(5 * BATCH_BYTES + 100, 6);
        damageAt(log, 5);

        // when
        log.committedBound(20);
        log.advanceStartOffset(6);

        // then
        assertThat(log.damage()).isEqualTo(Optional.empty());
    }

    // DESIGN 4: one definition of positions, also beside a damage
    // Fails if: LogReader.findPosition raises what it meets
    @Test
    void shouldKnowPositionsAroundADamage() throws Exception {
        // given
        SegmentedLog log = filled(new LogRig(CONFIG, disk));
        flip(5 * BATCH_BYTES + 8, 6);

        // when / then
        assertThat(log.positionOf(4)).isEqualTo(4 * BATCH_BYTES);
        assertThat(log.positionOf(5)).isEqualTo(5 * BATCH_BYTES);
        assertThat(log.positionOf(6)).isEqualTo(6 * BATCH_BYTES);
        assertThat(log.positionOf(25)).isEqualTo(25 * BATCH_BYTES);
    }

    // KNOWN_BUGS 37: checks do not change that a reader with a small buffer gets one whole batch
    // Fails if: SegmentReader.firstBatchAlone checks less than a batch, or more
    @Test
    void shouldCheckABatchThatIsReadAlone() throws Exception {
        // given: batches larger than what is asked for, in a sealed segment
        LogConfig config = LogRig.CONFIG.withSegmentBytes(400_000);
        LogRig rig = new LogRig(config, disk);
        SegmentedLog log = rig.leader();
        for (int i = 0; i < 8; i++) {
            append(log, 0, Batches.ofSize(100_000));
        }

        // when
        flip(2 * 100_000 + 99_000, 1);

        // then
        assertThat(Batches.outline(read(log, 1, 16).batches())).containsExactly("1-1@0");
        assertThat(ask(log, 2, 16)).isInstanceOf(ReadResult.Corrupt.class);
        assertThat(Batches.outline(read(log, 3, 16).batches())).containsExactly("3-3@0");
    }

    // DESIGN 3: an index that lies is no damage of the log
    // Fails if: Segment.read reports what only the index promised
    @Test
    void shouldReadPastAnIndexThatLies() throws Exception {
        // given
        LogRig rig = new LogRig(CONFIG, disk);
        filled(rig);
        rig.restartCleanly();
        Path index = FIRST_SEGMENT.resolveSibling("00000000000000000000.index");
        flip(index, 7, 3);

        // when
        Log log = rig.log();

        // then
        for (long offset = 0; offset < RECORDS; offset++) {
            assertThat(Batches.outline(read(log, offset).batches())).startsWith(offset + "-" + offset + "@0");
        }
        assertThat(log.damage()).isEmpty();
    }

    // Fails if: LogView.bytesBehindEnd counts from the front of the segment
    @Test
    void shouldKnowRoughlyHowFarAnOffsetIsFromTheEnd() {
        // given
        SegmentedLog log = filled(new LogRig(CONFIG, disk));

        // when / then
        assertThat(log.bytesBehindEnd(30)).isZero();
        assertThat(log.bytesBehindEnd(29)).isEqualTo(BATCH_BYTES);
        assertThat(log.bytesBehindEnd(0)).isEqualTo(RECORDS * BATCH_BYTES);
        assertThat(log.bytesBehindEnd(15)).isEqualTo(15 * BATCH_BYTES);
    }
}
