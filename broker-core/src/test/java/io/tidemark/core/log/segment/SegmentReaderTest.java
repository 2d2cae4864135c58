package io.tidemark.core.log.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.io.FileHandle;
import io.tidemark.core.log.Batches;
import io.tidemark.record.InvalidBatchException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

final class SegmentReaderTest {
    private static final int AVAILABLE_BYTES = 400;
    private static final int BEFORE_BYTES = 150;
    private static final int AFTER_BYTES = 300;

    /** A file that has other content from the third read on. */
    private static FileHandle changing(ByteBuffer before, ByteBuffer after) {
        return new CountedFile(read -> read < 3 ? before : after);
    }

    /** Nothing is known of epochs, and no offset is missing. */
    private static final class Gapless implements BatchExpectation {
        @Override
        public int epochAt(long lastOffset) {
            return UNKNOWN_EPOCH;
        }

        @Override
        public boolean isGapless() {
            return true;
        }
    }

    private static ByteBuffer beginningWith(int sizeBytes) {
        ByteBuffer batch = Batches.at(0, 0, Batches.ofSize(sizeBytes));
        return ByteBuffer.allocate(AVAILABLE_BYTES).put(batch).clear();
    }

    private static SegmentRead read(FileHandle file) throws Exception {
        SegmentRequest request = new SegmentRequest(
                0,
                Long.MAX_VALUE,
                AVAILABLE_BYTES,
                1,
                Integer.MAX_VALUE,
                new SegmentRequest.Checks(0, Long.MAX_VALUE, new Gapless(), 1 << 20));
        return new SegmentReader(file, 0, request).read(OffsetIndex.Hint.START);
    }

    @Test
    void shouldReadABatchAboveTheLimitAlone() throws Exception {
        // given
        FileHandle file = changing(beginningWith(BEFORE_BYTES), beginningWith(BEFORE_BYTES));

        // when
        SegmentRead read = read(file);

        // then
        assertThat(Batches.outline(read.batches())).containsExactly("0-0@0");
    }

    // Fails if: SegmentReader.firstBatchAlone does not compare the size of what it read with the size that it had read
    // before
    @Test
    void shouldRefuseABatchThatALargerOneHasReplacedMeanwhile() {
        // given: a truncation and new appends between the look at the header and the read of the batch
        FileHandle file = changing(beginningWith(BEFORE_BYTES), beginningWith(AFTER_BYTES));

        // when / then: no bytes are taken for those of the larger one
        assertThatThrownBy(() -> read(file)).isInstanceOf(InvalidBatchException.class);
    }
}
