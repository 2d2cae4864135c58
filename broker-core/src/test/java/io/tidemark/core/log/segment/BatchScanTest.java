package io.tidemark.core.log.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Codec;
import io.tidemark.record.ProducerStamp;
import io.tidemark.record.RecordBatch;
import io.tidemark.record.RecordBatchBuilder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class BatchScanTest {
    private static final int WINDOW_BYTES = 1_000;
    private static final int BATCHES = 200;

    /** Batches of one record each, at offsets 0, 1 and so on. */
    private static CountedFile file(int valueBytes) {
        ByteBuffer content = ByteBuffer.allocate(BATCHES * (valueBytes + 200));
        for (int i = 0; i < BATCHES; i++) {
            RecordBatchBuilder builder = new RecordBatchBuilder(Codec.NONE, 1 << 20, 1 << 20);
            builder.tryAppend(1_700_000_000_000L + i, null, ByteBuffer.wrap(new byte[valueBytes]), List.of());
            ByteBuffer batch = builder.build(ProducerStamp.NONE);
            RecordBatch.at(batch, batch.position()).assign(i, 1);
            content.put(batch);
        }
        return new CountedFile(content.flip());
    }

    private static BatchScan scan(CountedFile file) {
        return new BatchScan(file, 0, file.sizeBytes(), WINDOW_BYTES);
    }

    // Fails if: BatchScan.isCrcValid fills the window from the batch's start again to keep its header.
    @Test
    void shouldReadEachByteOnceWhileItChecks() throws IOException {
        for (int valueBytes : new int[] {0, 100, 150, 700, 5_000}) {
            // given
            CountedFile file = file(valueBytes);
            BatchScan scan = scan(file);
            List<Long> offsets = new ArrayList<>();

            // when
            while (scan.next()) {
                RecordBatch header = scan.header();
                assertThat(scan.isCrcValid()).isTrue();
                assertThat(header.baseOffset()).isEqualTo(scan.lastOffset());
                offsets.add(scan.header().baseOffset());
            }

            // then
            assertThat(scan.fault()).isNull();
            assertThat(offsets).hasSize(BATCHES).isSorted();
            // Of each window, what is left of it when a header does not fit is read again, and no more.
            long windows = file.sizeBytes() / (WINDOW_BYTES - RecordBatch.HEADER_BYTES) + 1;
            assertThat(file.readBytes()).isLessThanOrEqualTo(file.sizeBytes() + windows * RecordBatch.HEADER_BYTES);
        }
    }

    @Test
    void shouldFindAWrongByteWhereverItIs() throws IOException {
        for (int valueBytes : new int[] {100, 5_000}) {
            CountedFile file = file(valueBytes);
            int batchBytes = file.sizeBytes() / BATCHES;
            for (int at = 21; at < batchBytes; at += 97) {
                // given
                int wrong = 3 * batchBytes + at;
                file.flip(wrong, 4);
                BatchScan scan = scan(file);
                List<Long> bad = new ArrayList<>();

                // when
                while (scan.next()) {
                    if (!scan.isCrcValid()) {
                        bad.add(scan.header().baseOffset());
                    }
                }

                // then
                assertThat(bad).startsWith(3L);
                file.flip(wrong, 4);
            }
        }
    }
}
