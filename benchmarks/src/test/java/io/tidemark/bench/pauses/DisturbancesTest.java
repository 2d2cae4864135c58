package io.tidemark.bench.pauses;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.bench.disk.DiskLogs;
import io.tidemark.bench.logs.Batches;
import io.tidemark.core.config.CleanupPolicy;
import io.tidemark.core.config.LogConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is measured beside the appends really happens. */
final class DisturbancesTest {
    private static final int BATCH_BYTES = 4 << 10;
    private static final int SEGMENT_BYTES = 64 << 10;
    private static final long BYTES = 1 << 20;

    private final LogConfig config = LogConfig.DEFAULTS.withSegmentBytes(SEGMENT_BYTES);
    private final List<ByteBuffer> batches = batches();

    @TempDir
    private Path directory;

    private static List<ByteBuffer> batches() {
        Batches source = new Batches(BATCH_BYTES);
        return IntStream.range(0, 32).mapToObj(each -> source.keyed(100)).toList();
    }

    @Test
    void shouldDeleteAllButTheActiveSegment() throws IOException {
        try (DiskLogs disk = new DiskLogs(directory, config, Runnable::run)) {
            // given
            AppendedLog log = new AppendedLog(disk.logs(), 1, config, batches);
            Deletion deletion = new Deletion(log, config, BYTES, disk.clock());

            for (int round = 0; round < 2; round++) {
                deletion.prepare();
                assertThat(log.log().sizeBytes()).isGreaterThanOrEqualTo(BYTES);

                // when
                deletion.run();

                // then
                assertThat(log.log().sizeBytes()).isLessThanOrEqualTo(SEGMENT_BYTES);
            }
            disk.requireSound();
        }
    }

    @Test
    void shouldCleanWhatWasAppended() {
        LogConfig compacted = config.with(config.compaction().withPolicy(CleanupPolicy.COMPACT));
        try (DiskLogs disk = new DiskLogs(directory, compacted, Runnable::run)) {
            // given
            AppendedLog log = new AppendedLog(disk.logs(), 2, compacted, batches);
            Cleaning cleaning = new Cleaning(log, disk, BYTES);

            for (int round = 0; round < 2; round++) {
                cleaning.prepare();
                assertThat(log.log().sizeBytes()).isGreaterThanOrEqualTo(BYTES);

                // when
                cleaning.run();

                // then
                assertThat(log.log().sizeBytes()).isLessThan(3 * SEGMENT_BYTES);
            }
            disk.requireSound();
        }
    }
}
