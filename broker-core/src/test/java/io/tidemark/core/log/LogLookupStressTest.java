package io.tidemark.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.io.DiskFiles;
import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.ManualScheduler;
import io.tidemark.record.RecordBatch;
import io.tidemark.record.RecordBatches;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Look-ups by offset and by time over some fifty segments, in eight threads, while another rolls, truncates and deletes
 * (KNOWN_BUGS 39). A batch's timestamp is its offset, so that a wrong answer is seen.
 */
final class LogLookupStressTest {
    private static final int READERS = 8;
    private static final int BATCHES_PER_SEGMENT = 20;
    private static final int SEGMENTS = 50;
    private static final int BATCH_BYTES = Batches.timed(1).remaining();

    /** Fewer descriptors and mappings than segments: they are opened and closed all the time. */
    private static final LogConfig CONFIG = LogConfig.DEFAULTS
            .withSegmentBytes(BATCHES_PER_SEGMENT * BATCH_BYTES)
            .withIndex(2 * BATCH_BYTES, 1 << 20)
            .withDeleteDelay(Duration.ZERO);

    @TempDir
    private Path directory;

    private final ManualScheduler scheduler = new ManualScheduler(new ManualClock());
    private final ExecutorService threads = Executors.newFixedThreadPool(READERS);
    private final AtomicBoolean stop = new AtomicBoolean();
    private LogDirectories directories;
    private Log log;

    @BeforeEach
    void openLog() {
        directories = LogDirectories.load(
                new DiskFiles(),
                scheduler,
                new LogDirectories.Settings(List.of(directory), CONFIG, Duration.ofMinutes(1), 7, 7),
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

    // KAFKA-7442, KAFKA-19390
    // Fails if: OffsetIndex.lookupMapped reads without a lease on the mapping, or unseal cuts the mapped file
    @Test
    void shouldAnswerLookUpsWhileSegmentsComeAndGo() throws Exception {
        stress(10);
    }

    // KAFKA-7442, KAFKA-19390: the same for about a minute
    // Fails if: as above, more seldom
    @Tag("slow")
    @Test
    void shouldAnswerLookUpsForAMinuteWhileSegmentsComeAndGo() throws Exception {
        stress(200);
    }

    private void stress(int rounds) throws Exception {
        // given
        append(SEGMENTS * BATCHES_PER_SEGMENT, 0);
        CountDownLatch answered = new CountDownLatch(READERS);
        List<Future<Integer>> readers = new ArrayList<>();
        for (int i = 0; i < READERS; i++) {
            readers.add(threads.submit(lookUps(i, answered::countDown)));
        }
        answered.await();

        // when
        for (int round = 1; round <= rounds; round++) {
            if (round % 5 == 0) {
                log.truncateFullyAndStartAt(log.end().offset() / 2);
                append(SEGMENTS * BATCHES_PER_SEGMENT, round - 1);
            } else {
                log.truncateTo(log.end().offset() - 9L * BATCHES_PER_SEGMENT - round % BATCHES_PER_SEGMENT);
                append(9 * BATCHES_PER_SEGMENT + round % 7, round - 1);
            }
            log.becomeLeader(round);
            scheduler.advance(Duration.ofMillis(1));
        }
        stop.set(true);

        // then
        for (Future<Integer> reader : readers) {
            assertThat(reader.get()).isPositive();
        }
        assertThat(log.damage()).isEmpty();
    }

    private void append(int batches, int epoch) {
        for (int i = 0; i < batches; i++) {
            AppendResult result = log.appendAsLeader(Batches.timed(log.end().offset()), epoch);
            assertThat(result).isInstanceOf(AppendResult.Appended.class);
        }
    }

    /** @param onFirstAnswer told once */
    private Callable<Integer> lookUps(int seed, Runnable onFirstAnswer) {
        return () -> {
            Random random = new Random(seed);
            int answers = 0;
            while (!stop.get()) {
                long start = log.startOffset();
                long offset = start + random.nextInt((int) Math.max(1, log.end().offset() - start));
                int before = answers;
                answers += lookUpOffset(offset);
                if (before == 0 && answers > 0) {
                    onFirstAnswer.run();
                }
                if (random.nextInt(8) == 0) {
                    lookUpTime(offset);
                }
            }
            return answers;
        };
    }

    private int lookUpOffset(long offset) {
        ReadResult result =
                log.read(new ReadRequest(offset, 3 * BATCH_BYTES, ReadRequest.TO_END, ReadRequest.Minimum.ONE_BATCH));
        if (!(result instanceof ReadResult.Data data)) {
            assertThat(result).isInstanceOf(ReadResult.OutOfRange.class);
            return 0;
        }
        long expected = offset;
        for (RecordBatch batch : RecordBatches.of(data.batches())) {
            assertThat(batch.baseOffset()).isEqualTo(expected);
            assertThat(batch.maxTimestampMs()).isEqualTo(expected);
            expected++;
        }
        assertThat(log.positionOf(offset)).isNotNegative();
        return 1;
    }

    private void lookUpTime(long timestampMs) {
        TimeSearch.Result result = log.search(new TimeSearch(timestampMs, Long.MAX_VALUE, () -> !stop.get()));
        if (result instanceof TimeSearch.Found found) {
            assertThat(found.offset()).isGreaterThanOrEqualTo(timestampMs);
        }
    }
}
