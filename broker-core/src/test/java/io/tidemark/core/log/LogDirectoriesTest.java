package io.tidemark.core.log;

import static io.tidemark.core.log.LogRig.append;
import static io.tidemark.core.log.LogRig.outline;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.checkpoint.CleanShutdownMarker;
import io.tidemark.core.checkpoint.OffsetCheckpointFile;
import io.tidemark.core.io.Files;
import io.tidemark.core.io.SimDisk;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.ManualScheduler;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

final class LogDirectoriesTest {
    private static final TopicId OTHER_ID = new TopicId(3, 4);

    private final LogRig rig = new LogRig();

    private static TopicPartition partition(int number) {
        return new TopicPartition("logs-of-many", number);
    }

    @Test
    void shouldFindOpenAndListLogsInOrder() {
        // given
        Log second = rig.directories.open(partition(1), OTHER_ID, rig.config);
        Log first = rig.directories.open(partition(0), OTHER_ID, rig.config);

        // when / then
        assertThat(rig.directories.logs()).containsExactly(first, second);
        assertThat(rig.directories.find(partition(1))).containsSame(second);
        assertThat(rig.directories.find(partition(2))).isEmpty();
        assertThat(rig.directories.open(partition(1), OTHER_ID, rig.config)).isSameAs(second);
        assertThat(second.topicId()).isEqualTo(OTHER_ID);
        assertThat(second.partition()).isEqualTo(partition(1));
        assertThat(rig.directories.directories()).containsExactly(LogRig.DIRECTORY);
    }

    @Test
    void shouldPutANewLogIntoTheEmptiestDirectory() {
        // given
        SimDisk disk = new SimDisk();
        List<Path> paths = List.of(Path.of("/a"), Path.of("/b"));
        LogDirectories directories = LogDirectories.load(
                disk,
                new ManualScheduler(new ManualClock()),
                LogDirectories.Settings.of(paths, LogRig.CONFIG),
                Runnable::run,
                LoadProgress.SILENT);

        // when
        for (int i = 0; i < 4; i++) {
            directories.open(partition(i), OTHER_ID, LogRig.CONFIG);
        }

        // then
        assertThat(directories.logs().stream().map(Log::logDirectory).toList())
                .containsExactly(paths.get(0), paths.get(1), paths.get(0), paths.get(1));
    }

    @Test
    void shouldKeepTheTopicIdInAFileOfItsOwn() throws Exception {
        // given
        rig.log();

        // when
        byte[] content = new io.tidemark.core.checkpoint.AtomicFile(
                        rig.io, rig.partitionDirectory(), PartitionMetadataFile.FILE_NAME)
                .read()
                .orElseThrow();

        // then
        assertThat(new String(content, StandardCharsets.UTF_8))
                .isEqualTo("version: 0\ntopic_id: 00000000000000010000000000000002\n");
        rig.crash();
        assertThat(rig.directories.find(LogRig.PARTITION).orElseThrow().topicId())
                .isEqualTo(LogRig.TOPIC_ID);
    }

    @Test
    void shouldSetAsideALogOfAnotherTopicOfTheSameName() throws Exception {
        // given
        // scenario 14
        // Fails if: LogDirectories.open does not compare topic ids
        append(rig.leader(), 0, Batches.ofCount(3));

        // when
        Log log = rig.directories.open(LogRig.PARTITION, OTHER_ID, rig.config);

        // then
        assertThat(log.end().offset()).isZero();
        String stray = "orders-0." + LogRig.TOPIC_ID + "-stray";
        assertThat(rig.io.list(LogRig.DIRECTORY)).contains(stray);
        rig.restartCleanly();
        assertThat(rig.io.list(LogRig.DIRECTORY.resolve(stray))).contains("00000000000000000000.log");
        assertThat(rig.directories.logs()).hasSize(1);
    }

