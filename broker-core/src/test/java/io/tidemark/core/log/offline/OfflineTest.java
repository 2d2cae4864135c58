package io.tidemark.core.log.offline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.io.FileBytes;
import io.tidemark.core.io.SimDisk;
import io.tidemark.core.log.Batches;
import io.tidemark.core.log.LoadProgress;
import io.tidemark.core.log.Log;
import io.tidemark.core.log.LogDirectories;
import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.ManualScheduler;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import io.tidemark.record.ProducerStamp;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OfflineTest {
    private static final Path PARTITION = Path.of("/data/t-0");
    private static final Path LOG = PARTITION.resolve("00000000000000000000.log");
    private static final Path INDEX = PARTITION.resolve("00000000000000000000.index");

    private final SimDisk disk = new SimDisk();
    private int firstBytes;

    @BeforeEach
    void writeLog() {
        LogConfig config = LogConfig.DEFAULTS.withIndex(0, 1 << 20);
        LogDirectories directories = LogDirectories.load(
                disk,
                new ManualScheduler(new ManualClock()),
                LogDirectories.Settings.of(List.of(Path.of("/data")), config),
                Runnable::run,
                LoadProgress.SILENT);
        Log log = directories.open(new TopicPartition("t", 0), new TopicId(1, 2), config);
        log.becomeLeader(0);
        ByteBuffer first = Batches.of("a", "b");
        firstBytes = first.remaining();
        log.appendAsLeader(first, 0);
        log.becomeLeader(4);
        log.appendAsLeader(Batches.of(new ProducerStamp(9, (short) 1, 0), "c"), 4);
        directories.closeCleanly();
    }

    private List<StoredBatch> batches(LogFileReader reader) throws IOException {
        List<StoredBatch> found = new ArrayList<>();
        Optional<StoredBatch> batch = reader.next();
        while (batch.isPresent()) {
            found.add(batch.get());
            batch = reader.next();
        }
        return found;
    }

    private void append(Path file, byte[] bytes) throws IOException {
        FileBytes.append(disk, file, bytes);
    }

    @Test
    void shouldShowBatchesAndRecords() throws IOException {
        try (LogFileReader reader = LogFileReader.open(disk, LOG)) {
            // when
            List<StoredBatch> found = batches(reader);

            // then
            assertThat(found).hasSize(2);
            StoredBatch first = found.get(0);
            assertThat(first.position()).isZero();
            assertThat(first.sizeBytes()).isEqualTo(firstBytes);
            assertThat(first.baseOffset()).isZero();
            assertThat(first.lastOffset()).isEqualTo(1);
            assertThat(first.recordCount()).isEqualTo(2);
            assertThat(first.leaderEpoch()).isZero();
            assertThat(first.producer()).isEqualTo(ProducerStamp.NONE);
            assertThat(first.isCrcValid()).isTrue();
            StoredBatch second = found.get(1);
            assertThat(second.position()).isEqualTo(firstBytes);
            assertThat(second.leaderEpoch()).isEqualTo(4);
            assertThat(second.producer()).isEqualTo(new ProducerStamp(9, (short) 1, 0));
            assertThat(reader.fault()).isEmpty();
            assertThat(reader.records(first))
                    .extracting(record ->
                            StandardCharsets.UTF_8.decode(record.value()).toString())
                    .containsExactly("a", "b");
        }
    }

    @Test
    void shouldTellDamagedBatchesAndWhereSenseEnds() throws IOException {
        // given
        FileBytes.flip(disk, LOG, firstBytes - 1, 99);
        append(LOG, new byte[] {1, 2, 3});

        try (LogFileReader reader = LogFileReader.open(disk, LOG)) {
            // when
            List<StoredBatch> found = batches(reader);

            // then
            assertThat(found).extracting(StoredBatch::isCrcValid).containsExactly(false, true);
            assertThat(reader.fault())
                    .hasValueSatisfying(fault -> assertThat(fault).contains("torn header"));
        }
    }

    @Test
    void shouldShowIndexEntriesAndEpochs() throws IOException {
        assertThat(IndexFile.read(disk, INDEX)).containsExactly(new IndexEntry(2, firstBytes));
        assertThat(EpochFile.read(disk, PARTITION)).contains(List.of(new EpochEntry(0, 0), new EpochEntry(4, 2)));
        assertThatThrownBy(() -> IndexFile.read(disk, LOG)).isInstanceOf(IOException.class);
        assertThat(EpochFile.read(disk, Path.of("/data"))).isEmpty();
    }

    /** DESIGN section 3: the only timestamp is that of the first batch. */
    // Fails if: TimeIndexFile.read does not add the base to the offset, or reads the offset first
    @Test
    void shouldShowTimeIndexEntries() throws IOException {
        // given
        Path timeIndex = PARTITION.resolve("00000000000000000000.timeindex");
        Path other = PARTITION.resolve("00000000000000000007.timeindex");
        append(other, new byte[] {0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 2, 5, 5});

        // when / then: a torn entry is not shown
        assertThat(TimeIndexFile.read(disk, timeIndex)).containsExactly(new TimeIndexEntry(1_000, 1));
        assertThat(TimeIndexFile.read(disk, other)).containsExactly(new TimeIndexEntry(9, 9));
        assertThatThrownBy(() -> TimeIndexFile.read(disk, INDEX)).isInstanceOf(IOException.class);
    }

    // Bounds on memory: a file of an index's name may be anything
    // Fails if: IndexFile.content makes room for a file of whatever size
    @Test
    void shouldRefuseAnIndexFileThatIsLargerThanAnyIndex(@TempDir Path directory) throws IOException {
        // given
        Path index = directory.resolve("00000000000000000000.index");
        Path timeIndex = directory.resolve("00000000000000000000.timeindex");
        for (Path file : List.of(index, timeIndex)) {
            try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
                sparse.setLength((64L << 20) + 24);
            }
        }

        // when / then
        assertThatThrownBy(() -> LogFiles.index(index))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(index.toString())
                .hasMessageContaining("more than any index has");
        assertThatThrownBy(() -> LogFiles.timeIndex(timeIndex))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(timeIndex.toString());
    }
}
