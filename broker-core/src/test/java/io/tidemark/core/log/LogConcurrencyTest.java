package io.tidemark.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.io.DiskFiles;
import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.ManualScheduler;
import io.tidemark.record.RecordBatch;
import io.tidemark.record.RecordBatches;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Readers without a lock beside a writer, on a real disk. */
final class LogConcurrencyTest {
    private static final LogConfig CONFIG =
            LogConfig.DEFAULTS.withSegmentBytes(8_000).withIndex(100, 1 << 20).withDeleteDelay(Duration.ZERO);

    private static final long RETENTION_MS = 60_000;

    @TempDir
    private Path directory;

    private final ManualScheduler scheduler = new ManualScheduler(new ManualClock());
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicBoolean stop = new AtomicBoolean();
    private LogDirectories directories;
    private Log log;

    @BeforeEach
    void openLog() {
        directories = LogDirectories.load(
                new DiskFiles(),
                scheduler,
                new LogDirectories.Settings(List.of(directory), CONFIG, Duration.ofMinutes(1), 3, 3),
                Runnable::run,
                LoadProgress.SILENT);
        log = directories.open(LogRig.PARTITION, LogRig.TOPIC_ID, CONFIG);
        log.becomeLeader(0);
    }

    @AfterEach
    void close() {
        stop.set(true);
        threads.shutdownNow();
        directories.closeCleanly();
    }

    @Test
    void shouldShowATailingReaderEveryOffsetOnceAndNothingBeyondTheEnd() throws Exception {
        // given: KAFKA-2477
        // Fails if: LogReader answers OutOfRange at the log's end (`>` made `>=`)
        int records = 30_000;
        Future<Long> reader = threads.submit(() -> {
            long next = 0;
            while (next < records) {
                long endBefore = log.end().offset();
                ReadResult result =
                        log.read(new ReadRequest(next, 2_000, ReadRequest.TO_END, ReadRequest.Minimum.ONE_BATCH));
                ReadResult.Data data = (ReadResult.Data) result;
                assertThat(data.end().offset()).isGreaterThanOrEqualTo(endBefore);
                for (RecordBatch batch : RecordBatches.of(data.batches())) {
                    assertThat(batch.baseOffset()).isEqualTo(next);
                    assertThat(batch.lastOffset()).isLessThan(data.end().offset());
                    next = batch.nextOffset();
                }
            }
            return next;
        });

        // when
        ByteBuffer batch = Batches.of("v");
        for (int i = 0; i < records; i++) {
            log.appendAsLeader(batch, 0);
        }

        // then
        assertThat(reader.get()).isEqualTo(records);
    }

    @Test
    void shouldSurviveTruncationsAndRollsUnderReaders() throws Exception {
        // given: KAFKA-7442, S44; batches know their offset, so that a mixture of two lives of a file is seen
        appendNamed(1, 0);
        CountDownLatch reading = new CountDownLatch(4);
        List<Future<Integer>> readers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int seed = i;
            readers.add(threads.submit(readUntilStopped(seed, reading::countDown)));
        }
        reading.await();

        // when
        int epoch = 0;
        for (int round = 0; round < 150; round++) {
            for (int i = 0; i < 40; i++) {
                log.appendAsLeader(Batches.of("v" + log.end().offset()), epoch);
            }
            long end = log.end().offset();
            if (round % 10 == 9) {
                log.truncateFullyAndStartAt(end / 3);
            } else {
                log.truncateTo(log.startOffset() + (end - log.startOffset()) / 4 * 3);
            }
            epoch++;
            log.becomeLeader(epoch);
            scheduler.advance(Duration.ofMillis(1));
        }
        stop.set(true);