    @Test
    void shouldDeleteALogByRenamingItAndLaterItsFiles() throws Exception {
        // given: S51
        // Fails if: LogDirectories.delete never deletes the renamed directory
        Log log = rig.leader();
        append(log, 0, Batches.ofCount(3));
        String renamed = "orders-0." + LogRig.TOPIC_ID + "-delete";

        // when
        boolean deleted = rig.directories.delete(LogRig.PARTITION, LogRig.TOPIC_ID);

        // then
        assertThat(deleted).isTrue();
        assertThat(rig.directories.find(LogRig.PARTITION)).isEmpty();
        assertThat(rig.io.list(LogRig.DIRECTORY)).contains(renamed);
        assertThatThrownBy(() -> LogRig.read(log, 0)).isInstanceOf(LogClosedException.class);
        assertThatThrownBy(() -> log.positionOf(0)).isInstanceOf(LogClosedException.class);
        assertThatThrownBy(() -> log.appendAsLeader(Batches.ofCount(1), 0)).isInstanceOf(LogClosedException.class);
        rig.scheduler.advance(rig.config.retention().deleteDelay().plusMillis(1));
        assertThat(rig.io.list(LogRig.DIRECTORY)).doesNotContain(renamed);
        assertThat(rig.failures).isEmpty();
    }

    // S51. Fails if: LogDirectory.rename takes the name that it was given, free or not.
    @Test
    void shouldDeleteALogThatCameBackBeforeTheFilesOfTheFirstAreGone() throws Exception {
        // given: the partition was moved away, and back
        append(rig.leader(), 0, Batches.ofCount(3));
        assertThat(rig.directories.delete(LogRig.PARTITION, LogRig.TOPIC_ID)).isTrue();
        append(rig.leader(), 0, Batches.ofCount(2));

        // when: and away again
        boolean deleted = rig.directories.delete(LogRig.PARTITION, LogRig.TOPIC_ID);

        // then
        assertThat(deleted).isTrue();
        assertThat(rig.io.list(LogRig.DIRECTORY).stream().filter(name -> name.endsWith("-delete")))
                .hasSize(2);
        rig.scheduler.advance(rig.config.retention().deleteDelay().plusMillis(1));
        assertThat(rig.io.list(LogRig.DIRECTORY)).noneMatch(name -> name.contains("orders"));
        assertThat(rig.failures).isEmpty();
        assertThat(rig.log().end().offset()).isZero();
    }

    @Test
    void shouldNotDeleteALogOfAnotherTopicId() {
        rig.log();
        assertThat(rig.directories.delete(LogRig.PARTITION, OTHER_ID)).isFalse();
        assertThat(rig.directories.delete(partition(5), LogRig.TOPIC_ID)).isFalse();
        assertThat(rig.directories.find(LogRig.PARTITION)).isPresent();
    }

    @Test
    void shouldSweepDirectoriesWhoseDeletionACrashInterrupted() throws Exception {
        // given
        // scenario 14
        // Fails if: PartitionDirectories does not know names that end with -delete
        append(rig.leader(), 0, Batches.ofCount(3));
        rig.directories.delete(LogRig.PARTITION, LogRig.TOPIC_ID);

        // when
        rig.crash();
        rig.scheduler.advance(Duration.ofMillis(1));

        // then
        assertThat(rig.io.list(LogRig.DIRECTORY)).noneMatch(name -> name.endsWith("-delete"));
        assertThat(rig.directories.logs()).isEmpty();
    }

    @Test
    void shouldSetAsideRecordsOfAnUnknownTopicAndForgetUnfinishedDirectories() throws Exception {
        // given
        // scenario 14
        // Fails if: PartitionDirectories takes every directory without metadata for obsolete
        append(rig.leader(), 0, Batches.ofCount(3));
        rig.directories.closeCleanly();
        rig.io.delete(rig.partitionDirectory().resolve(PartitionMetadataFile.FILE_NAME));
        rig.io.createDirectory(LogRig.DIRECTORY.resolve("empty-3"));
        rig.io.createDirectory(LogRig.DIRECTORY.resolve("lost+found"));
        for (String foreign : List.of("photos-2024", "please-delete")) {
            rig.io.createDirectory(LogRig.DIRECTORY.resolve(foreign));
            rig.io
                    .openForAppend(LogRig.DIRECTORY.resolve(foreign).resolve("a.jpg"))
                    .close();
        }

        // when
        rig.start();
        rig.scheduler.advance(Duration.ofMillis(1));

        // then
        assertThat(rig.directories.logs()).isEmpty();
        assertThat(rig.io.list(LogRig.DIRECTORY))
                .contains("orders-0.unknown-topic-stray", "lost+found", "photos-2024.unknown-topic-stray")
                .noneMatch(name -> name.startsWith("empty-3"));
        for (String kept : List.of("photos-2024.unknown-topic-stray", "please-delete")) {
            assertThat(rig.io.list(LogRig.DIRECTORY.resolve(kept))).containsExactly("a.jpg");
        }
    }

