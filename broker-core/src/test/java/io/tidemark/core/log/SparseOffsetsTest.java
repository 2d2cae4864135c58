package io.tidemark.core.log;

import static io.tidemark.core.log.LogRig.copy;
import static io.tidemark.core.log.LogRig.outline;
import static io.tidemark.core.log.LogRig.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.ProducerStamp;
import io.tidemark.record.RecordBatch;
import io.tidemark.record.RecordBatches;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Offsets are logical and may have gaps, between batches, inside them and at their ends. */
final class SparseOffsetsTest {
    private static final int LAST_OFFSET_DELTA_AT = 23;

    private final LogRig rig = new LogRig(LogRig.CONFIG.withIndex(1, 1 << 20).withSegmentBytes(300));

    /** A batch of {@code count} records whose last offsets up to {@code lastOffset} were removed. */
    private static ByteBuffer thinned(long baseOffset, int count, long lastOffset) {
        ByteBuffer batch = Batches.ofCount(count);
        batch.putInt(LAST_OFFSET_DELTA_AT, (int) (lastOffset - baseOffset));
        RecordBatch.at(batch, 0).stamp(ProducerStamp.NONE);
        return Batches.at(baseOffset, 0, batch);
    }

    private Log sparse() {
        Log log = rig.log();
        log.becomeFollower(0);
        copy(log, 0, Batches.at(0, 0, Batches.ofCount(2)));
        copy(log, 0, thinned(5, 3, 20));
        copy(log, 0, Batches.at(21, 0, Batches.ofCount(1)));
        copy(log, 0, thinned(1_000, 1, 1_099));
        copy(log, 0, Batches.at(4_000_000, 0, Batches.ofCount(2)));
        return log;
    }

    @Test
    void shouldGiveEachRecordItsOwnOffsetAndGoOnBehindTheBatch() {
        // given: S3
        // Fails if: RecordBatch.nextOffset() counts records instead of offsets
        Log log = sparse();
        List<Long> offsets = new ArrayList<>();

        // when: batch by batch, of which there are five
        long next = log.startOffset();
        for (int reads = 0; reads < 5; reads++) {
            for (RecordBatch batch : RecordBatches.of(read(log, next, 1).batches())) {
                batch.records().forEach(record -> offsets.add(record.offset()));
                next = batch.nextOffset();
            }
        }

        // then
        assertThat(offsets).containsExactly(0L, 1L, 5L, 6L, 7L, 21L, 1_000L, 4_000_000L, 4_000_001L);
        assertThat(next).isEqualTo(4_000_002);
        assertThat(log.end().offset()).isEqualTo(4_000_002);
    }

    @Test
    void shouldReadAtEveryOffsetDenseAndInGaps() {
        // given: scenario 1
        // Fails if: SegmentReader takes the first batch that begins at or above the target
        Log log = sparse();
        NavigableMap<Long, String> byLastOffset = new TreeMap<>(Map.of(
                1L, "0-1@0", 20L, "5-20@0", 21L, "21-21@0", 1_099L, "1000-1099@0", 4_000_001L, "4000000-4000001@0"));

        // when / then
        for (long offset = 0; offset < 1_200; offset++) {
            assertThat(Batches.outline(read(log, offset, 1).batches()))
                    .as("offset %s", offset)
                    .containsExactly(byLastOffset.ceilingEntry(offset).getValue());
        }
        rig.crash();
        assertThat(outline(rig.log())).containsExactlyElementsOf(byLastOffset.values());
    }
}
