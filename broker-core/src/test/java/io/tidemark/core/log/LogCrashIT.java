package io.tidemark.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.io.DiskFiles;
import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.ManualScheduler;
import io.tidemark.core.testkit.SeededRandomness;
import io.tidemark.record.RecordBatch;
import io.tidemark.record.RecordBatches;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A process is killed while it writes, rolls, cleans and deletes, or while it loads what another one left, again and again on the same directory; each time everything is there
 * that it said it had forced. {@code ./test --long crash --seed S --rounds N} sets {@code tidemark.crash.seed} and {@code
 * tidemark.crash.rounds}.
 */
final class LogCrashIT {
    private static final int DEFAULT_ROUNDS = 20;
    private static final long MIN_FORCED = 1_000;
    private static final int MAX_MORE_LINES = 24;
    private static final int LOADING_LINES = 4;
    private static final int KILLED = 128 + 9;
    private static final List<String> UNFINISHED = List.of(".deleted", ".tmp", ".cleaned", ".swap");

    @TempDir
    private Path directory;

    private final long seed = Long.getLong("tidemark.crash.seed", 1);

    /** What the processes of a round said before they were killed. */
    private static final class Report {
        private static final Report NOTHING = new Report();

        private long began = -1;
        private long forced = -1;
        private long deleting = -1;
        private long deleted = -1;
        private long keyed = -1;

        private void take(String line) {
            long offset = Long.parseLong(line.substring(line.indexOf(' ') + 1));
            switch (line.substring(0, line.indexOf(' '))) {
                case "loading" -> {
                    // Only a moment to be killed at.
                }
                case "began" -> began = began < 0 ? offset : began;
                case "forced" -> forced = Math.max(forced, offset);
                case "deleting" -> deleting = Math.max(deleting, offset);
                case "deleted" -> deleted = Math.max(deleted, offset);
                case "keyed" -> keyed = Math.max(keyed, offset);
                default -> throw new AssertionError("said: " + line);
            }
        }

        private boolean isEnough() {
            return forced - began >= MIN_FORCED;
        }

        /** Knows what the earlier one knew. */
        private Report after(Report before) {
            deleting = Math.max(deleting, before.deleting);
            deleted = Math.max(deleted, before.deleted);
            keyed = Math.max(keyed, before.keyed);
            return this;
        }
    }

    // S17, S43, S46, S54, S61, I1, I18, scenario 22. Fails if: LogForcer.execute leaves out the force of sealed
    // segments (holding),
    // LogLoader.sweep leaves *.deleted behind, or SegmentSwap.recover does nothing (both).
    @ParameterizedTest
    @ValueSource(strings = {"disk", "holding"})
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void shouldHaveEverythingThatWasForcedAfterAKill(String mode) throws Exception {
        int rounds = Integer.getInteger("tidemark.crash.rounds", DEFAULT_ROUNDS);
        SeededRandomness random = new SeededRandomness(seed).fork(mode);
        System.out.printf("crash, %s: seed %d, %d rounds%n", mode, seed, rounds);
        long end = 0;
        Report before = Report.NOTHING;
        for (int round = 1; round <= rounds; round++) {
            try {
                Report report = new Report().after(before);
                int moreLines = 1 + random.nextInt(MAX_MORE_LINES);
                runUntilKilled(writer(mode, random), report, moreLines, Report::isEnough);
                assertThat(report.began).as("end at the start").isEqualTo(end);
                assertThat(report.forced - report.began)
                        .as("records forced in this round")
                        .isGreaterThanOrEqualTo(MIN_FORCED);
                if (random.oneIn(4)) {
                    // While it loads; who is quick begins to write.
                    int lines = 1 + random.nextInt(LOADING_LINES);
                    runUntilKilled(writer(mode, random), report, lines, any -> true);
                }
                end = checkAndClose(report, random.oneIn(4));
                before = report;
            } catch (Exception | AssertionError e) {
                throw new AssertionError(
                        "round " + round + " (" + mode + "), seed " + seed
                                + "; repeat it with: ./test --long crash --seed " + seed + " --rounds " + rounds,
                        e);
            }
        }
    }

