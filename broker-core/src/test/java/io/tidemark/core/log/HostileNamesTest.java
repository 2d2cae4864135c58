package io.tidemark.core.log;

import static io.tidemark.core.log.LogRig.append;
import static io.tidemark.core.log.LogRig.outline;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.io.DiskFiles;
import io.tidemark.core.io.FileHandle;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.ManualScheduler;
import io.tidemark.model.TopicPartition;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names and sizes of files that nobody expects, and topics whose names go to the limit. */
final class HostileNamesTest {
    private static final int BATCH_BYTES = 200;

    private final LogRig rig =
            new LogRig(LogRig.CONFIG.withSegmentBytes(4 * BATCH_BYTES).withIndex(1, 10 << 20));

    private List<String> filled() {
        SegmentedLog log = rig.leader();
        for (int i = 0; i < 10; i++) {
            append(log, 0, Batches.ofSize(BATCH_BYTES));
        }
        return outline(log);
    }

    private void write(String name, ByteBuffer content) throws IOException {
        try (FileHandle handle = rig.io.openForAppend(rig.partitionDirectory().resolve(name))) {
            handle.truncate(0);
            handle.append(content);
        }
    }

    // S16: files of other names are somebody else's
    // Fails if: SegmentFiles.offsetIn takes whatever Long.parseLong does
    @ParameterizedTest
    @ValueSource(strings = {"+0000000000000000005", "-0000000000000000000", "0000000000000000000\u0665"})
    void shouldLeaveFilesAloneWhoseNamesAreNearlyThoseOfSegments(String digits) throws Exception {
        // given
        List<String> before = filled();
        rig.directories.closeCleanly();
        write(digits + ".log", ByteBuffer.wrap(new byte[] {1, 2, 3}));

        // when
        rig.start();

        // then
        assertThat(outline(rig.log())).isEqualTo(before);
        assertThat(rig.io.list(rig.partitionDirectory())).contains(digits + ".log");
    }

    // S8: an index of more entries than its log has batches, as a lost size leaves it, is never taken into memory
    // Fails if: SegmentIndexes.openSealed does not compare the number of entries with the size of the log
    @ParameterizedTest
    @ValueSource(strings = {".index", ".timeindex"})
    void shouldRebuildAnIndexThatIsLargerThanItsLogAllows(String suffix) throws Exception {
        // given: the last entry is right
        List<String> before = filled();
        rig.directories.closeCleanly();
        String name = "00000000000000000008" + suffix;
        int entryBytes = suffix.equals(".index") ? 8 : 12;
        ByteBuffer last = ByteBuffer.allocate(entryBytes);
        Path file = rig.partitionDirectory().resolve(name);
        try (FileHandle handle = rig.io.openForRead(file)) {
            handle.read(last, handle.size() - entryBytes);
        }
        ByteBuffer content = ByteBuffer.allocate(10_000 * entryBytes);
        content.put(content.capacity() - entryBytes, last.array(), 0, entryBytes);
        write(name, content);

        // when
        rig.start();

        // then
        assertThat(rig.io.size(file)).isLessThan(100);
        assertThat(outline(rig.log())).isEqualTo(before);
    }

    // S12, S16: what is no segment is refused by name
    // Fails if: Segment.open does not look at the size of the file
    @Test
    void shouldNameAFileThatIsTooLargeForASegment(@TempDir Path directory) throws Exception {
        // given: of zeros, which take no place
        LogDirectories logs = load(directory, new ArrayList<>());
        Log log = logs.open(LogRig.PARTITION, LogRig.TOPIC_ID, LogRig.CONFIG);
        log.becomeLeader(0);
        append(log, 0, Batches.ofCount(1));
        logs.closeCleanly();
        Path file = directory.resolve(LogRig.PARTITION.toString()).resolve("00000000000000000000.log");
        try (RandomAccessFile large = new RandomAccessFile(file.toFile(), "rw")) {
            large.setLength(1L << 31);
        }

        // when / then
        assertThatThrownBy(() -> load(directory, new ArrayList<>()))
                .isInstanceOf(KafkaStorageException.class)
                .hasMessageContaining("00000000000000000000.log");
    }

    private static LogDirectories load(Path directory, List<Throwable> failures) {
        return LogDirectories.load(
                new DiskFiles(),
                new ManualScheduler(new ManualClock(), (runner, failure) -> failures.add(failure)),
                LogDirectories.Settings.of(List.of(directory), LogRig.CONFIG),
                Runnable::run,
                LoadProgress.SILENT);
    }

    // S51: a topic with a name of 249 characters, which is allowed, can be deleted
    // Fails if: PartitionDirectoryName.fitting does not shorten the topic
    @Test
    void shouldDeleteATopicOfTheLongestName(@TempDir Path directory) throws Exception {
        // given: a real file system, which has a limit
        List<Throwable> failures = new ArrayList<>();
        LogDirectories logs = load(directory, failures);
        TopicPartition partition = new TopicPartition("t".repeat(249), 17);
        logs.open(partition, LogRig.TOPIC_ID, LogRig.CONFIG);

        // when
        boolean deleted = logs.delete(partition, LogRig.TOPIC_ID);
        logs.closeCleanly();

        // then: and the next start knows it
        assertThat(deleted).isTrue();
        assertThat(failures).isEmpty();
        assertThat(new DiskFiles().list(directory))
                .filteredOn(name -> name.startsWith("ttt"))
                .singleElement()
                .satisfies(name ->
                        assertThat(PartitionDirectoryName.isBeingDeleted(name)).isTrue());
    }

    // S54: what was deleted twice before its files were gone is gone after a start
    // Fails if: PartitionDirectoryName.BEING_DELETED has no number
    @Test
    void shouldSweepADirectoryThatWasDeletedTwice() throws Exception {
        // given
        for (int i = 0; i < 2; i++) {
            rig.log();
            rig.directories.delete(LogRig.PARTITION, LogRig.TOPIC_ID);
        }
        assertThat(rig.io.list(LogRig.DIRECTORY))
                .filteredOn(name -> name.endsWith("-delete"))
                .hasSize(2);

        // when
        rig.crash();
        rig.scheduler.advance(Duration.ofSeconds(1));

        // then
        assertThat(rig.io.list(LogRig.DIRECTORY)).noneMatch(name -> name.endsWith("-delete"));
    }

    // S62: a topic may begin with a dot; its log is one like any other. What a desktop leaves at the root of a disk is
    // none.
    // Fails if: PartitionDirectoryName.parse leaves names alone that begin with a dot
    @Test
    void shouldLoadTheLogOfATopicThatBeginsWithADot() throws Exception {
        // given
        TopicPartition partition = new TopicPartition(".orders", 0);
        Log log = rig.directories.open(partition, LogRig.TOPIC_ID, rig.config);
        log.becomeLeader(0);
        append(log, 0, Batches.ofCount(3));
        Path trash = LogRig.DIRECTORY.resolve(".Trash-1000");
        rig.io.createDirectory(trash);
        rig.io.openForAppend(trash.resolve("photo")).close();

        // when
        rig.crash();

        // then
        assertThat(rig.directories.find(partition))
                .get()
                .satisfies(found -> assertThat(outline(found)).containsExactly("0-2@0"));
        assertThat(rig.io.list(LogRig.DIRECTORY)).contains(".Trash-1000");
    }
}
