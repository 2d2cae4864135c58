package io.tidemark.core.log.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.io.FileBytes;
import io.tidemark.core.io.SimDisk;
import io.tidemark.core.log.Batches;
import io.tidemark.core.testkit.SeededRandomness;
import io.tidemark.record.RecordBatch;
import io.tidemark.record.RecordBatches;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Iterator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a segment knows about the times of its batches. */
final class SegmentTimeTest {
    private static final Path DIRECTORY = Path.of("/log");
    private static final LogConfig EVERY_BATCH = LogConfig.DEFAULTS.withIndex(0, 1 << 20);
    private static final LogConfig SPARSE = LogConfig.DEFAULTS.withIndex(1 << 20, 1 << 20);

    private final SimDisk disk = new SimDisk();
    private final SegmentSpace space = new SegmentSpace(disk, DIRECTORY, new ResourceCache(2), new ResourceCache(2));
    private long nextOffset;

    @BeforeEach
    void createDirectory() throws IOException {
        disk.createDirectory(DIRECTORY);
    }

    private Segment segment(LogConfig config, long... timestampsMs) throws IOException {
        for (String name : disk.list(DIRECTORY)) {
            disk.delete(DIRECTORY.resolve(name));
        }
        Segment segment = Segment.create(space, 0, 0);
        nextOffset = 0;
        append(segment, config, timestampsMs);
        return segment;
    }

    /** A batch of one record for each timestamp. */
    private void append(Segment segment, LogConfig config, long... timestampsMs) throws IOException {
        for (long timestampMs : timestampsMs) {
            segment.append(Batches.at(nextOffset, 0, Batches.timed(timestampMs)), config);
            nextOffset++;
        }
    }

    private Segment reopened(LogConfig config) throws IOException {
        return Segment.open(space, 0, 0, config);
    }

    private void cut(Segment segment, long offset) throws IOException {
        segment.activate();
        int position = segment.read(SegmentRequest.locating(offset, segment.sizeBytes()))
                .position();
        segment.truncateTo(offset, position);
        nextOffset = offset;
    }

    private static TimeRead search(Segment segment, long timestampMs) throws IOException {
        return segment.search(new TimeRequest(timestampMs, 0, Long.MAX_VALUE, segment.sizeBytes(), () -> true));
    }

    private byte[] content(Path file) throws IOException {
        return FileBytes.content(disk, file);
    }

    private void write(Path file, byte[] bytes) throws IOException {
        FileBytes.write(disk, file, bytes);
    }

    /** DESIGN section 3. */
    // Fails if: TimeIndex.Entry.orOf compares with >=
    @Test
    void shouldKnowItsLargestTimestampAndNoneOfNothing() throws IOException {
        assertThat(segment(SPARSE).largestTimestampMs()).isEqualTo(-1);
        assertThat(segment(SPARSE, -1, -1).largestTimestampMs()).isEqualTo(-1);
        Segment segment = segment(SPARSE, 10, 50, 30, 50);
        assertThat(segment.largestTimestampMs()).isEqualTo(50);
        segment.seal();
        assertThat(ByteBuffer.wrap(content(segment.files().timeIndex())).getInt(8))
                .isEqualTo(1);
    }

    /** DESIGN section 3: the last entry of a sealed index is the largest timestamp; a start reads it from there. */
    // Fails if: SegmentIndexes.seal leaves out times.add(largest)
    @Test
    void shouldKnowItAfterALoadFromTheLastEntry() throws IOException {
        // given: no entry is due by size
        Segment segment = segment(SPARSE, 10, 50, 30);

        // when
        segment.seal();

        // then
        assertThat(segment.timeIndexEntries()).isEqualTo(1);
        assertThat(disk.size(segment.files().timeIndex())).isEqualTo(TimeIndex.ENTRY_BYTES);
        assertThat(reopened(SPARSE).largestTimestampMs()).isEqualTo(50);
    }

    /** A clean stop leaves an active segment as it leaves a sealed one. */
    // Fails if: SegmentIndexes.complete leaves out times.add(largest)
    @Test
    void shouldKnowItAfterACleanStopWhileActive() throws IOException {
        // given
        Segment segment = segment(SPARSE, 10, 50, 30);

        // when
        segment.forceIndex();
        segment.release();

        // then
        Segment again = reopened(SPARSE);
        again.activateUnread();
        assertThat(again.largestTimestampMs()).isEqualTo(50);
    }

    /** Scenario 6: the largest timestamp after a truncation, also where no entry tells it, and after a load. */
    // Fails if: Segment.truncateTo resumes with largest instead of largestFrom(...)
    @Test
    void shouldKnowItAfterATruncation() throws IOException {
        for (LogConfig config : new LogConfig[] {SPARSE, EVERY_BATCH}) {
            Segment segment = segment(config, 10, 50, 30, 40, 90, 60);
            cut(segment, 4);
            assertThat(segment.largestTimestampMs()).isEqualTo(50);
            append(segment, config, 45);
            assertThat(segment.largestTimestampMs()).isEqualTo(50);
            segment.seal();
            assertThat(reopened(config).largestTimestampMs()).isEqualTo(50);
            cut(segment, 1);
            assertThat(segment.largestTimestampMs()).isEqualTo(10);
            cut(segment, 0);
            assertThat(segment.largestTimestampMs()).isEqualTo(-1);
            segment.release();
        }
    }