    private ProcessBuilder writer(String mode, SeededRandomness random) {
        return new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                CrashingWriter.class.getName(),
                logDirectory().toString(),
                Long.toString(random.nextLong()),
                mode);
    }

    /** Kills it after so many lines of those that count, and takes in what it has said by then. */
    private void runUntilKilled(ProcessBuilder writer, Report report, int lines, Predicate<Report> counts)
            throws IOException, InterruptedException {
        Path errors = directory.resolve("errors.txt");
        Process process = writer.redirectError(errors.toFile()).start();
        int left = lines;
        try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8)) {
            String line = said.readLine();
            while (line != null && left > 0) {
                report.take(line);
                left -= counts.test(report) ? 1 : 0;
                line = left > 0 ? said.readLine() : null;
            }
            // Not through Process, which would throw away what is in the pipe.
            process.toHandle().destroyForcibly();
            line = said.readLine();
            while (line != null) {
                report.take(line);
                line = said.readLine();
            }
        } finally {
            process.toHandle().destroyForcibly();
            process.waitFor();
        }
        assertThat(process.exitValue())
                .as("it dies of the kill alone: %s", Files.readString(errors))
                .isEqualTo(KILLED);
    }

    /** Opens the logs as the next process would; answers the end of the one that was written. */
    private long checkAndClose(Report report, boolean stopsCleanly) throws IOException {
        ManualScheduler scheduler = new ManualScheduler(new ManualClock());
        LogDirectories directories =
                CrashingWriter.load(logDirectory(), new DiskFiles(), scheduler, LoadProgress.SILENT);
        try {
            Log log = directories.open(CrashingWriter.WRITTEN, LogRig.TOPIC_ID, CrashingWriter.CONFIG);
            assertThat(log.end().offset()).as("end").isGreaterThanOrEqualTo(report.forced);
            assertThat(log.startOffset())
                    .as("start")
                    .isBetween(Math.max(0, report.deleted), Math.max(0, report.deleting));
            checkRecords(log);
            Log keyed = directories.open(CrashingWriter.KEYED, LogRig.TOPIC_ID, CrashingWriter.COMPACTED);
            assertThat(keyed.end().offset()).as("end of the compacted log").isGreaterThanOrEqualTo(report.keyed);
            KeyedRecords.check(keyed);
            scheduler.advance(CrashingWriter.CONFIG.retention().deleteDelay().plusMillis(1));
            checkLeftovers();
            long end = log.end().offset();
            if (stopsCleanly) {
                directories.closeCleanly();
            }
            return end;
        } finally {
            directories.closeAtOnce();
        }
    }

    /** Every offset from the start to the end is there once, in order, with its own value. */
    private static void checkRecords(Log log) {
        long next = log.startOffset();
        while (next < log.end().offset()) {
            ReadResult.Data data = LogRig.read(log, next, 1 << 16);
            assertThat(data.batches().hasRemaining())
                    .as("something at %d", next)
                    .isTrue();
            long expected = RecordBatch.at(data.batches(), 0).baseOffset();
            assertThat(expected).isLessThanOrEqualTo(next);
            for (RecordBatch batch : RecordBatches.of(data.batches())) {
                assertThat(batch.isCrcValid()).isTrue();
                assertThat(batch.baseOffset()).isEqualTo(expected);
                expected = batch.nextOffset();
            }
            long first = RecordBatch.at(data.batches(), 0).baseOffset();
            List<String> values = Batches.values(data.batches());
            assertThat(values).isEqualTo(expectedValues(first, expected));
            next = expected;
        }
    }

    private static List<String> expectedValues(long first, long end) {
        return LongStream.range(first, end)
                .mapToObj(offset -> CrashingWriter.VALUE + offset)
                .toList();
    }

    private void checkLeftovers() throws IOException {
        try (Stream<Path> all = Files.walk(logDirectory())) {
            assertThat(all.filter(path -> !isCheckpointInTheMaking(path))
                            .map(path -> path.getFileName().toString()))
                    .noneMatch(name -> UNFINISHED.stream().anyMatch(name::endsWith))
                    .noneMatch(name -> name.contains("-delete"));
        }
    }

    /** One for each checkpoint of the directory, at most; the next write of the checkpoint takes it over. */
    private boolean isCheckpointInTheMaking(Path path) {
        return path.getParent().equals(logDirectory()) && path.toString().endsWith("-checkpoint.tmp");
    }

    private Path logDirectory() {
        return directory.resolve("logs");
    }
}
