package io.tidemark.core.log;

import static io.tidemark.core.log.LogRig.append;
import static io.tidemark.core.log.LogRig.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.config.RetentionConfig;
import io.tidemark.core.io.FileBytes;
import io.tidemark.core.io.SimDisk;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.record.ProducerStamp;
import io.tidemark.record.RecordBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A damaged sealed segment is quarantined by a start, not fatal and not cut (DESIGN section 3, decision 0007). */
final class DamagedStartTest {
    private static final int BATCH_BYTES = 200;
    private static final int BATCHES_PER_SEGMENT = 11;
    private static final int RECORDS = 33;
    private static final long NOW_MS = 1_700_000_000_000L;
    private static final long LIMIT_MS = 600_000;
    private static final long OLD = NOW_MS - LIMIT_MS - 1;

    /** A segment holds eleven batches of one record; every third has an index entry, the last one none. */
    private static final LogConfig CONFIG =
            LogRig.CONFIG.withSegmentBytes(BATCHES_PER_SEGMENT * BATCH_BYTES).withIndex(2 * BATCH_BYTES, 1 << 20);

    private static final Path FIRST_SEGMENT =
            LogRig.DIRECTORY.resolve(LogRig.PARTITION.toString()).resolve("00000000000000000000.log");

    private final SimDisk disk = new SimDisk();

    /** Three segments, of which two are sealed: offsets 0-10, 11-21, 22-32. */
    private LogRig filled() {
        LogRig rig = new LogRig(CONFIG, disk);
        SegmentedLog log = rig.leader();
        for (int i = 0; i < RECORDS; i++) {
            append(log, 0, Batches.ofSize(BATCH_BYTES));
        }
        return rig;
    }

    private void flip(int position, int bit) throws IOException {
        FileBytes.flip(disk, FIRST_SEGMENT, position, 1 << bit);
    }

    private void deleteIndexes() throws IOException {
        for (String suffix : List.of(".index", ".timeindex")) {
            disk.delete(FIRST_SEGMENT.resolveSibling("00000000000000000000" + suffix));
        }
    }

    private static void assertReadAround(Log log, int bad, String what) {
        assertThat(log.end().offset()).as(what).isEqualTo(RECORDS);
        ReadsAround.assertReadAround(log, RECORDS, bad, BATCH_BYTES, what);
    }

    /**
     * S5, DESIGN 3: a bit in every byte of a header, also behind the last index entry and in front of everything, with indexes and
     * without. Whatever it hits, the broker starts, nothing is cut, and all but the one batch can be read, now and after a crash.
     */
    // Fails if: LogSegments.pass does not survey a segment whose headers lead nowhere
    // Fails if: SegmentOpening.ofWhatIsSound lets what rebuild throws pass
    @ParameterizedTest
    @CsvSource({"0,true", "5,true", "9,true", "10,true", "0,false", "5,false", "10,false"})
    void shouldStartAroundAFlippedBitInEveryByteOfASealedHeader(int batch, boolean hasIndexes) throws Exception {
        LogRig rig = filled();
        for (int index = 0; index < RecordBatch.HEADER_BYTES; index++) {
            for (int bit : new int[] {0, 7}) {
                // given
                rig.directories.closeCleanly();
                flip(batch * BATCH_BYTES + index, bit);
                long sizeBytes = disk.size(FIRST_SEGMENT);
                if (!hasIndexes) {
                    deleteIndexes();
                }

                // when / then
                String what = "batch " + batch + " byte " + index + " bit " + bit;
                rig.start();
                assertReadAround(rig.log(), batch, what);
                rig.crash();
                assertReadAround(rig.log(), batch, what + ", after a crash");
                assertThat(disk.size(FIRST_SEGMENT)).as(what).isEqualTo(sizeBytes);
                flip(batch * BATCH_BYTES + index, bit);
            }
        }
    }

    // DESIGN 3: what a start finds is reported before anybody reads
    // Fails if: LogState does not take over what was found when the segments were opened
    @Test
    void shouldKnowTheDamageFromTheStartOn() throws Exception {
        // given
        LogRig rig = filled();
        rig.directories.closeCleanly();
        flip(3 * BATCH_BYTES + 100, 2);
        flip(7 * BATCH_BYTES + 8, 6);
        deleteIndexes();

        // when
        rig.start();

        // then
        Log log = rig.log();
        assertThat(log.damage().map(LogDamage::firstBadOffset)).contains(3L);
        assertThat(log.damage().map(LogDamage::behindPosition)).contains(4 * BATCH_BYTES);
        assertThat(Batches.outline(read(log, 4).batches())).containsExactly("4-4@0", "5-5@0", "6-6@0");
        assertThat(LogRig.ask(log, 7, BATCH_BYTES)).isInstanceOf(ReadResult.Corrupt.class);
        assertThat(log.positionOf(8)).isEqualTo(8 * BATCH_BYTES);
    }

