package io.tidemark.client.producer;

import static io.tidemark.client.producer.Batches.FIRST_IDENTITY;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Codec;
import io.tidemark.record.Header;
import io.tidemark.record.LogRecord;
import io.tidemark.record.RecordBatch;
import io.tidemark.record.RecordBatchBuilder;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class PendingBatchTest {
    @Test
    void shouldTellEachRecordItsOffset() {
        // given
        List<Long> offsets = new ArrayList<>();
        PendingBatch batch = Batches.of(3, 0, (partition, offset, failure) -> offsets.add(offset));

        // when
        batch.succeed(40);

        // then
        assertThat(offsets).containsExactly(40L, 41L, 42L);
    }

    @Test
    void shouldTellNoOffsetWhenNobodyKnowsIt() {
        // given
        List<Long> offsets = new ArrayList<>();
        PendingBatch batch = Batches.of(2, 0, (partition, offset, failure) -> offsets.add(offset));

        // when
        batch.succeed(-1);

        // then
        assertThat(offsets).containsExactly(-1L, -1L);
    }

    @Test
    void shouldAnswerTheOthersWhenACallbackThrows() {
        // given
        List<Long> offsets = new ArrayList<>();
        PendingBatch batch = Batches.of(3, 0, (partition, offset, failure) -> {
            offsets.add(offset);
            throw new IllegalStateException("thrown by the application");
        });

        // when
        batch.succeed(0);

        // then
        assertThat(offsets).containsExactly(0L, 1L, 2L);
    }

    @Test
    void shouldLeaveTheBytesOfAnEarlierAttemptAlone() {
        // given
        PendingBatch batch = Batches.of(2, 0);
        batch.stamp(FIRST_IDENTITY, 5);
        ByteBuffer earlier = batch.attempt();

        // when
        batch.stamp(FIRST_IDENTITY, 3);
        ByteBuffer later = batch.attempt();

        // then
        assertThat(Batches.parsed(earlier).baseSequence()).isEqualTo(5);
        assertThat(Batches.parsed(earlier).isCrcValid()).isTrue();
        assertThat(Batches.parsed(later).baseSequence()).isEqualTo(3);
        assertThat(Batches.parsed(later).isCrcValid()).isTrue();
        assertThat(Batches.parsed(later).recordCount()).isEqualTo(2);
    }

    // Issue 3 (callers share batches); fails if: a half has another record, callback, place or number than its whole.
    @ParameterizedTest
    @EnumSource(Codec.class)
    void shouldHalveWithEverythingThatItsRecordsHave(Codec codec) {
        // given
        List<String> told = new ArrayList<>();
        PendingBatch whole =
                new PendingBatch(Batches.PARTITION, new RecordBatchBuilder(codec, 16 << 10, 1 << 20), 1_001, 77);
        List<LogRecord> sent = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            ByteBuffer key = i % 2 == 0 ? null : Batches.bytes("key-" + i);
            ByteBuffer value = i == 3 ? null : Batches.bytes("value-" + i);
            List<Header> headers =
                    List.of(new Header("number", Batches.bytes(Integer.toString(i))), new Header("none", null));
            whole.builder().tryAppend(1_000 - i, key, value, headers);
            int number = i;
            whole.add((partition, offset, failure) -> told.add(number + "@" + offset));
            sent.add(new LogRecord(i, 1_000 - i, key, value, headers));
        }
        whole.takePlace(40);
        whole.stamp(FIRST_IDENTITY, Integer.MAX_VALUE - 1);
        whole.attempt();

        // when
        List<PendingBatch> halves = whole.halves();

        // then
        PendingBatch first = halves.get(0);
        PendingBatch second = halves.get(1);
        assertThat(List.of(first.recordCount(), second.recordCount())).containsExactly(2, 3);
        assertThat(List.of(first.place(), second.place())).containsExactly(40L, 42L);
        assertThat(List.of(first.baseSequence(), second.baseSequence())).containsExactly(Integer.MAX_VALUE - 1, 0);
        assertThat(first.reservedBytes() + second.reservedBytes()).isEqualTo(1_001);
        assertThat(List.of(first.createdNs(), second.createdNs())).containsOnly(77L);
        assertThat(List.of(first.wasSent(), second.wasSent())).containsOnly(false);
        List<LogRecord> records = new ArrayList<>();
        for (PendingBatch half : halves) {
            RecordBatch parsed = Batches.parsed(half.attempt());
            assertThat(parsed.isCrcValid()).isTrue();
            assertThat(parsed.producerId()).isEqualTo(FIRST_IDENTITY.producerId());
            int before = records.size();
            parsed.records()
                    .forEach(each -> records.add(new LogRecord(
                            before + each.offset(), each.timestampMs(), each.key(), each.value(), each.headers())));
        }
        assertThat(records).isEqualTo(sent);
        first.succeed(10);
        second.succeed(20);
        assertThat(told).containsExactly("0@10", "1@11", "2@20", "3@21", "4@22");
    }

    @Test
    void shouldBeBuiltWithoutAnIdentity() {
        // when
        ByteBuffer bytes = Batches.of(1, 0).attempt();

        // then
        assertThat(Batches.parsed(bytes).hasProducerId()).isFalse();
    }
}
