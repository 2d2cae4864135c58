package io.tidemark.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RecordBatchesTest {
    private final ByteBuffer one = Samples.build(Codec.NONE, List.of(Samples.sample(1, "a", "1")));
    private final ByteBuffer two = Samples.build(Codec.NONE, Samples.many(3));

    @Test
    void shouldGiveWholeBatchesInOrderAndStopBeforeATornOne() {
        // given
        ByteBuffer bytes = ByteBuffer.allocate(10 + one.limit() + two.limit() + 70);
        bytes.position(10);
        bytes.put(one.duplicate()).put(two.duplicate()).put(two.slice(0, 70)).position(10);
        // when
        RecordBatches batches = RecordBatches.of(bytes);
        // then
        assertThat(batches).extracting(RecordBatch::recordCount).containsExactly(1, 3);
        assertThat(batches.wholeBytes()).isEqualTo(one.limit() + two.limit());
        assertThat(bytes.position()).isEqualTo(10);
    }

    /** S4: no whole batch is an empty set, not an error, however short the bytes are. */
    @Test
    void shouldBeEmptyWithoutAWholeBatch() {
        // Fails if: RecordBatches takes a torn batch for a whole one
        for (int size = 0; size < two.limit(); size++) {
            RecordBatches batches = RecordBatches.of(two.slice(0, size));
            assertThat(batches).isEmpty();
            assertThat(batches.wholeBytes()).isZero();
            assertThatExceptionOfType(NoSuchElementException.class)
                    .isThrownBy(() -> batches.iterator().next());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 48, Integer.MIN_VALUE, -12, -13})
    void shouldRefuseALengthTooSmallForAHeader(int length) {
        // given
        ByteBuffer bytes = ByteBuffer.allocate(one.limit() + two.limit())
                .put(one.duplicate())
                .put(two.duplicate());
        bytes.flip().putInt(one.limit() + RecordBatch.LENGTH_AT, length);
        Iterator<RecordBatch> batches = RecordBatches.of(bytes).iterator();
        batches.next();
        // then
        assertThat(batches.hasNext()).isTrue();
        assertThatExceptionOfType(InvalidBatchException.class).isThrownBy(batches::next);
        assertThat(batches.hasNext()).isTrue();
        assertThatExceptionOfType(InvalidBatchException.class).isThrownBy(batches::next);
    }

    @Test
    void shouldRefuseABadLengthEvenIfTheRestIsTorn() {
        ByteBuffer zeros = ByteBuffer.allocate(12);
        assertThatExceptionOfType(InvalidBatchException.class)
                .isThrownBy(() -> RecordBatches.of(zeros).wholeBytes());
    }

    @Test
    void shouldTakeALengthBeyondTheBytesForATornBatch() {
        for (int length : new int[] {one.limit() - 11, Integer.MAX_VALUE - 12, Integer.MAX_VALUE}) {
            ByteBuffer bytes =
                    ByteBuffer.allocate(one.limit()).put(one.duplicate()).flip();
            bytes.putInt(RecordBatch.LENGTH_AT, length);
            assertThat(RecordBatches.of(bytes)).isEmpty();
        }
    }

    @Test
    void shouldRefuseAnotherMagic() {
        one.put(RecordBatch.MAGIC_AT, (byte) 1);
        assertThatExceptionOfType(InvalidBatchException.class)
                .isThrownBy(() -> RecordBatches.of(one).iterator().next())
                .withMessageContaining("magic 1");
    }
}