    /** Scenario 12: two managers on one directory. Fails if: LogDirectory.claim does not lock. */
    @Test
    void shouldFindPartitionsWhateverTheirTopicsAreCalledAndLeaveOtherNamesAlone() throws Exception {
        // given: scenario 14
        // Fails if: PartitionDirectoryName takes the first dash for the last
        List<TopicPartition> partitions = List.of(
                new TopicPartition("0", 1),
                new TopicPartition("a.b", 10),
                new TopicPartition("a-b", 3),
                new TopicPartition("a-delete", 0),
                new TopicPartition("a_b.c-d", 7));
        for (TopicPartition partition : partitions) {
            rig.directories.open(partition, OTHER_ID, rig.config);
        }
        List<String> others = List.of("orders", "orders-", "-0", "orders-01", "orders-x", ".orders-0");
        for (String name : others) {
            rig.io.createDirectory(LogRig.DIRECTORY.resolve(name));
        }

        // when
        rig.restartCleanly();
        rig.scheduler.advance(Duration.ofMinutes(2));

        // then
        assertThat(rig.directories.logs()).extracting(Log::partition).containsExactlyInAnyOrderElementsOf(partitions);
        assertThat(rig.io.list(LogRig.DIRECTORY)).containsAll(others);
    }

    @Test
    void shouldRefuseADirectoryThatSomebodyElseHas() {
        // scenario 12
        // Fails if: LogDirectory takes no lock
        LogDirectories.Settings settings = LogDirectories.Settings.of(List.of(LogRig.DIRECTORY), rig.config);
        assertThatThrownBy(
                        () -> LogDirectories.load(rig.io, rig.scheduler, settings, Runnable::run, LoadProgress.SILENT))
                .isInstanceOf(KafkaStorageException.class)
                .hasMessageContaining("/data");
        rig.directories.closeCleanly();
        LogDirectories again = LogDirectories.load(rig.io, rig.scheduler, settings, Runnable::run, LoadProgress.SILENT);
        again.closeAtOnce();
    }

    // KAFKA-10471, DESIGN 6: a start that does not get all directories leaves the proofs of a clean stop to the next
    // Fails if: LogDirectories.takeAll takes one directory into use before it has locked the last
    @Test
    void shouldKeepTheMarkersOfACleanStopWhenOneDirectoryIsInUse() throws Exception {
        // given
        rig.directories.closeCleanly();
        Path other = Path.of("/other");
        rig.disk.createDirectory(other);
        Files.DirectoryLock held = rig.disk.lock(other.resolve(".lock"));
        LogDirectories.Settings settings = LogDirectories.Settings.of(List.of(LogRig.DIRECTORY, other), rig.config);

        // when
        assertThatThrownBy(() ->
                        LogDirectories.load(rig.disk, rig.scheduler, settings, Runnable::run, LoadProgress.SILENT))
                .isInstanceOf(KafkaStorageException.class)
                .hasMessageContaining("/other");

        // then
        assertThat(rig.disk.exists(LogRig.DIRECTORY.resolve(CleanShutdownMarker.FILE_NAME)))
                .isTrue();
        held.close();
        rig.start();
    }

    @Test
    void shouldRefuseTwoLogsOfOnePartition() throws Exception {
        // given
        rig.log();
        rig.directories.closeCleanly();
        SimDisk disk = rig.disk;
        Path copy = Path.of("/other").resolve(LogRig.PARTITION.toString());
        disk.createDirectory(copy);
        new PartitionMetadataFile(disk, copy).write(LogRig.TOPIC_ID);

        // when / then
        LogDirectories.Settings settings =
                LogDirectories.Settings.of(List.of(LogRig.DIRECTORY, Path.of("/other")), rig.config);
        assertThatThrownBy(() -> LogDirectories.load(disk, rig.scheduler, settings, Runnable::run, LoadProgress.SILENT))
                .isInstanceOf(KafkaStorageException.class)
                .hasMessageContaining("two logs of orders-0");
    }