    // DESIGN 3, decision 0007: a sealed file that ends too early is damaged from there on
    // Fails if: LogSegments takes the last batch that is there for the end of the segment
    @Test
    void shouldStartWithASealedSegmentWhoseEndIsMissing() throws Exception {
        // given
        LogRig rig = filled();
        rig.directories.closeCleanly();
        FileBytes.cut(disk, FIRST_SEGMENT, 8 * BATCH_BYTES + 30);

        // when
        rig.start();

        // then
        Log log = rig.log();
        assertThat(log.damage().map(LogDamage::firstBadOffset)).contains(8L);
        assertThat(log.damage().map(LogDamage::behindOffset)).contains(11L);
        assertThat(Batches.outline(read(log, 7).batches())).containsExactly("7-7@0");
        assertThat(Batches.outline(read(log, 11).batches())).startsWith("11-11@0");
        assertThat(log.end().offset()).isEqualTo(RECORDS);
    }

    // S48, DESIGN 3: nobody could say where a log goes on whose last batch cannot be read; the file is left alone
    // Fails if: LogSegments lets the last segment end in a damage
    @Test
    void shouldNotStartWithALogWhoseLastBatchIsDamagedAfterACleanStop() throws Exception {
        // given
        LogRig rig = filled();
        rig.directories.closeCleanly();
        Path active = FIRST_SEGMENT.resolveSibling("00000000000000000022.log");
        FileBytes.flip(disk, active, 10 * BATCH_BYTES + 8, 1 << 6);
        long sizeBytes = disk.size(active);

        // when / then
        assertThatThrownBy(rig::start)
                .isInstanceOf(KafkaStorageException.class)
                .hasMessageContaining(active.toString())
                .hasMessageContaining("position 2000");
        assertThat(disk.size(active)).isEqualTo(sizeBytes);
    }

    // I2, I3: the epoch of a log whose last headers cannot be read is the one that was recorded, by one or the other
    // Fails if: LogLoader takes the epoch of the last batch that can be read
    @ParameterizedTest
    @ValueSource(strings = {"nothing", "leader-epoch-checkpoint"})
    void shouldKnowTheLastEpochOfALogThatEndsInADamage(String lost) throws Exception {
        // given: an empty segment behind a batch of epoch 3
        LogRig rig = new LogRig(CONFIG, disk);
        SegmentedLog log = rig.leader();
        for (int i = 0; i < 13; i++) {
            int epoch = i < 10 ? 0 : 3;
            log.becomeLeader(epoch);
            append(log, epoch, Batches.ofSize(BATCH_BYTES));
        }
        log.truncateTo(11);
        rig.directories.closeCleanly();
        flip(10 * BATCH_BYTES + 8, 6);
        disk.deleteIfThere(rig.partitionDirectory().resolve(lost));

        // when
        rig.start();

        // then
        assertThat(rig.log().end().offset()).isEqualTo(11);
        assertThat(rig.log().end().lastEpoch()).isEqualTo(3);
    }

    // S67: a repeated batch is known, also if it lies behind a damage and nothing but the batches tells
    // Fails if: ProducerRebuild ends where the headers lead nowhere
    @Test
    void shouldKnowProducersBehindADamage() throws Exception {
        // given
        LogRig rig = new LogRig(CONFIG, disk);
        SegmentedLog log = rig.leader();
        ByteBuffer repeated = Batches.of(new ProducerStamp(7, (short) 0, 0), "once");
        append(log, 0, Batches.ofSize(BATCH_BYTES));
        append(log, 0, repeated.duplicate());
        for (int i = 0; i < 12; i++) {
            append(log, 0, Batches.ofSize(BATCH_BYTES));
        }
        rig.directories.closeCleanly();
        rig.deleteSnapshots();
        flip(8, 6);
        deleteIndexes();

        // when
        rig.start();
        rig.leader();

        // then
        assertThat(rig.log().appendAsLeader(repeated, 0))
                .isEqualTo(new AppendResult.Duplicate(1, 1, rig.log().end()));
    }

