package io.tidemark.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.io.DiskFiles;
import io.tidemark.core.log.cleaner.LogCleaner;
import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.ManualEventLoops;
import io.tidemark.core.testkit.ManualScheduler;
import io.tidemark.record.Codec;
import io.tidemark.record.ProducerStamp;
import io.tidemark.record.RecordBatchBuilder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kafka's own tool reads our files, of sealed and of active segments, without a complaint (DESIGN section 3). */
final class KafkaDumpTest {
    private static final int RECORDS = 400;

    @TempDir
    private Path directory;

    @Test
    void shouldBeReadableByKafka() throws Exception {
        // given
        Path partition = writeLog();

        // when
        String output = dump(files(partition, ".log"), files(partition, ".index"), files(partition, ".timeindex"));

        // then
        assertThat(output)
                .contains("payload: value " + (RECORDS - 1))
                .contains("passed sanity check")
                .contains("producerId: 7 producerEpoch: 1")
                .doesNotContain("isvalid: false")
                .doesNotContainIgnoringCase("mismatch")
                .doesNotContain("non-consecutive")
                .doesNotContainIgnoringCase("out of order")
                .doesNotContain("not found")
                .doesNotContain("Exception");
        assertThat(output.lines().filter(line -> line.contains("payload: "))).hasSize(RECORDS);
        assertThat(output.lines().filter(line -> line.startsWith("offset: ") && line.contains("position: ")))
                .hasSizeGreaterThan(50);
        assertThat(output.lines().filter(line -> line.startsWith("timestamp: ")))
                .hasSizeGreaterThan(20);
        assertThat(output.lines().filter(line -> line.contains(".timeindex passed sanity check")))
                .hasSameSizeAs(files(partition, ".timeindex").split(","));
    }

    /** DESIGN section 3: time goes back and forth; a truncated segment is sealed again, an active one closed. */
    // Fails if: SegmentIndexes.truncateTo leaves out times.truncateTo(offset)
    @Test
    void shouldFindNothingWrongWithTimeIndexesAfterTruncations() throws Exception {
        // given
        LogConfig config = LogConfig.DEFAULTS.withSegmentBytes(6_000).withIndex(200, 1 << 20);
        LogDirectories directories = load(config);
        Log log = directories.open(LogRig.PARTITION, LogRig.TOPIC_ID, config);
        log.becomeLeader(3);
        for (int round = 0; round < 4; round++) {
            long end = log.end().offset();
            for (int i = 0; i < 150; i++) {
                long timestampMs = 1_700_000_000_000L + (end + i) * 10 + (i % 3 == 0 ? -5_000 : 0);
                assertThat(log.appendAsLeader(Batches.timed(timestampMs, timestampMs - 7), 3))
                        .isInstanceOf(AppendResult.Appended.class);
            }
            log.truncateTo(log.end().offset() - 85 - round);
        }
        directories.closeCleanly();
        Path partition = directory.resolve(LogRig.PARTITION.toString());

        // when
        String output = dump(files(partition, ".log"), files(partition, ".index"), files(partition, ".timeindex"));

        // then
        assertThat(output)
                .doesNotContainIgnoringCase("mismatch")
                .doesNotContainIgnoringCase("out of order")
                .doesNotContain("not found")
                .doesNotContain("Exception");
        assertThat(output.lines().filter(line -> line.startsWith("timestamp: ")))
                .hasSizeGreaterThan(30);
    }

    private LogDirectories load(LogConfig config) {
        return LogDirectories.load(
                new DiskFiles(),
                new ManualScheduler(new ManualClock()),
                LogDirectories.Settings.of(List.of(directory), config),
                Runnable::run,
                LoadProgress.SILENT);
    }

    // Issue 4 (4): after compaction too, with rewritten batches of every codec, emptied ones and tombstones
    // Fails if: BatchCompactor.retain does not update the CRC.
    @Test
    void shouldBeReadableByKafkaAfterCompaction() throws Exception {
        // given
        Path partition = writeCompactedLog();

        // when
        String output = dump(files(partition, ".log"), files(partition, ".index"), files(partition, ".timeindex"));

        // then
        assertThat(output)
                .contains("payload: value " + (RECORDS - 1))
                .contains("deleteHorizonMs: OptionalLong[")
                .contains("passed sanity check")
                .doesNotContain("isvalid: false")
                .doesNotContainIgnoringCase("mismatch")
                .doesNotContainIgnoringCase("out of order")
                .doesNotContain("not found")
                .doesNotContain("Exception");
        assertThat(output.lines().filter(line -> line.contains("payload: value ")))
                .hasSizeBetween(10, RECORDS - 50);
    }

