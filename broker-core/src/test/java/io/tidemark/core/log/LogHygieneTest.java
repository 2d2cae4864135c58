package io.tidemark.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.io.DiskFiles;
import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.ManualScheduler;
import io.tidemark.model.TopicPartition;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Nothing stays open, mapped or scheduled (KAFKA-9265), and a log keeps one descriptor open (DESIGN section 3). */
@EnabledOnOs(OS.LINUX)
final class LogHygieneTest {
    private static final LogConfig CONFIG =
            LogConfig.DEFAULTS.withSegmentBytes(300).withIndex(1, 1 << 20).withDeleteDelay(Duration.ZERO);
    private static final int MAX_IDLE = 4;
    private static final int SLACK = 5;

    @TempDir
    private Path directory;

    private final ManualScheduler scheduler = new ManualScheduler(new ManualClock());

    private LogDirectories load() {
        return load(directory);
    }

    private LogDirectories load(Path logDirectory) {
        return LogDirectories.load(
                new DiskFiles(),
                scheduler,
                new LogDirectories.Settings(List.of(logDirectory), CONFIG, Duration.ofMinutes(1), MAX_IDLE, MAX_IDLE),
                Runnable::run,
                LoadProgress.SILENT);
    }

    private long openFiles() throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return descriptors.filter(this::isOurs).count();
        }
    }

    private boolean isOurs(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().startsWith(directory.toString());
        } catch (IOException e) {
            return false;
        }
    }

    private long mappings() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.filter(line -> line.contains(directory.toString())).count();
        }
    }

    private static void fill(Log log, int batches) {
        log.becomeLeader(0);
        for (int i = 0; i < batches; i++) {
            log.appendAsLeader(Batches.ofSize(100), 0);
        }
        for (long offset = 0; offset < batches; offset++) {
            LogRig.read(log, offset);
        }
    }

    @Test
    void shouldKeepOneDescriptorPerLogAndABoundedNumberOfOthers() throws Exception {
        // given
        LogDirectories directories = load();

        // when
        for (int i = 0; i < 5; i++) {
            fill(directories.open(new TopicPartition("t", i), LogRig.TOPIC_ID, CONFIG), 30);
        }

        // then: the lock is one
        assertThat(openFiles()).isEqualTo(1 + 5 + MAX_IDLE);
        assertThat(mappings()).isEqualTo(MAX_IDLE);
        directories.closeCleanly();
        assertThat(openFiles()).isZero();
        assertThat(mappings()).isZero();
        assertThat(scheduler.size()).isZero();
    }

    @Test
    void shouldReleaseEverythingOfDeletedAndTruncatedLogs() throws Exception {
        // given: KAFKA-9265
        LogDirectories directories = load();
        int tasks = scheduler.size();

        // when
        for (int i = 0; i < 100; i++) {
            TopicPartition partition = new TopicPartition("t", i);
            Log log = directories.open(partition, LogRig.TOPIC_ID, CONFIG);
            fill(log, 7);
            log.truncateTo(2);
            log.truncateFullyAndStartAt(1);
            directories.delete(partition, LogRig.TOPIC_ID);
            scheduler.advance(Duration.ofMillis(1));
        }

        // then
        assertThat(openFiles()).isEqualTo(1);
        assertThat(mappings()).isZero();
        assertThat(scheduler.size()).isEqualTo(tasks);
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left.map(path -> path.getFileName().toString())).noneMatch(name -> name.startsWith("t-"));
        }
        directories.closeCleanly();
    }

    /** The whole of bug 34. Fails if: as in the shortened one. */
    @Test
    @Tag("slow")
    void shouldLeaveNothingAliveOfFiveHundredLogs() throws Exception {
        assertNothingAliveAfter(500);
    }

    /**
     * KAFKA-9265, liftbridge-io/liftbridge#303 (bug 34), shortened. Fails if: a close or a deletion leaves a segment's index mapped, a file open,
     * a task scheduled that holds the log, or the log in its registry.
     */
    @Test
    void shouldLeaveNothingAliveOfLogsThatWereClosedOrDeleted() throws Exception {
        assertNothingAliveAfter(40);
    }

    private void assertNothingAliveAfter(int rounds) throws Exception {
        // given
        LogDirectories lasting = load(directory.resolve("lasting"));
        List<WeakReference<Log>> everOpened = new ArrayList<>();
        long files = openFiles();
        long mappings = mappings();
        int tasks = scheduler.size();

        // when
        for (int round = 0; round < rounds; round++) {
            TopicPartition partition = new TopicPartition("t", round);
            if (round % 2 == 0) {
                everOpened.add(new WeakReference<>(used(lasting, partition)));
                lasting.delete(partition, LogRig.TOPIC_ID);
            } else {
                LogDirectories own = load(directory.resolve("closed-" + round));
                everOpened.add(new WeakReference<>(used(own, partition)));
                own.closeCleanly();
            }
            scheduler.advance(Duration.ofMillis(1));
        }
        System.gc();

        // then
        assertThat(openFiles()).isEqualTo(files);
        assertThat(mappings()).isEqualTo(mappings);
        assertThat(scheduler.size()).isEqualTo(tasks);
        assertThat(everOpened.stream().filter(log -> log.get() != null)).hasSizeLessThanOrEqualTo(SLACK);
        lasting.closeCleanly();
    }

    /** A log with a sealed segment that was read, and so opened and mapped. */
    private static Log used(LogDirectories directories, TopicPartition partition) {
        Log log = directories.open(partition, LogRig.TOPIC_ID, CONFIG);
        fill(log, 4);
        return log;
    }
}