    // S8: the rebuilt index leads behind the damage
    // Fails if: SegmentIndexes.passDamage has no entry follow
    @Test
    void shouldFindTimesBehindADamage() throws Exception {
        // given: segments without an index entry
        LogRig rig = timed(6, CONFIG.withIndex(1 << 20, 1 << 20), 1, 2, 3, 4, 5, 6, 7, 8);
        rig.directories.closeCleanly();
        flip(1 * timedBytes() + 40, 2);
        deleteIndexes();

        // when
        rig.start();

        // then
        Log log = rig.log();
        assertThat(log.search(new TimeSearch(5, log.end().offset(), () -> true)))
                .isEqualTo(new TimeSearch.Found(4));
    }

    private static int timedBytes() {
        return Batches.timed(NOW_MS).remaining();
    }

    /** A log of segments of so many batches, one record each, with these times. */
    private LogRig timed(int batchesPerSegment, LogConfig config, long... timesMs) {
        LogRig rig = new LogRig(config.withSegmentBytes(batchesPerSegment * timedBytes()), disk);
        SegmentedLog log = rig.leader();
        for (long timeMs : timesMs) {
            append(log, 0, Batches.timed(timeMs));
        }
        return rig;
    }

    private static LogRig withRetention(LogRig rig) {
        rig.config = rig.config.with(new RetentionConfig(LIMIT_MS, RetentionConfig.UNLIMITED, Duration.ofSeconds(60)));
        return rig;
    }

    private static RetentionResult retain(LogRig rig) {
        SegmentedLog log = rig.log();
        log.reconfigure(rig.config);
        log.committedBound(log.end().offset());
        return log.applyRetention(NOW_MS);
    }

    /**
     * Decision 0007, S36: the latest record of a segment is in the batch that cannot be read, and the index that knew it is gone.
     * The segment stays as long as the one behind it, over any number of starts.
     */
    // Fails if: LogRetention.times takes the latest time that could be read
    // Fails if: SegmentIndexes.seal does not end the times with the entry that says that some are unknown
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldNotDeleteByATimestampThatWasNotRead(boolean isClean) throws Exception {
        // given
        LogRig rig = withRetention(timed(3, CONFIG, OLD, OLD, NOW_MS, NOW_MS, NOW_MS, NOW_MS, NOW_MS));
        rig.directories.closeCleanly();
        flip(2 * timedBytes() + 40, 2);
        deleteIndexes();

        for (int start = 0; start < 3; start++) {
            // when
            rig.start();
            RetentionResult result = retain(rig);

            // then
            assertThat(result.isNothing()).as("start %d", start).isTrue();
            assertThat(rig.log().startOffset()).isZero();
            if (isClean) {
                rig.directories.closeCleanly();
            } else {
                disk.processCrash();
            }
        }
    }

    // Decision 0007: a damage does not keep a log for ever
    // Fails if: LogRetention.times takes an unknown time for the latest there is
    @Test
    void shouldDeleteADamagedSegmentOnceTheNextOneIsOldEnough() throws Exception {
        // given
        LogRig rig = withRetention(timed(3, CONFIG, OLD, OLD, NOW_MS, OLD, OLD, OLD, NOW_MS));
        rig.directories.closeCleanly();
        flip(2 * timedBytes() + 40, 2);
        deleteIndexes();

        // when
        rig.start();
        retain(rig);

        // then
        assertThat(rig.log().startOffset()).isEqualTo(6);
        assertThat(rig.log().damage()).isEqualTo(Optional.empty());
    }

    // Decision 0007: a cut behind the damage leaves the segment with a time that nobody knows, one in front of it does
    // not
    // Fails if: SegmentIndexes.resume forgets what is unread, or keeps it
    @ParameterizedTest
    @CsvSource({"3,false,0", "3,true,0", "1,false,1", "1,true,1"})
    void shouldRememberWhatIsUnreadOverACutBehindIt(long cut, boolean restarts, long startOffset) throws Exception {
        // given: the damage is in offset 1, the second of four batches
        LogRig rig = withRetention(timed(4, CONFIG, OLD, NOW_MS, OLD, OLD, OLD));
        rig.directories.closeCleanly();
        flip(timedBytes() + 40, 2);
        deleteIndexes();
        rig.start();

        // when
        rig.log().truncateTo(cut);
        if (restarts) {
            rig.restartCleanly();
        }
        long endOffset = rig.log().end().offset();
        retain(rig);

        // then
        assertThat(endOffset).isEqualTo(cut);
        assertThat(rig.log().startOffset()).isEqualTo(startOffset);
    }
}