    private Path writeCompactedLog() {
        LogConfig config = CleanerRig.compacted(2_000);
        LogDirectories.Settings settings = LogDirectories.Settings.of(List.of(directory), config);
        ManualScheduler scheduler = new ManualScheduler(new ManualClock(1_700_000_000_000L, 0));
        LogDirectories directories =
                LogDirectories.load(new DiskFiles(), scheduler, settings, Runnable::run, LoadProgress.SILENT);
        ManualEventLoops loops = new ManualEventLoops(scheduler);
        LogCleaner cleaner = new LogCleaner(
                CleanerRig.CLEANER,
                new LogCleaner.World(scheduler.clock(), loops, failure -> {
                    throw failure;
                }),
                directories::cleanerTargets);
        cleaner.start();
        Log log = directories.open(LogRig.PARTITION, LogRig.TOPIC_ID, config);
        log.becomeLeader(0);
        for (int i = 0; i < RECORDS; i += 4) {
            ByteBuffer batch = CleanerRig.batch(
                    Codec.values()[i / 4 % 5],
                    new ProducerStamp(7, (short) 1, i),
                    1_700_000_000_000L + i,
                    "k" + i % 50 + "=value " + i,
                    "k" + i % 20 + "=value " + (i + 1),
                    "gone" + i % 30,
                    "u" + i + "=value " + (i + 3));
            CleanerRig.write(log, batch);
            if (i % 100 == 0) {
                loops.advance(CleanerRig.BACKOFF);
            }
        }
        loops.advance(CleanerRig.BACKOFF);
        assertThat(cleaner.passes()).isGreaterThan(2);
        log.force();
        return directory.resolve(LogRig.PARTITION.toString());
    }

    private Path writeLog() {
        LogConfig config = LogConfig.DEFAULTS.withSegmentBytes(20_000).withIndex(256, 1 << 20);
        Log log = load(config).open(LogRig.PARTITION, LogRig.TOPIC_ID, config);
        log.becomeLeader(3);
        for (int i = 0; i < RECORDS; i += 4) {
            ByteBuffer two = Batches.join(batch(i, Codec.values()[i / 4 % 5]), batch(i + 2, Codec.NONE));
            assertThat(log.appendAsLeader(two, 3)).isInstanceOf(AppendResult.Appended.class);
        }
        log.truncateTo(RECORDS - 40);
        for (int i = RECORDS - 40; i < RECORDS; i += 2) {
            log.appendAsLeader(batch(i, Codec.NONE), 3);
        }
        log.force();
        return directory.resolve(LogRig.PARTITION.toString());
    }

    private static ByteBuffer batch(int first, Codec codec) {
        RecordBatchBuilder builder = new RecordBatchBuilder(codec, 1 << 20, 1 << 20);
        for (int i = first; i < first + 2; i++) {
            ByteBuffer key = ByteBuffer.wrap(("key " + i).getBytes(StandardCharsets.UTF_8));
            ByteBuffer value = ByteBuffer.wrap(("value " + i).getBytes(StandardCharsets.UTF_8));
            builder.tryAppend(1_700_000_000_000L + i, key, value, List.of());
        }
        return builder.build(new ProducerStamp(7, (short) 1, first));
    }

    private static String files(Path partition, String suffix) throws IOException {
        try (Stream<Path> all = Files.list(partition)) {
            return all.map(Path::toString)
                    .filter(name -> name.endsWith(suffix))
                    .sorted()
                    .collect(Collectors.joining(","));
        }
    }

    private String dump(String logs, String indexes, String timeIndexes) throws Exception {
        Path output = directory.resolve("dump.txt");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        KafkaDumpMain.class.getName(),
                        logs,
                        indexes,
                        timeIndexes)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        int status = process.waitFor();
        String text = Files.readString(output);
        assertThat(status).as(text).isZero();
        return text;
    }
}
