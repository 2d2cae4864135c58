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
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A process is killed while it writes, rolls and deletes, again and again on the same directory; each time everything is there
 * that it said it had forced. {@code ./test --long crash --seed S --rounds N} sets {@code tidemark.crash.seed} and {@code
 * tidemark.crash.rounds}.
 */
final class LogCrashIT {
    private static final int DEFAULT_ROUNDS = 20;
    private static final long MIN_FORCED = 1_000;
    private static final int MAX_MORE_LINES = 24;
    private static final int KILLED = 128 + 9;
    private static final List<String> UNFINISHED = List.of(".deleted", ".tmp", ".cleaned", ".swap");

    @TempDir
    private Path directory;

    private final long seed = Long.getLong("tidemark.crash.seed", 1);

    /** What the process said before it was killed. */
    private static final class Report {
        private long began = -1;
        private long forced = -1;
        private long deleted = -1;

        private void take(String line) {
            long offset = Long.parseLong(line.substring(line.indexOf(' ') + 1));
            if (line.startsWith("began ")) {
                began = offset;
            } else if (line.startsWith("forced ")) {
                forced = Math.max(forced, offset);
            } else {
                deleted = Math.max(deleted, offset);
            }
        }
    }

    // S43, S46, S54, S61, I1. Fails if: LogForcer.execute leaves out the force of sealed segments (holding), or
    // LogLoader.sweep leaves *.deleted behind (both).
    @ParameterizedTest
    @ValueSource(strings = {"disk", "holding"})
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void shouldHaveEverythingThatWasForcedAfterAKill(String mode) throws Exception {
        int rounds = Integer.getInteger("tidemark.crash.rounds", DEFAULT_ROUNDS);
        SeededRandomness random = new SeededRandomness(seed).fork(mode);
        System.out.printf("crash, %s: seed %d, %d rounds%n", mode, seed, rounds);
        long end = 0;
        long start = 0;
        for (int round = 1; round <= rounds; round++) {
            try {
                Report report = writeUntilKilled(mode, random);
                assertThat(report.began).as("end at the start").isEqualTo(end);
                start = Math.max(start, report.deleted);
                end = checkAndClose(report, start, random.oneIn(4));
            } catch (Exception | AssertionError e) {
                throw new AssertionError(
                        "round " + round + " (" + mode + "), seed " + seed
                                + "; repeat it with: ./test --long crash --seed " + seed + " --rounds " + rounds,
                        e);
            }
        }
    }

    private Report writeUntilKilled(String mode, SeededRandomness random) throws IOException, InterruptedException {
        Path errors = directory.resolve("errors.txt");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CrashingWriter.class.getName(),
                        logDirectory().toString(),
                        Long.toString(random.nextLong()),
                        mode)
                .redirectError(errors.toFile())
                .start();
        Report report = new Report();
        int moreLines = 1 + random.nextInt(MAX_MORE_LINES);
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            String line = lines.readLine();
            while (line != null && moreLines > 0) {
                report.take(line);
                moreLines -= report.forced - report.began >= MIN_FORCED ? 1 : 0;
                line = lines.readLine();
            }
            // Not through Process, which would throw away what is in the pipe.
            process.toHandle().destroyForcibly();
            while (line != null) {
                report.take(line);
                line = lines.readLine();
            }
        } finally {
            process.toHandle().destroyForcibly();
            process.waitFor();
        }
        assertThat(process.exitValue())
                .as("it dies of the kill alone: %s", Files.readString(errors))
                .isEqualTo(KILLED);
        assertThat(report.forced - report.began)
                .as("records forced in this round")
                .isGreaterThanOrEqualTo(MIN_FORCED);
        return report;
    }

    /** Opens the log as the next process would; answers its end. */
    private long checkAndClose(Report report, long highestStart, boolean stopsCleanly) throws IOException {
        ManualScheduler scheduler = new ManualScheduler(new ManualClock());
        LogDirectories directories = CrashingWriter.load(logDirectory(), new DiskFiles(), scheduler);
        try {
            Log log = directories.open(CrashingWriter.WRITTEN, LogRig.TOPIC_ID, CrashingWriter.CONFIG);
            assertThat(log.end().offset()).as("end").isGreaterThanOrEqualTo(report.forced);
            assertThat(log.startOffset()).as("start").isLessThanOrEqualTo(highestStart);
            checkRecords(log);
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
            assertThat(all.map(path -> path.getFileName().toString()))
                    .noneMatch(name -> UNFINISHED.stream().anyMatch(name::endsWith))
                    .noneMatch(name -> name.contains("-delete"));
        }
    }

    private Path logDirectory() {
        return directory.resolve("logs");
    }
}
