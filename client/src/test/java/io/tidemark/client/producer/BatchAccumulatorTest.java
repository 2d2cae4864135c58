package io.tidemark.client.producer;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.client.producer.BatchAccumulator.Appended;
import io.tidemark.model.TopicPartition;
import io.tidemark.record.Codec;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

final class BatchAccumulatorTest {
    private static final TopicPartition FIRST = new TopicPartition("orders", 0);
    private static final TopicPartition SECOND = new TopicPartition("orders", 1);
    private static final long LINGER_NS = 100;
    private static final int BATCH_BYTES = 200;

    private final BatchAccumulator accumulator = new BatchAccumulator(
            Codec.NONE,
            new ProducerConfig.Limits(BATCH_BYTES, 1_000, 2 * BATCH_BYTES, 5),
            LINGER_NS,
            topic -> Integer.MAX_VALUE);

    private Appended append(TopicPartition partition, int valueBytes, long nowNs) {
        return accumulator.append(
                partition,
                new BatchAccumulator.Entry(
                        1, null, ByteBuffer.allocate(valueBytes), List.of(), (where, offset, failure) -> {}),
                nowNs);
    }

    @Test
    void shouldFillABatchAndWakeTheSenderForANewOne() {
        assertThat(append(FIRST, 50, 0)).isEqualTo(Appended.WAKE_SENDER);
        assertThat(append(FIRST, 50, 0)).isEqualTo(Appended.WAITING);
        assertThat(append(FIRST, 50, 0)).isEqualTo(Appended.WAKE_SENDER);
    }

    @Test
    void shouldHoldABatchForItsLinger() {
        // given
        append(FIRST, 10, 1_000);

        // then
        assertThat(accumulator.takeReady(FIRST, 1_099)).isNull();
        assertThat(accumulator.nextReadyInNs(1_060)).isEqualTo(40);
        assertThat(accumulator.takeReady(FIRST, 1_100)).isNotNull();
        assertThat(accumulator.isEmpty()).isTrue();
        assertThat(accumulator.nextReadyInNs(1_100)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldNotLetABatchThatIsOldEnoughHideAYoungerOnesLinger() {
        // given the first cannot be sent, for example because nobody leads its partition
        append(FIRST, 10, 0);
        append(SECOND, 10, 150);

        // then
        assertThat(accumulator.nextReadyInNs(200)).isEqualTo(50);
    }

    @Test
    void shouldGiveAFullBatchAtOnceAndKeepTheOrder() {
        // given
        append(FIRST, 100, 0);
        append(FIRST, 90, 0);

        // when
        PendingBatch older = accumulator.takeReady(FIRST, 0);

        // then
        assertThat(older).isNotNull();
        assertThat(older.builder().sizeBytes()).isGreaterThan(61 + 100);
        assertThat(accumulator.partitions()).containsExactly(FIRST);
    }

    @Test
    void shouldHaveNoRoomUntilABatchIsReleased() {
        // given
        append(FIRST, 10, 0);
        append(SECOND, 10, 0);
        assertThat(accumulator.usedBytes()).isEqualTo(2 * BATCH_BYTES);
        TopicPartition third = new TopicPartition("orders", 2);
        assertThat(append(third, 10, 0)).isEqualTo(Appended.NO_ROOM);

        // when a full buffer makes batches ready, and one is answered
        PendingBatch taken = accumulator.takeReady(FIRST, 0);
        assertThat(taken).isNotNull();
        assertThat(append(third, 10, 0)).isEqualTo(Appended.NO_ROOM);
        accumulator.release(taken);

        // then
        assertThat(append(third, 10, 0)).isEqualTo(Appended.WAKE_SENDER);
        assertThat(accumulator.usedBytes()).isEqualTo(2 * BATCH_BYTES);
    }

    @Test
    void shouldTakeAMoreThanUsualRecordIntoABatchOfItsOwn() {
        // when
        Appended appended = append(FIRST, 300, 0);

        // then
        assertThat(appended).isEqualTo(Appended.WAKE_SENDER);
        assertThat(accumulator.usedBytes()).isGreaterThan(300);
        PendingBatch batch = accumulator.takeReady(FIRST, 0);
        assertThat(batch).isNotNull();
        accumulator.release(batch);
        assertThat(accumulator.usedBytes()).isZero();
    }

    @Test
    void shouldRefuseARecordLargerThanAnyBatchAndKeepNothingOfIt() {
        // when
        Appended appended = append(FIRST, 1_000, 0);

        // then
        assertThat(appended).isEqualTo(Appended.TOO_LARGE);
        assertThat(accumulator.isEmpty()).isTrue();
        assertThat(accumulator.usedBytes()).isZero();
    }

    @Test
    void shouldMakeEverythingReadyWhileFlushing() {
        // given
        append(FIRST, 10, 0);
        assertThat(accumulator.takeReady(FIRST, 0)).isNull();

        // when
        accumulator.flushing(true);
        PendingBatch flushed = accumulator.takeReady(FIRST, 0);
        accumulator.flushing(false);

        // then
        assertThat(flushed).isNotNull();
        accumulator.release(flushed);
        append(FIRST, 10, 0);
        assertThat(accumulator.takeReady(FIRST, 0)).isNull();
    }

    @Test
    void shouldExpireWhatWasNeverTaken() {
        // given
        append(FIRST, 10, 10);
        append(SECOND, 10, 20);

        // when
        List<PendingBatch> expired = accumulator.takeExpired(20);

        // then
        assertThat(expired).hasSize(1);
        assertThat(expired.get(0).partition()).isEqualTo(FIRST);
        assertThat(accumulator.partitions()).containsExactly(SECOND);
    }

    @Test
    void shouldHandOverEverything() {
        // given
        append(FIRST, 10, 10);
        append(SECOND, 10, 20);

        // then
        assertThat(accumulator.takeAll()).hasSize(2);
        assertThat(accumulator.isEmpty()).isTrue();
    }
}
