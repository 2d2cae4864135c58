package io.tidemark.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.log.ProducerStates.Verdict;
import io.tidemark.model.ErrorCode;
import io.tidemark.record.ProducerStamp;
import io.tidemark.record.RecordBatch;
import io.tidemark.record.RecordBatches;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class ProducerStatesTest {
    private static final long PRODUCER = 7;

    private final ProducerStates states = new ProducerStates();
    private long end;

    private static ByteBuffer batch(long producerId, int epoch, int sequence, int count) {
        String[] values = new String[count];
        Arrays.fill(values, "v");
        return Batches.of(new ProducerStamp(producerId, (short) epoch, sequence), values);
    }

    private void append(int epoch, int sequence, int count) {
        append(batch(PRODUCER, epoch, sequence, count));
    }

    private void append(ByteBuffer batch) {
        RecordBatch stored = RecordBatch.at(Batches.at(end, 0, batch), 0);
        states.onAppended(stored);
        end = stored.nextOffset();
    }

    private Verdict check(int epoch, int sequence, int count) {
        return states.check(RecordBatches.of(batch(PRODUCER, epoch, sequence, count)));
    }

    private static void assertRefused(Verdict verdict, ErrorCode error) {
        assertThat(verdict)
                .isInstanceOfSatisfying(
                        Verdict.Refused.class,
                        refused -> assertThat(refused.error())
                                .as(refused.message())
                                .isEqualTo(error));
    }

    @Test
    void shouldTakeTheFirstBatchOfAProducerOnlyFromSequenceZero() {
        assertThat(check(0, 0, 3)).isEqualTo(Verdict.Take.ALL);
        assertThat(check(4, 0, 3)).isEqualTo(Verdict.Take.ALL);
        assertRefused(check(0, 3, 3), ErrorCode.UNKNOWN_PRODUCER_ID);
    }

    @Test
    void shouldTakeTheNextSequenceAndNoOther() {
        // given
        append(0, 0, 3);

        // when / then
        assertThat(check(0, 3, 2)).isEqualTo(Verdict.Take.ALL);
        assertRefused(check(0, 4, 2), ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER);
        assertRefused(check(0, 2, 2), ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER);
    }

    @Test
    void shouldRecogniseTheLastFiveBatches() {
        // given
        for (int i = 0; i < 6; i++) {
            append(0, 2 * i, 2);
        }

        // when / then
        assertRefused(check(0, 0, 2), ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER);
        for (int i = 1; i < 6; i++) {
            assertThat(check(0, 2 * i, 2)).isEqualTo(new Verdict.Repeated(2L * i, 2L * i + 1));
        }
        assertRefused(check(0, 10, 1), ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER);
    }

    @Test
    void shouldFenceOlderEpochsAndStartNewOnesAtZero() {
        // given
        append(1, 0, 3);

        // when / then
        assertRefused(check(0, 3, 1), ErrorCode.INVALID_PRODUCER_EPOCH);
        assertRefused(check(2, 3, 1), ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER);
        assertThat(check(2, 0, 3)).isEqualTo(Verdict.Take.ALL);
        append(2, 0, 3);
        assertRefused(check(1, 0, 3), ErrorCode.INVALID_PRODUCER_EPOCH);
        assertThat(check(2, 3, 1)).isEqualTo(Verdict.Take.ALL);
    }

    @Test
    void shouldWrapSequencesToZero() {
        // given: KAFKA-7692 (bug 31)
        append(0, 0, 1);
        ByteBuffer before = batch(PRODUCER, 0, Integer.MAX_VALUE - 11, 1);
        append(before);
        end = 2_000;

        // when
        append(0, Integer.MAX_VALUE - 10, 21);

        // then
        assertThat(check(0, Integer.MAX_VALUE - 10, 21)).isEqualTo(new Verdict.Repeated(2_000, 2_020));
        assertThat(check(0, 10, 1)).isEqualTo(Verdict.Take.ALL);
        assertRefused(check(0, 11, 1), ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER);
    }

    /** KAFKA-7692 (bug 31), from a snapshot. Fails if: the snapshot keeps a sequence in fewer than 32 bits, or none of the last. */
    @Test
    void shouldWrapSequencesToZeroAlsoWhenTheyComeFromASnapshot() {
        // given
        append(0, Integer.MAX_VALUE - 11, 1);
        end = 2_000;
        append(0, Integer.MAX_VALUE - 10, 21);

        // when
        ProducerStates restored = new ProducerStates();
        ProducerSnapshot.decode(new ProducerSnapshot(end, 0, 0, states.all()).encode())
                .orElseThrow()
                .producers()
                .forEach(restored::put);

        // then
        assertThat(restored.all().iterator().next().lastSequence()).isEqualTo(9);
        assertThat(restored.check(RecordBatches.of(batch(PRODUCER, 0, Integer.MAX_VALUE - 10, 21))))
                .isEqualTo(new Verdict.Repeated(2_000, 2_020));
        assertRefused(
                restored.check(RecordBatches.of(batch(PRODUCER, 0, 11, 1))), ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER);
        assertThat(restored.check(RecordBatches.of(batch(PRODUCER, 0, 10, 1)))).isEqualTo(Verdict.Take.ALL);
    }

    /** Fails if: silence does not begin anew with a batch, or an expired producer is known for anything. */
    @Test
    void shouldForgetProducersThatWereSilentForTheLimit() {
        // given
        Duration limit = Duration.ofMillis(1_000);
        append(1, 0, 2);
        append(batch(9, 0, 0, 1));
        assertThat(states.expire(5_000, limit)).isZero();

        // when / then: one writes on
        append(batch(9, 0, 1, 1));
        assertThat(states.expire(5_999, limit)).isZero();
        assertThat(states.expire(6_000, limit)).isEqualTo(1);
        assertRefused(check(1, 2, 1), ErrorCode.UNKNOWN_PRODUCER_ID);
        assertThat(check(0, 0, 1)).isEqualTo(Verdict.Take.ALL);
        assertThat(states.check(RecordBatches.of(batch(9, 0, 2, 1)))).isEqualTo(Verdict.Take.ALL);
        assertThat(states.expire(6_998, limit)).isZero();
        assertThat(states.expire(6_999, limit)).isEqualTo(1);
        assertThat(states.size()).isZero();
    }

    @Test
    void shouldCheckBatchesOfOneAppendAgainstEachOther() {
        // given
        append(0, 0, 2);

        // when / then
        assertThat(states.check(RecordBatches.of(
                        Batches.join(batch(PRODUCER, 0, 2, 2), batch(9, 0, 0, 1), batch(PRODUCER, 0, 4, 1)))))
                .isEqualTo(Verdict.Take.ALL);
        assertRefused(
                states.check(RecordBatches.of(Batches.join(batch(PRODUCER, 0, 2, 2), batch(PRODUCER, 0, 5, 1)))),
                ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER);
        assertRefused(
                states.check(RecordBatches.of(Batches.join(batch(PRODUCER, 0, 0, 2), batch(PRODUCER, 0, 2, 1)))),
                ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER);
    }

    @Test
    void shouldAnswerRepeatedBatchesOfOneAppendTogether() {
        // given
        append(0, 0, 2);
        append(0, 2, 2);

        // when / then
        assertThat(states.check(RecordBatches.of(Batches.join(batch(PRODUCER, 0, 0, 2), batch(PRODUCER, 0, 2, 2)))))
                .isEqualTo(new Verdict.Repeated(0, 3));
    }

    @Test
    void shouldFollowATruncationWhileItsWindowReaches() {
        // given
        append(0, 0, 2);
        append(0, 2, 2);
        append(batch(9, 0, 0, 1));

        // when
        boolean followed = states.truncateTo(2);

        // then
        assertThat(followed).isTrue();
        assertThat(states.size()).isEqualTo(1);
        assertThat(check(0, 0, 2)).isEqualTo(new Verdict.Repeated(0, 1));
        assertThat(check(0, 2, 5)).isEqualTo(Verdict.Take.ALL);
    }

    @Test
    void shouldAskForARebuildWhenATruncationGoesBehindItsWindow() {
        // given
        for (int i = 0; i < 7; i++) {
            append(0, i, 1);
        }

        // when / then
        assertThat(states.truncateTo(3)).isTrue();
        assertThat(states.truncateTo(1)).isFalse();
    }

    @Test
    void shouldForgetTheProducerThatWasSilentLongestBeyondItsLimit() {
        // given
        for (int id = 0; id <= ProducerStates.MAX_PRODUCERS; id++) {
            append(batch(id, 0, 0, 1));
        }

        // when / then
        assertThat(states.size()).isEqualTo(ProducerStates.MAX_PRODUCERS);
        assertRefused(states.check(RecordBatches.of(batch(0, 0, 1, 1))), ErrorCode.UNKNOWN_PRODUCER_ID);
        assertThat(states.check(RecordBatches.of(batch(1, 0, 1, 1)))).isEqualTo(Verdict.Take.ALL);
    }

    @Test
    void shouldComeBackFromASnapshotWithWindowAndOrder() {
        // given
        for (int i = 0; i < 6; i++) {
            append(3, 2 * i, 2);
        }
        append(batch(9, 0, 0, 1));
        byte[] stored = new ProducerSnapshot(end, 5, 77, states.all()).encode();

        // when
        ProducerSnapshot snapshot = ProducerSnapshot.decode(stored).orElseThrow();
        ProducerStates restored = new ProducerStates();
        snapshot.producers().forEach(restored::put);

        // then
        assertThat(snapshot.endOffset()).isEqualTo(end);
        assertThat(snapshot.lastEpoch()).isEqualTo(5);
        assertThat(snapshot.precedingBytes()).isEqualTo(77);
        assertThat(restored.check(RecordBatches.of(batch(PRODUCER, 3, 2, 2)))).isEqualTo(new Verdict.Repeated(2, 3));
        assertThat(restored.check(RecordBatches.of(batch(9, 0, 1, 1)))).isEqualTo(Verdict.Take.ALL);
        assertThat(restored.truncateTo(1)).isFalse();
        assertThat(restored.all().iterator().next().producerId()).isEqualTo(PRODUCER);
    }

    @Test
    void shouldRefuseEveryDamagedSnapshot() {
        // given
        append(3, 0, 2);
        byte[] stored = new ProducerSnapshot(end, 5, 0, states.all()).encode();

        // when / then
        for (int i = 0; i < stored.length; i++) {
            byte[] damaged = stored.clone();
            damaged[i] ^= 1;
            assertThat(ProducerSnapshot.decode(damaged)).as("byte " + i).isEmpty();
            assertThat(ProducerSnapshot.decode(Arrays.copyOf(stored, i)))
                    .as("length " + i)
                    .isEmpty();
        }
        assertThat(ProducerSnapshot.decode(stored)).isPresent();
    }
}
