package io.tidemark.core.log.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.log.Batches;
import io.tidemark.record.InvalidBatchException;
import io.tidemark.record.RecordBatch;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** What is read of a segment before the batch that is wanted, where batches are large. */
final class SegmentReaderLeadTest {
    private static final int BATCH_BYTES = 16 * 1024;
    private static final int BATCHES = 6;

    private final CountedFile file = new CountedFile(batches());

    /** Of one record each, 0 to 5. */
    private static ByteBuffer batches() {
        ByteBuffer batches = ByteBuffer.allocate(BATCHES * BATCH_BYTES);
        for (int i = 0; i < BATCHES; i++) {
            batches.put(Batches.at(i, 0, Batches.ofSize(BATCH_BYTES)));
        }
        return batches.flip();
    }

    private SegmentRead read(long offset, OffsetIndex.Hint hint) throws Exception {
        SegmentRequest request = new SegmentRequest(
                offset,
                Long.MAX_VALUE,
                BATCHES * BATCH_BYTES,
                BATCH_BYTES,
                Integer.MAX_VALUE,
                new SegmentRequest.Checks(0, Long.MAX_VALUE, null, Integer.MAX_VALUE));
        return new SegmentReader(file, 0, request).read(hint);
    }

    private static OffsetIndex.Hint hint(int batch, int next) {
        return new OffsetIndex.Hint(batch, batch * BATCH_BYTES, next * BATCH_BYTES);
    }

    // Fails if: SegmentReader.behindLead locates always with a window as large as the lead
    @Test
    void shouldReadOnlyTheHeaderOfTheBatchInFrontOfTheTarget() throws Exception {
        // when
        SegmentRead read = read(3, hint(2, 3));

        // then
        assertThat(Batches.outline(read.batches())).containsExactly("3-3@0");
        assertThat(read.position()).isEqualTo(3 * BATCH_BYTES);
        assertThat(file.readBytes()).isEqualTo(RecordBatch.HEADER_BYTES + BATCH_BYTES);
    }

    // Fails if: SegmentReader.behindLead takes the batch at the hint for one in front of the target, or looks behind it
    @Test
    void shouldFindTheTargetWhereTheIndexPointsToIt() throws Exception {
        // when
        SegmentRead read = read(2, hint(2, 3));

        // then
        assertThat(Batches.outline(read.batches())).containsExactly("2-2@0");
        assertThat(file.readBytes()).isEqualTo(RecordBatch.HEADER_BYTES + BATCH_BYTES);
    }

    // Fails if: SegmentReader.behindLead takes the next entry's batch for the target without a look at what lies
    // between
    @Test
    void shouldFindTheTargetBetweenTwoEntriesOfTheIndex() throws Exception {
        // given / when: three batches have no entry of their own
        SegmentRead read = read(2, hint(0, 4));

        // then
        assertThat(Batches.outline(read.batches())).containsExactly("2-2@0");
        assertThat(read.position()).isEqualTo(2 * BATCH_BYTES);
    }

    @Test
    void shouldFindTheTargetWhereNoEntryIsBelowIt() throws Exception {
        // when
        SegmentRead read = read(4, OffsetIndex.Hint.START);

        // then
        assertThat(Batches.outline(read.batches())).containsExactly("4-4@0");
    }

    @Test
    void shouldFindNothingBehindTheLastBatch() throws Exception {
        // when
        SegmentRead read = read(BATCHES, hint(BATCHES - 1, BATCHES));

        // then
        assertThat(read.isHere()).isFalse();
    }

    // Fails if: SegmentReader.behindLead does not compare what it finds with what the index promised
    @Test
    void shouldRefuseAnIndexEntryThatPromisesAnotherBatch() {
        // given: the entry says 2, its place holds batch 1
        OffsetIndex.Hint wrong = new OffsetIndex.Hint(2, BATCH_BYTES, 2 * BATCH_BYTES);

        // when / then
        assertThatThrownBy(() -> read(3, wrong)).isInstanceOf(InvalidBatchException.class);
    }
}