    /** S8, scenario 5: a last entry of no batch, an entry of an earlier one, a file without entries. */
    // Fails if: Segment.open leaves out isLargestRight(last)
    @Test
    void shouldRebuildTimeIndexesThatLie() throws IOException {
        // given
        Segment segment = segment(EVERY_BATCH, 10, 20, 30, 40, 50);
        segment.seal();
        Path file = segment.files().timeIndex();
        byte[] right = content(file);
        byte[] wrongTime = right.clone();
        wrongTime[right.length - 5] = 99;
        byte[] wrongOffset = right.clone();
        wrongOffset[right.length - 1] = 3;
        byte[][] lies = {new byte[0], wrongTime, wrongOffset, new byte[13], {-1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}};

        // when / then
        for (byte[] lie : lies) {
            write(file, lie);
            assertThat(reopened(EVERY_BATCH).largestTimestampMs()).isEqualTo(50);
            assertThat(content(file)).isEqualTo(right);
        }
    }

    /** S8: entries are hints. One in the middle, that no start looks at, leads nobody past a record. */
    // Fails if: TimeWalk.requireRight never throws
    @Test
    void shouldFindRecordsInSpiteOfAnEntryThatLiesInTheMiddle() throws IOException {
        // given: the entry of timestamp 30 at offset 2 says that there is nothing above 22 up to offset 3
        Segment segment = segment(EVERY_BATCH, 10, 20, 30, 40, 50);
        segment.seal();
        Path file = segment.files().timeIndex();
        byte[] lie = content(file);
        int second = TimeIndex.ENTRY_BYTES;
        assertThat(lie[second + 7]).isEqualTo((byte) 30);
        lie[second + 7] = 22;
        lie[second + 11] = 3;
        write(file, lie);

        // when
        Segment opened = reopened(EVERY_BATCH);

        // then: 25 is first reached by offset 2, which the lie leads past
        assertThat(search(opened, 25)).isEqualTo(TimeRead.found(2));
        assertThat(search(opened, 45)).isEqualTo(TimeRead.found(4));
    }

    /** DESIGN section 3: a search starts from the largest entry below the time. */
    // Fails if: TimeWalk.run starts its scan at 0
    @Test
    void shouldNotReadWhatTheIndexLeadsPast() throws IOException {
        // given: the first batch is damaged
        Segment segment = segment(EVERY_BATCH, 10, 20, 30, 40, 50);
        segment.seal();
        byte[] log = content(segment.files().log());
        log[16] = 9;
        write(segment.files().log(), log);

        // when / then
        assertThat(search(segment, 50)).isEqualTo(TimeRead.found(4));
    }

    /** S8, KAFKA-588: random changes against a look at every batch. */
    // Fails if: SegmentIndexes.truncateTo leaves out times.truncateTo(offset)
    @Test
    void shouldAgreeWithALookAtEveryBatch() throws IOException {
        long seed = Long.getLong("tidemark.seed", 1);
        SeededRandomness random = new SeededRandomness(seed);
        LogConfig config = LogConfig.DEFAULTS.withIndex(random.nextInt(300), 8 * (1 + random.nextInt(200)));
        Segment segment = segment(config);
        for (int step = 0; step < 1_500; step++) {
            segment = change(segment, random, config);
            String where = "seed " + seed + " step " + step;
            assertThat(segment.largestTimestampMs()).as(where).isEqualTo(largest(segment));
            assertThat(segment.firstTimestampMs()).as(where).isEqualTo(first(segment));
            long target = random.nextInt(120);
            assertThat(search(segment, target)).as(where).isEqualTo(bySight(segment, target));
        }
    }

    private Segment change(Segment segment, SeededRandomness random, LogConfig config) throws IOException {
        switch (random.nextInt(10)) {
            case 0 -> {
                segment.seal();
                segment.activate();
            }
            case 1 -> {
                segment.seal();
                segment.release();
                Segment opened = reopened(config);
                opened.activateUnread();
                return opened;
            }
            case 2 -> {
                segment.forceIndex();
                segment.release();
                Segment opened = reopened(config);
                opened.activateUnread();
                return opened;
            }
            case 3 -> {
                if (nextOffset > 0) {
                    cut(segment, random.nextInt((int) nextOffset));
                }
            }
            default -> append(segment, config, random.nextInt(100) - 1);
        }
        return segment;
    }

    private RecordBatches batches(Segment segment) throws IOException {
        return RecordBatches.of(ByteBuffer.wrap(content(segment.files().log())));
    }

    private long largest(Segment segment) throws IOException {
        long largest = -1;
        for (RecordBatch batch : batches(segment)) {
            largest = Math.max(largest, batch.maxTimestampMs());
        }
        return largest;
    }

    private long first(Segment segment) throws IOException {
        Iterator<RecordBatch> batches = batches(segment).iterator();
        return batches.hasNext() ? batches.next().maxTimestampMs() : -1;
    }

    private TimeRead bySight(Segment segment, long timestampMs) throws IOException {
        for (RecordBatch batch : batches(segment)) {
            if (batch.maxTimestampMs() >= timestampMs) {
                return TimeRead.found(batch.lastOffset());
            }
        }
        return TimeRead.NOT_HERE;
    }
}
