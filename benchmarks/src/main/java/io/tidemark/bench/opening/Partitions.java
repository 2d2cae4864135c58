package io.tidemark.bench.opening;

import io.tidemark.bench.disk.DiskLogs;
import io.tidemark.bench.logs.Batches;
import io.tidemark.core.config.LogConfig;
import io.tidemark.core.log.AppendResult;
import io.tidemark.core.log.Log;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import io.tidemark.runtime.Clock;
import io.tidemark.runtime.SystemClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Many logs of one directory, all alike: two full segments, and a third with one batch. */
final class Partitions {
    static final int BATCH_BYTES = 16 << 10;

    private static final int SEGMENTS_BEFORE_LAST = 2;
    private static final int EPOCH = 1;
    private static final Duration LOOK_AGAIN = Duration.ofMillis(20);

    private final Clock clock = new SystemClock();
    private final Path directory;
    private final int segmentBytes;
    private final ByteBuffer batch = new Batches(BATCH_BYTES).plain();

    Partitions(Path directory, int segmentBytes) {
        this.directory = directory;
        this.segmentBytes = segmentBytes;
    }

    /** Makes so many, and stops cleanly. */
    void create(int count) {
        try (DiskLogs disk = new DiskLogs(directory, config(), Runnable::run)) {
            for (int number = 0; number < count; number++) {
                Log log = disk.logs()
                        .open(new TopicPartition("open-" + number, 0), new TopicId(1, number + 1L), config());
                log.becomeLeader(EPOCH);
                append(log, batchesWhenCreated());
            }
            disk.closeCleanly();
        }
    }

    /**
     * Appends so many bytes to each, in whole batches, and forces nothing.
     *
     * @return the logs, open: the process is to end as they are
     */
    DiskLogs append(long bytesEach) {
        DiskLogs disk = new DiskLogs(directory, config(), Runnable::run);
        for (Log log : disk.logs().logs()) {
            log.becomeLeader(EPOCH);
            append(log, batchesOf(bytesEach));
        }
        disk.requireSound();
        return disk;
    }

    /**
     * Opens all, and measures that; then brings them back to what they were when they were created, and stops cleanly.
     *
     * @param threads that load logs
     * @param bytesEach what must be there beyond what was created
     * @return nanoseconds
     */
    long open(int threads, int count, long bytesEach) throws IOException {
        ExecutorService loading = Executors.newFixedThreadPool(threads);
        try {
            long startNs = clock.monotonicNs();
            DiskLogs disk = new DiskLogs(directory, config(), loading);
            long tookNs = clock.monotonicNs() - startNs;
            try (disk) {
                requireAll(disk, count, batchesWhenCreated() + batchesOf(bytesEach));
                disk.logs().logs().forEach(log -> log.truncateTo(batchesWhenCreated() * records()));
                awaitUnlinked();
                disk.closeCleanly();
            }
            return tookNs;
        } finally {
            loading.shutdown();
        }
    }

    /** Bytes that {@link #append} really adds to one. */
    long addedBytes(long bytesEach) {
        return batchesOf(bytesEach) * batch.remaining();
    }

    private void append(Log log, long batches) {
        for (long i = 0; i < batches; i++) {
            Batches.asSent(batch);
            if (!(log.appendAsLeader(batch, EPOCH) instanceof AppendResult.Appended)) {
                throw new IllegalStateException("the log refused a batch");
            }
        }
    }

    private void requireAll(DiskLogs disk, int count, long batchesEach) {
        long whole = disk.logs().logs().stream()
                .filter(log -> log.end().offset() == batchesEach * records())
                .count();
        if (whole != count) {
            throw new IllegalStateException("of " + count + " logs " + whole + " are whole");
        }
    }

    /** What truncation has removed is not to be swept by the next start, which is measured. */
    private void awaitUnlinked() throws IOException {
        while (holdsDeleted()) {
            LockSupport.parkNanos(LOOK_AGAIN.toNanos());
        }
    }

    private boolean holdsDeleted() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.anyMatch(file -> file.toString().endsWith(".deleted"));
        } catch (UncheckedIOException vanished) {
            return true;
        }
    }

    private long batchesWhenCreated() {
        return (long) SEGMENTS_BEFORE_LAST * (segmentBytes / batch.remaining()) + 1;
    }

    private long batchesOf(long bytes) {
        return bytes / BATCH_BYTES;
    }

    private int records() {
        return Batches.records(batch);
    }

    private LogConfig config() {
        return LogConfig.DEFAULTS.withSegmentBytes(segmentBytes).withDeleteDelay(Duration.ZERO);
    }
}