        // then
        for (Future<Integer> reader : readers) {
            assertThat(reader.get()).isPositive();
        }
    }

    /** @param onFirstRead told once, when it has found something */
    private Callable<Integer> readUntilStopped(int seed, Runnable onFirstRead) {
        return () -> {
            int found = 0;
            long step = seed;
            while (!stop.get()) {
                long start = log.startOffset();
                long span = Math.max(1, log.end().offset() - start);
                step = step * 31 + 7;
                long offset = start + Math.floorMod(step, span);
                ReadResult result =
                        log.read(new ReadRequest(offset, 3_000, ReadRequest.TO_END, ReadRequest.Minimum.ONE_BATCH));
                log.positionOf(offset);
                if (seed == 0) {
                    // KAFKA-7442, by time. Fails if: EntryFile.retire does nothing, or its unseal keeps the mapping
                    log.search(new TimeSearch(Math.floorMod(step, 2_000), Long.MAX_VALUE, () -> !stop.get()));
                }
                if (result instanceof ReadResult.Data data) {
                    boolean isFirst = found == 0;
                    found += verify(data.batches());
                    if (isFirst && found > 0) {
                        onFirstRead.run();
                    }
                }
            }
            return found;
        };
    }

    private static int verify(ByteBuffer batches) {
        int count = 0;
        for (RecordBatch batch : RecordBatches.of(batches)) {
            assertThat(batch.isCrcValid()).isTrue();
            assertThat(Batches.values(batch.bytes())).containsExactly("v" + batch.baseOffset());
            count++;
        }
        return count;
    }

    /**
     * S48. Fails if: LogHead.removeBelow takes the active segment, or goes by a view from before a truncation: there would be
     * no segment, or a log that begins above its start.
     */
    @Test
    void shouldAlwaysHaveASegmentHoweverRetentionAndTruncationRace() throws Exception {
        // given
        log.reconfigure(CONFIG.withSegmentBytes(500).with(CONFIG.retention().withLimits(RETENTION_MS, 900)));
        AtomicIntegerArray removed = new AtomicIntegerArray(2);
        List<Future<?>> retentions = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            // Of the records' time nothing is old, or everything is.
            int self = i;
            long nowMs = i == 0 ? 1_000 : 1_000 + 2 * RETENTION_MS;
            retentions.add(threads.submit(() -> {
                while (!stop.get()) {
                    RetentionResult result = log.applyRetention(nowMs);
                    removed.addAndGet(
                            self, result.bySize().segments() + result.byTime().segments());
                }
            }));
        }
        Future<Integer> reader = threads.submit(readUntilStopped(5, () -> {}));

        // when: also on a busy machine until both had something to remove
        int epoch = 0;
        for (int round = 0; round < 60 || (isOneWithout(removed) && noneHasEnded(retentions)); round++) {
            appendNamed(30, epoch);
            log.committedBound(log.end().offset());
            appendNamed(10, epoch);
            long end = log.end().offset();
            if (round % 5 == 4) {
                log.truncateFullyAndStartAt(end - 20);
            } else {
                log.truncateTo(end - 15);
            }
            assertThat(log.startOffset()).isLessThanOrEqualTo(log.end().offset());
            assertThat(log.end().offset()).isLessThanOrEqualTo(end);
            epoch++;
            log.becomeLeader(epoch);
            scheduler.advance(Duration.ofMillis(1));
        }
        stop.set(true);

        // then
        for (Future<?> retention : retentions) {
            retention.get();
        }
        assertThat(isOneWithout(removed)).isFalse();
        reader.get();
        appendNamed(1, epoch);
        assertThat(LogRig.read(log, log.end().offset() - 1).batches().hasRemaining())
                .isTrue();
    }

    private static boolean isOneWithout(AtomicIntegerArray removed) {
        return removed.get(0) == 0 || removed.get(1) == 0;
    }

    private static boolean noneHasEnded(List<Future<?>> tasks) {
        return tasks.stream().noneMatch(Future::isDone);
    }

    private void appendNamed(int count, int epoch) {
        for (int i = 0; i < count; i++) {
            log.appendAsLeader(Batches.of("v" + log.end().offset()), epoch);
        }
    }

    @Test
    void shouldForceBesideAppends() throws Exception {
        // given
        AtomicLong forced = new AtomicLong();
        Future<?> forcer = threads.submit(() -> {
            while (!stop.get()) {
                long before = log.end().offset();
                forced.set(log.force().offset());
                assertThat(forced.get()).isGreaterThanOrEqualTo(before);
                assertThat(log.forcedEnd().offset())
                        .isLessThanOrEqualTo(log.end().offset());
            }
        });

        // when: also on a busy machine until something was forced meanwhile
        for (int i = 0; i < 3_000 || (forced.get() == 0 && !forcer.isDone()); i++) {
            log.appendAsLeader(Batches.of("v"), 0);
        }
        stop.set(true);

        // then
        forcer.get();
        assertThat(forced.get()).isPositive();
        assertThat(log.force()).isEqualTo(log.end());
    }
}
