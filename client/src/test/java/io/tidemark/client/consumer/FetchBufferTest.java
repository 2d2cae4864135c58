package io.tidemark.client.consumer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.model.TopicPartition;
import io.tidemark.record.Codec;
import io.tidemark.record.InvalidBatchException;
import io.tidemark.record.ProducerStamp;
import io.tidemark.record.RecordBatch;
import io.tidemark.record.RecordBatchBuilder;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FetchBufferTest {
    private static final TopicPartition FIRST = new TopicPartition("orders", 0);
    private static final TopicPartition SECOND = new TopicPartition("orders", 1);

    private final FetchBuffer buffer = new FetchBuffer();

    private static ByteBuffer batch(long baseOffset, int records, int epoch) {
        RecordBatchBuilder builder = new RecordBatchBuilder(Codec.NONE, 16 << 10, 1 << 20);
        for (int i = 0; i < records; i++) {
            builder.tryAppend(1, null, ByteBuffer.wrap("value".getBytes(UTF_8)), List.of());
        }
        ByteBuffer bytes = builder.build(ProducerStamp.NONE);
        RecordBatch.at(bytes, 0).assign(baseOffset, epoch);
        return bytes;
    }

    private static FetchBuffer.Fetched answer(ByteBuffer batches) {
        return new FetchBuffer.Fetched(batches, 1_000);
    }

    private static ByteBuffer together(ByteBuffer... parts) {
        ByteBuffer all = ByteBuffer.allocate(4_096);
        for (ByteBuffer part : parts) {
            all.put(part);
        }
        return all.flip();
    }

    /** A header that is in order, and records that are not. */
    private static ByteBuffer undecodable(long baseOffset) {
        ByteBuffer bytes = batch(baseOffset, 2, 1);
        for (int i = RecordBatch.HEADER_BYTES; i < bytes.limit(); i++) {
            bytes.put(i, (byte) 0x81);
        }
        return bytes;
    }

    private long version(TopicPartition partition) {
        FetchBuffer.Position position = buffer.wanted().get(partition);
        assertThat(position).isNotNull();
        return position.version();
    }

    private static List<Long> offsets(List<ConsumerRecord> records) {
        return records.stream().map(ConsumerRecord::offset).toList();
    }

    @Test
    void shouldDropRecordsBelowThePositionInsideABatch() {
        // given
        // S20
        // Fails if: FetchBuffer gives a batch's records from the first on
        buffer.seek(FIRST, 12);

        // when
        buffer.fetched(FIRST, version(FIRST), answer(batch(10, 5, 3)));

        // then
        assertThat(offsets(buffer.poll(100))).containsExactly(12L, 13L, 14L);
    }

    @Test
    void shouldFetchBehindWhatIsBufferedOnceThatIsPolled() {
        // given
        buffer.seek(FIRST, 0);
        buffer.fetched(FIRST, version(FIRST), answer(together(batch(0, 2, 3), batch(2, 2, 4))));
        assertThat(buffer.wanted()).isEmpty();

        // when
        List<ConsumerRecord> polled = buffer.poll(100);

        // then
        assertThat(offsets(polled)).containsExactly(0L, 1L, 2L, 3L);
        assertThat(polled).extracting(ConsumerRecord::leaderEpoch).containsExactly(3, 3, 4, 4);
        FetchBuffer.Position next = buffer.wanted().get(FIRST);
        assertThat(next).isNotNull();
        assertThat(next.fetchOffset()).isEqualTo(4);
        assertThat(next.lastEpoch()).isEqualTo(4);
    }

    @Test
    void shouldGiveNoMoreThanAskedAndGoOnThere() {
        // given
        buffer.seek(FIRST, 0);
        buffer.fetched(FIRST, version(FIRST), answer(together(batch(0, 2, 1), batch(2, 2, 1))));

        // then
        assertThat(offsets(buffer.poll(3))).containsExactly(0L, 1L, 2L);
        assertThat(offsets(buffer.poll(3))).containsExactly(3L);
        assertThat(buffer.isEmpty()).isTrue();
    }

    @Test
    void shouldVoidWhatIsBufferedAndUnderWayWhenItSeeks() {
        // given
        buffer.seek(FIRST, 0);
        long before = version(FIRST);
        buffer.fetched(FIRST, before, answer(batch(0, 3, 1)));

        // when
        buffer.seek(FIRST, 7);
        buffer.fetched(FIRST, before, answer(batch(3, 3, 1)));

        // then
        assertThat(buffer.isCurrent(FIRST, before)).isFalse();
        assertThat(buffer.poll(100)).isEmpty();
        buffer.fetched(FIRST, version(FIRST), answer(batch(7, 1, 2)));
        assertThat(offsets(buffer.poll(100))).containsExactly(7L);
    }

    @Test
    void shouldForgetPartitionsThatAreNotAssignedAnyMore() {
        // given
        buffer.seek(FIRST, 0);
        buffer.seek(SECOND, 0);
        long version = version(FIRST);
        buffer.fetched(FIRST, version, answer(batch(0, 1, 1)));

        // when
        buffer.retain(List.of(SECOND));

        // then
        assertThat(buffer.poll(100)).isEmpty();
        assertThat(buffer.wanted()).containsOnlyKeys(SECOND);
        assertThat(buffer.isCurrent(FIRST, version)).isFalse();
    }

    @Test
    void shouldPollPartitionsInTheOrderOfTheirAnswers() {
        // given
        buffer.seek(FIRST, 0);
        buffer.seek(SECOND, 0);
        buffer.fetched(SECOND, version(SECOND), answer(batch(0, 1, 1)));
        buffer.fetched(FIRST, version(FIRST), answer(batch(0, 1, 1)));

        // then
        assertThat(buffer.poll(100)).extracting(ConsumerRecord::partition).containsExactly(SECOND, FIRST);
    }

    @Test
    void shouldTakeNoRecordAndNoEpochFromAnOldLeadersLateAnswer() {
        // given two answers for one position, the new leader's first
        buffer.seek(FIRST, 0);
        long version = version(FIRST);
        buffer.fetched(FIRST, version, answer(batch(0, 4, 2)));

        // when
        buffer.fetched(FIRST, version, answer(batch(0, 3, 1)));

        // then
        assertThat(offsets(buffer.poll(100))).containsExactly(0L, 1L, 2L, 3L);
        FetchBuffer.Position next = buffer.wanted().get(FIRST);
        assertThat(next).isNotNull();
        assertThat(next.fetchOffset()).isEqualTo(4);
        assertThat(next.lastEpoch()).isEqualTo(2);
    }

    @Test
    void shouldStayWhereItIsWhenAnAnswerIsMalformed() {
        // given
        buffer.seek(FIRST, 0);
        ByteBuffer malformed = batch(2, 2, 1);
        malformed.put(16, (byte) 9);

        // when
        assertThatThrownBy(() -> buffer.fetched(FIRST, version(FIRST), answer(together(batch(0, 2, 1), malformed))))
                .isInstanceOf(InvalidBatchException.class);

        // then nothing before the bad batch is skipped either
        FetchBuffer.Position next = buffer.wanted().get(FIRST);
        assertThat(next).isNotNull();
        assertThat(next.fetchOffset()).isZero();
    }

    @Test
    void shouldGiveWhatIsBeforeABatchThatDoesNotDecodeAndSkipNothing() {
        // given
        buffer.seek(FIRST, 0);
        buffer.fetched(FIRST, version(FIRST), answer(together(batch(0, 2, 1), undecodable(2), batch(4, 2, 1))));

        // then
        assertThat(offsets(buffer.poll(100))).containsExactly(0L, 1L);
        assertThatThrownBy(() -> buffer.poll(100)).isInstanceOf(InvalidBatchException.class);
        assertThatThrownBy(() -> buffer.poll(100)).isInstanceOf(InvalidBatchException.class);
        buffer.seek(FIRST, 4);
        buffer.fetched(FIRST, version(FIRST), answer(batch(4, 2, 1)));
        assertThat(offsets(buffer.poll(100))).containsExactly(4L, 5L);
    }

    @Test
    void shouldRefuseABatchWhoseBytesWereDamagedOnTheWay() {
        // given a flipped bit in the last byte, which still decodes
        buffer.seek(FIRST, 0);
        ByteBuffer damaged = batch(0, 2, 1);
        int last = damaged.limit() - 2;
        damaged.put(last, (byte) (damaged.get(last) ^ 1));
        buffer.fetched(FIRST, version(FIRST), answer(damaged));

        // then
        assertThatThrownBy(() -> buffer.poll(100))
                .isInstanceOf(InvalidBatchException.class)
                .hasMessageContaining("CRC");
    }

    /** It is out of range, which only the leader can say. */
    @Test
    void shouldWantTheLargestOffsetThereIs() {
        // when
        buffer.seek(FIRST, Long.MAX_VALUE);

        // then
        assertThat(buffer.wanted()).containsKey(FIRST);
        assertThat(buffer.isAtEnd()).isFalse();
    }
}
