package io.tidemark.bench.logs;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.LogRecord;
import io.tidemark.record.RecordBatch;
import io.tidemark.record.RecordBatches;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is compared does the same: the two systems' logs, driven alike, hold the same bytes and give the same answers. */
final class LogTwinsTest {
    private static final int BATCH_BYTES = 4 << 10;
    private static final int BATCHES = 60;
    private static final int SEGMENT_BYTES = 64 << 10;
    private static final int KEYS = 200;

    @TempDir
    private Path directory;

    private Path directoryOf(LogSystem system) throws IOException {
        return Files.createDirectories(directory.resolve(system.key()));
    }

    private MeasuredLog open(LogSystem system, LogShape.Policy policy, LogSystem.Stop stop) throws IOException {
        return system.open(directoryOf(system), new LogShape(SEGMENT_BYTES, policy), stop);
    }

    private static void fill(MeasuredLog log) {
        Batches batches = new Batches(BATCH_BYTES);
        for (int i = 0; i < BATCHES; i++) {
            log.append(batches.keyed(KEYS));
        }
        log.settle();
    }

    private SortedMap<String, ByteBuffer> files(LogSystem system, String suffix) throws IOException {
        SortedMap<String, ByteBuffer> contents = new TreeMap<>();
        try (Stream<Path> all = Files.list(directoryOf(system).resolve("bench-0"))) {
            for (Path file :
                    all.filter(each -> each.toString().endsWith(suffix)).toList()) {
                contents.put(file.getFileName().toString(), ByteBuffer.wrap(Files.readAllBytes(file)));
            }
        }
        return contents;
    }

    @Test
    void shouldWriteTheSameFiles() throws IOException {
        // given
        for (LogSystem system : LogSystem.values()) {
            MeasuredLog log = open(system, LogShape.Policy.DELETE, LogSystem.Stop.CLEAN);
            fill(log);
            log.close();
        }

        // when / then
        assertThat(files(LogSystem.TIDEMARK, ".log")).hasSizeGreaterThan(3).isEqualTo(files(LogSystem.KAFKA, ".log"));
        assertThat(files(LogSystem.TIDEMARK, ".index")).isEqualTo(files(LogSystem.KAFKA, ".index"));
    }

    @Test
    void shouldFindTheSame() throws IOException {
        // given
        try (MeasuredLog kafka = open(LogSystem.KAFKA, LogShape.Policy.DELETE, LogSystem.Stop.CLEAN);
                MeasuredLog ours = open(LogSystem.TIDEMARK, LogShape.Policy.DELETE, LogSystem.Stop.CLEAN)) {
            fill(kafka);
            fill(ours);

            // when / then
            assertThat(ours.endOffset()).isEqualTo(kafka.endOffset());
            int firstSegmentOffsets = 15 * Batches.records(new Batches(BATCH_BYTES).keyed(1));
            for (long offset = 0; offset < firstSegmentOffsets; offset++) {
                assertThat(ours.lookUp(offset)).isEqualTo(kafka.lookUp(offset));
            }
            for (long offset = 0; offset < ours.endOffset(); offset += 7) {
                RecordBatch found = RecordBatch.at(ours.read(offset, BATCH_BYTES), 0);
                assertThat(found.bytes())
                        .isEqualTo(RecordBatch.at(kafka.read(offset, BATCH_BYTES), 0)
                                .bytes());
                assertThat(found.lastOffset()).isGreaterThanOrEqualTo(offset);
            }
        }
    }

    @Test
    void shouldRecoverAndEmptyAndGoOn() throws IOException {
        for (LogSystem system : LogSystem.values()) {
            // given
            MeasuredLog written = open(system, LogShape.Policy.DELETE, LogSystem.Stop.CLEAN);
            fill(written);
            long endOffset = written.endOffset();
            written.abandon();

            // when
            try (MeasuredLog recovered = open(system, LogShape.Policy.DELETE, LogSystem.Stop.UNCLEAN)) {
                // then
                assertThat(recovered.endOffset()).isEqualTo(endOffset);
                recovered.empty();
                assertThat(recovered.endOffset()).isZero();
                fill(recovered);
                assertThat(recovered.endOffset()).isEqualTo(endOffset);
            }
        }
    }

    @Test
    void shouldKeepTheSameRecordsWhenCompacted() throws IOException {
        // given
        for (LogSystem system : LogSystem.values()) {
            MeasuredLog log = open(system, LogShape.Policy.COMPACT, LogSystem.Stop.CLEAN);
            fill(log);

            // when
            log.compact();
            log.settle();
            log.close();
        }

        // then
        List<String> ours = records(LogSystem.TIDEMARK);
        assertThat(ours).hasSizeBetween(KEYS, 1_000).isEqualTo(records(LogSystem.KAFKA));
    }

    private List<String> records(LogSystem system) throws IOException {
        List<String> found = new ArrayList<>();
        for (ByteBuffer bytes : files(system, ".log").values()) {
            for (RecordBatch batch : RecordBatches.of(bytes)) {
                for (LogRecord each : batch.records()) {
                    found.add(each.offset() + " " + StandardCharsets.US_ASCII.decode(each.key()));
                }
            }
        }
        return found;
    }
}