    @Test
    void shouldRecordRecoveryPointsAndStartOffsetsPeriodically() {
        // given
        SegmentedLog log = rig.leader();
        append(log, 0, Batches.ofCount(5));
        append(log, 0, Batches.ofCount(5));
        log.force();
        append(log, 0, Batches.ofCount(5));
        log.committedBound(15);
        log.advanceStartOffset(3);

        // when
        rig.scheduler.advance(LogRig.RECORDING_PERIOD);

        // then
        assertThat(recorded(OffsetCheckpointFile.Kind.RECOVERY_POINT)).isEqualTo(Map.of(LogRig.PARTITION, 10L));
        assertThat(recorded(OffsetCheckpointFile.Kind.LOG_START)).isEqualTo(Map.of(LogRig.PARTITION, 3L));
        rig.crash();
        assertThat(rig.log().startOffset()).isEqualTo(3);
    }

    @Test
    void shouldLowerARecordedRecoveryPointBeforeItCutsBelow() {
        // given
        SegmentedLog log = rig.leader();
        append(log, 0, Batches.ofCount(5));
        append(log, 0, Batches.ofCount(5));
        log.force();
        rig.scheduler.advance(LogRig.RECORDING_PERIOD);

        // when
        log.truncateTo(5);

        // then
        assertThat(recorded(OffsetCheckpointFile.Kind.RECOVERY_POINT)).isEqualTo(Map.of(LogRig.PARTITION, 5L));
        assertThat(log.forcedEnd().offset()).isEqualTo(5);
    }

    @Test
    void shouldCarryForwardEntriesOfLogsThatAreNotLoaded() {
        // given: S62
        // Fails if: LogDirectory.record begins with an empty map
        Map<TopicPartition, Long> entries = new TreeMap<>(Map.of(partition(8), 77L));
        rig.directories.closeCleanly();
        new OffsetCheckpointFile(rig.io, LogRig.DIRECTORY, OffsetCheckpointFile.Kind.RECOVERY_POINT).write(entries);
        rig.start();

        // when
        rig.log();
        rig.scheduler.advance(LogRig.RECORDING_PERIOD);

        // then
        assertThat(recorded(OffsetCheckpointFile.Kind.RECOVERY_POINT)).containsEntry(partition(8), 77L);
        rig.directories.delete(LogRig.PARTITION, LogRig.TOPIC_ID);
        assertThat(recorded(OffsetCheckpointFile.Kind.RECOVERY_POINT)).isEqualTo(entries);
    }

    @Test
    void shouldLoadManyLogsOnManyThreadsAndTellProgress() throws Exception {
        // given
        for (int i = 0; i < 40; i++) {
            Log log = rig.directories.open(partition(i), OTHER_ID, rig.config);
            log.becomeLeader(0);
            append(log, 0, Batches.ofCount(1 + i));
        }
        rig.directories.closeAtOnce();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<String> progress = new ArrayList<>();
        try {
            // when
            LogDirectories directories = LogDirectories.load(
                    rig.io,
                    rig.scheduler,
                    LogDirectories.Settings.of(List.of(LogRig.DIRECTORY), rig.config),
                    threads,
                    (partition, done, total) -> {
                        synchronized (progress) {
                            progress.add(done + "/" + total);
                        }
                    });

            // then
            assertThat(progress).hasSize(40).contains("1/40", "40/40");
            for (int i = 0; i < 40; i++) {
                Log log = directories.find(partition(i)).orElseThrow();
                assertThat(outline(log)).containsExactly("0-" + i + "@0");
            }
            directories.closeCleanly();
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void shouldLeaveNoTasksBehindAfterAClose() {
        // given
        append(rig.leader(), 0, Batches.ofCount(1));

        // when
        rig.directories.closeCleanly();
        rig.directories.closeCleanly();

        // then
        assertThat(rig.scheduler.size()).isZero();
        assertThatThrownBy(() -> rig.directories.open(partition(1), OTHER_ID, rig.config))
                .isInstanceOf(IllegalStateException.class);
    }

    private Map<TopicPartition, Long> recorded(OffsetCheckpointFile.Kind kind) {
        return new OffsetCheckpointFile(rig.io, LogRig.DIRECTORY, kind)
                .peek()
                .value()
                .orElseThrow();
    }
}
