package io.tidemark.client.producer;

import static io.tidemark.client.producer.Batches.FIRST_IDENTITY;
import static io.tidemark.client.producer.Batches.SECOND_IDENTITY;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.client.producer.PartitionWriter.Policy;
import io.tidemark.client.producer.PartitionWriter.Verdict;
import io.tidemark.model.ErrorCode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The table of {@link PartitionWriter}. */
final class PartitionWriterTest {
    private static final long NOW = 1_000;

    private final PartitionWriter writer = new PartitionWriter(5);

    private PendingBatch send(int records, long createdNs) {
        PendingBatch batch = Batches.of(records, createdNs);
        writer.assign(batch, FIRST_IDENTITY);
        sendAgain(batch);
        return batch;
    }

    private ByteBuffer sendAgain(PendingBatch batch) {
        ByteBuffer bytes = batch.attempt();
        writer.sent(batch);
        return bytes;
    }

    private Verdict answer(PendingBatch batch, ErrorCode error) {
        return writer.answered(batch, error, Policy.IDEMPOTENT);
    }

    private List<PendingBatch> takeAllAgain() {
        List<PendingBatch> taken = new ArrayList<>();
        PendingBatch next = writer.takeAgain();
        while (next != null) {
            taken.add(next);
            next = writer.takeAgain();
        }
        return taken;
    }

    @Test
    void shouldNumberBatchesByTheirRecords() {
        // when
        PendingBatch first = send(3, 1);
        PendingBatch second = send(2, 2);
        PendingBatch third = send(1, 3);

        // then
        assertThat(List.of(first.baseSequence(), second.baseSequence(), third.baseSequence()))
                .containsExactly(0, 3, 5);
        assertThat(third.identity()).isEqualTo(FIRST_IDENTITY);
    }

    @Test
    void shouldHoldBackBeyondTheLimitInFlight() {
        // given
        List<PendingBatch> sent = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            assertThat(writer.maySend(NOW)).isTrue();
            sent.add(send(1, i));
        }
        assertThat(writer.maySend(NOW)).isFalse();

        // when
        Verdict verdict = answer(sent.get(0), ErrorCode.NONE);

        // then
        assertThat(verdict).isEqualTo(Verdict.DONE);
        assertThat(writer.maySend(NOW)).isTrue();
    }

    @Test
    void shouldDrainAndSendAgainInOldOrderWithOldNumbers() {
        // given
        PendingBatch first = send(2, 1);
        PendingBatch second = send(2, 2);
        PendingBatch third = send(2, 3);

        // when
        assertThat(answer(third, ErrorCode.REQUEST_TIMED_OUT)).isEqualTo(Verdict.AGAIN);
        assertThat(writer.settle()).isEmpty();
        assertThat(writer.maySend(NOW)).isFalse();
        assertThat(answer(first, ErrorCode.NOT_LEADER_OR_FOLLOWER)).isEqualTo(Verdict.AGAIN);
        assertThat(answer(second, ErrorCode.NOT_ENOUGH_REPLICAS)).isEqualTo(Verdict.AGAIN);
        assertThat(writer.settle()).isEmpty();

        // then
        assertThat(writer.maySend(NOW)).isTrue();
        assertThat(takeAllAgain()).containsExactly(first, second, third);
        assertThat(List.of(first.baseSequence(), second.baseSequence(), third.baseSequence()))
                .containsExactly(0, 2, 4);
    }

    @Test
    void shouldKeepOrderOfBatchesCreatedAtTheSameTime() {
        // given
        PendingBatch first = send(2, 1);
        PendingBatch second = send(2, 1);

        // when
        answer(second, ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER);
        answer(first, ErrorCode.REQUEST_TIMED_OUT);
        writer.settle();

        // then
        assertThat(takeAllAgain()).containsExactly(first, second);
    }

    @Test
    void shouldTryAgainWhatIsOutOfOrderBehindAnUnresolvedBatch() {
        // given
        PendingBatch first = send(1, 1);
        PendingBatch second = send(1, 2);
        PendingBatch third = send(1, 3);

        // when
        Verdict behindInFlight = answer(second, ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER);
        answer(first, ErrorCode.NOT_ENOUGH_REPLICAS);
        Verdict behindRetried = answer(third, ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER);

        // then
        assertThat(behindInFlight).isEqualTo(Verdict.BEHIND);
        assertThat(behindRetried).isEqualTo(Verdict.BEHIND);
        assertThat(writer.settle()).isEmpty();
        assertThat(takeAllAgain()).containsExactly(first, second, third);
    }

    @ParameterizedTest
    @EnumSource(names = {"OUT_OF_ORDER_SEQUENCE_NUMBER", "INVALID_PRODUCER_EPOCH"})
    void shouldTakeANewIdentityWhenTheSequenceIsLost(ErrorCode error) {
        // given
        PendingBatch first = send(1, 1);
        PendingBatch second = send(1, 2);

        // when
        assertThat(answer(first, error)).isEqualTo(Verdict.FAILED);
        answer(second, ErrorCode.REQUEST_TIMED_OUT);
        List<PendingBatch> doubtful = writer.settle();

        // then
        assertThat(doubtful).containsExactly(second);
        assertThat(writer.isIdle()).isTrue();
        assertThat(writer.needsOtherThan(FIRST_IDENTITY)).isTrue();
        assertThat(writer.needsOtherThan(SECOND_IDENTITY)).isFalse();
        PendingBatch next = Batches.of(1, 3);
        writer.assign(next, SECOND_IDENTITY);
        assertThat(next.baseSequence()).isZero();
        assertThat(next.identity()).isEqualTo(SECOND_IDENTITY);
    }

    @Test
    void shouldCloseTheGapThatADefiniteFailureLeaves() {
        // given
        PendingBatch refused = send(1, 1);
        PendingBatch second = send(2, 2);
        PendingBatch third = send(1, 3);

        // when
        assertThat(answer(refused, ErrorCode.MESSAGE_TOO_LARGE)).isEqualTo(Verdict.FAILED);
        assertThat(answer(second, ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER)).isEqualTo(Verdict.BEHIND);
        assertThat(answer(third, ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER)).isEqualTo(Verdict.BEHIND);
        assertThat(writer.settle()).isEmpty();

        // then
        assertThat(takeAllAgain()).containsExactly(second, third);
        assertThat(second.baseSequence()).isZero();
        assertThat(third.baseSequence()).isEqualTo(2);
        assertThat(send(1, 4).baseSequence()).isEqualTo(3);
    }

    @Test
    void shouldNotRenumberABatchBeforeTheGap() {
        // given
        PendingBatch first = send(2, 1);
        PendingBatch refused = send(1, 2);
        PendingBatch third = send(2, 3);

        // when
        answer(refused, ErrorCode.MESSAGE_TOO_LARGE);
        answer(first, ErrorCode.REQUEST_TIMED_OUT);
        answer(third, ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER);
        writer.settle();

        // then the first, which may be written under its number, keeps it
        assertThat(takeAllAgain()).containsExactly(first, third);
        assertThat(first.baseSequence()).isZero();
        assertThat(third.baseSequence()).isEqualTo(2);
        assertThat(send(1, 4).baseSequence()).isEqualTo(4);
    }

    @Test
    void shouldCloseTheGapFromTheEarliestFailure() {
        // given
        PendingBatch first = send(1, 1);
        PendingBatch second = send(1, 2);
        PendingBatch third = send(2, 3);

        // when
        answer(second, ErrorCode.MESSAGE_TOO_LARGE);
        answer(first, ErrorCode.INVALID_RECORD);
        answer(third, ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER);
        writer.settle();

        // then
        assertThat(takeAllAgain()).containsExactly(third);
        assertThat(third.baseSequence()).isZero();
    }

    @Test
    void shouldNotGiveAwayTheNumberOfABatchThatMayBeWritten() {
        // given a batch whose first attempt may have been written
        PendingBatch first = send(2, 1);
        answer(first, ErrorCode.REQUEST_TIMED_OUT);
        writer.settle();
        sendAgain(takeAllAgain().get(0));
        PendingBatch second = send(2, 2);

        // when its next attempt is refused before the leader looks for duplicates
        Verdict verdict = answer(first, ErrorCode.MESSAGE_TOO_LARGE);
        answer(second, ErrorCode.NOT_ENOUGH_REPLICAS);
        List<PendingBatch> doubtful = writer.settle();

        // then nobody takes its number, or he would be dropped as its repetition
        assertThat(verdict).isEqualTo(Verdict.FAILED);
        assertThat(first.isDoubtful()).isTrue();
        assertThat(doubtful).isEmpty();
        assertThat(writer.needsOtherThan(FIRST_IDENTITY)).isTrue();
        List<PendingBatch> left = takeAllAgain();
        assertThat(left).as("certainly not written").containsExactly(second);
        writer.assign(second, SECOND_IDENTITY);
        assertThat(second.identity()).isEqualTo(SECOND_IDENTITY);
        assertThat(second.baseSequence()).isZero();
    }

    // Issue 3 (callers share batches); fails if: a refused batch of several records fails as a whole.
    @Test
    void shouldSendARefusedBatchAgainInHalvesWithItsNumbers() {
        // given
        PendingBatch refused = send(5, 1);
        PendingBatch second = send(2, 2);

        // when
        assertThat(answer(second, ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER)).isEqualTo(Verdict.BEHIND);
        assertThat(answer(refused, ErrorCode.INVALID_RECORD)).isEqualTo(Verdict.SPLIT);
        assertThat(writer.settle()).isEmpty();

        // then
        assertThat(writer.failures()).isZero();
        List<PendingBatch> again = takeAllAgain();
        assertThat(again).extracting(PendingBatch::recordCount).containsExactly(2, 3, 2);
        assertThat(again).extracting(PendingBatch::baseSequence).containsExactly(0, 2, 5);
        assertThat(again).extracting(PendingBatch::place).containsExactly(0L, 2L, 5L);
        assertThat(again.get(2)).isSameAs(second);
        assertThat(send(1, 3).baseSequence()).isEqualTo(7);
    }

    // Issue 3 (callers share batches); fails if: only what is behind the refused batch closes the gap, and not its
    // other half.
    @Test
    void shouldCloseTheGapOfARecordWithTheOthersOfItsBatch() {
        // given a batch of which the first record is at fault
        PendingBatch refused = send(2, 1);
        PendingBatch second = send(1, 2);
        answer(refused, ErrorCode.INVALID_RECORD);
        answer(second, ErrorCode.UNKNOWN_PRODUCER_ID);
        writer.settle();
        List<PendingBatch> again = takeAllAgain();
        again.forEach(this::sendAgain);

        // when
        assertThat(answer(again.get(0), ErrorCode.INVALID_RECORD)).isEqualTo(Verdict.FAILED);
        assertThat(answer(again.get(1), ErrorCode.UNKNOWN_PRODUCER_ID)).isEqualTo(Verdict.BEHIND);
        assertThat(answer(again.get(2), ErrorCode.UNKNOWN_PRODUCER_ID)).isEqualTo(Verdict.BEHIND);
        assertThat(writer.settle()).isEmpty();

        // then
        List<PendingBatch> left = takeAllAgain();
        assertThat(left).containsExactly(again.get(1), second);
        assertThat(left).extracting(PendingBatch::baseSequence).containsExactly(0, 1);
    }

    // Issue 3 (callers share batches); fails if: a batch that may have been written is split, and so may be written
    // twice.
    @ParameterizedTest
    @EnumSource(Policy.class)
    void shouldNotSplitWhatMayBeWritten(Policy policy) {
        // given
        PendingBatch batch = send(3, 1);
        batch.doubt();

        // then
        assertThat(writer.answered(batch, ErrorCode.INVALID_RECORD, policy)).isEqualTo(Verdict.FAILED);
    }

    // Issue 3 (callers share batches); fails if: a refusal of the request is taken for one of its records.
    @ParameterizedTest
    @EnumSource(names = {"INVALID_REQUEST", "INVALID_TOPIC", "INVALID_REQUIRED_ACKS"})
    void shouldNotSplitForWhatIsNoRecordsFault(ErrorCode error) {
        assertThat(answer(send(3, 1), error)).isEqualTo(Verdict.FAILED);
    }

    // Issue 3; fails if: a topic that was created again, or a producer that a leader has forgotten, costs a batch.
    @Test
    void shouldGoOnUnderANewIdentityWhereTheLeaderHasForgottenTheOld() {
        // given
        answer(send(4, 1), ErrorCode.NONE);
        PendingBatch first = send(2, 2);
        PendingBatch second = send(1, 3);

        // when
        assertThat(answer(first, ErrorCode.UNKNOWN_PRODUCER_ID)).isEqualTo(Verdict.AGAIN);
        assertThat(answer(second, ErrorCode.UNKNOWN_PRODUCER_ID)).isEqualTo(Verdict.BEHIND);
        assertThat(writer.settle()).isEmpty();

        // then
        assertThat(writer.needsOtherThan(FIRST_IDENTITY)).isTrue();
        List<PendingBatch> again = takeAllAgain();
        assertThat(again).containsExactly(first, second);
        again.forEach(batch -> writer.assign(batch, SECOND_IDENTITY));
        assertThat(again).extracting(PendingBatch::identity).containsOnly(SECOND_IDENTITY);
        assertThat(again).extracting(PendingBatch::baseSequence).containsExactly(0, 2);
    }

    @Test
    void shouldTakeANewIdentityWhenDeliveryTimeIsOver() {
        // given
        PendingBatch old = send(1, 10);
        PendingBatch young = send(1, 20);
        answer(old, ErrorCode.REQUEST_TIMED_OUT);
        answer(young, ErrorCode.REQUEST_TIMED_OUT);
        writer.settle();

        // when
        List<PendingBatch> expired = writer.takeExpired(15);
        List<PendingBatch> doubtful = writer.settle();

        // then
        assertThat(expired).containsExactly(old);
        assertThat(doubtful).containsExactly(young);
        assertThat(writer.needsOtherThan(FIRST_IDENTITY)).isTrue();
    }

    // DESIGN 5 (idempotent producers): under an identity that was given up the sequence would begin at 0 again, and the
    // leader take new records for a repetition of the first: acknowledged, and nowhere.
    // Fails if: PartitionWriter.settle() forgets what was given up when it gives up once more
    @Test
    void shouldNotComeBackToAnIdentityThatWasGivenUpTwice() {
        // given one batch that may be written, and one behind it that is not and waits to be sent again
        send(1, 10);
        PendingBatch young = send(1, 20);
        answer(young, ErrorCode.NOT_ENOUGH_REPLICAS);
        writer.takeExpired(15);
        assertThat(writer.settle()).isEmpty();
        assertThat(writer.needsOtherThan(FIRST_IDENTITY)).isTrue();

        // when the time of the other is over, too, before there is another identity
        assertThat(writer.takeExpired(25)).containsExactly(young);
        writer.settle();

        // then
        assertThat(writer.needsOtherThan(FIRST_IDENTITY)).isTrue();
        assertThat(writer.needsOtherThan(SECOND_IDENTITY)).isFalse();
    }

    @Test
    void shouldExpireABatchThatIsUnderWay() {
        // given
        PendingBatch old = send(1, 10);
        PendingBatch young = send(1, 20);

        // when
        List<PendingBatch> expired = writer.takeExpired(15);

        // then
        assertThat(expired).containsExactly(old);
        assertThat(writer.inFlight()).containsExactly(young);
        assertThat(writer.maySend(NOW)).isFalse();
        assertThat(answer(young, ErrorCode.NONE)).isEqualTo(Verdict.DONE);
        assertThat(writer.settle()).isEmpty();
        assertThat(writer.needsOtherThan(FIRST_IDENTITY)).isTrue();
    }

    @Test
    void shouldExpireNothingInTime() {
        // given
        PendingBatch batch = send(1, 10);

        // when
        List<PendingBatch> expired = writer.takeExpired(10);

        // then
        assertThat(expired).isEmpty();
        assertThat(writer.inFlight()).containsExactly(batch);
        assertThat(writer.maySend(NOW)).isTrue();
    }

    @Test
    void shouldWrapSequences() {
        // given a sequence just below its end, reached by a batch that fails there for good
        PendingBatch batch = Batches.of(1, 1);
        batch.stamp(FIRST_IDENTITY, Integer.MAX_VALUE - 1);
        writer.assign(Batches.of(1, 0), FIRST_IDENTITY);
        sendAgain(batch);
        PendingBatch second = send(2, 2);
        PendingBatch third = send(2, 3);
        PendingBatch fourth = send(1, 4);

        // when
        answer(batch, ErrorCode.INVALID_RECORD);
        answer(second, ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER);
        answer(third, ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER);
        answer(fourth, ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER);
        writer.settle();

        // then
        assertThat(takeAllAgain()).containsExactly(second, third, fourth);
        assertThat(List.of(second.baseSequence(), third.baseSequence(), fourth.baseSequence()))
                .containsExactly(Integer.MAX_VALUE - 1, 0, 2);
    }

    @Test
    void shouldCountBatchesThatFailTogetherOnce() {
        // given
        PendingBatch first = send(1, 1);
        PendingBatch second = send(1, 2);

        // when
        answer(first, ErrorCode.REQUEST_TIMED_OUT);
        answer(second, ErrorCode.REQUEST_TIMED_OUT);
        writer.settle();

        // then
        assertThat(writer.failures()).isEqualTo(1);
        sendAgain(takeAllAgain().get(0));
        answer(first, ErrorCode.REQUEST_TIMED_OUT);
        assertThat(writer.failures()).isEqualTo(2);
    }

    @Test
    void shouldRetryWithoutIdempotenceOnlyWhatIsNotWritten() {
        // given
        PendingBatch unknown = Batches.of(1, 1);
        PendingBatch notWritten = Batches.of(1, 2);
        PendingBatch refused = Batches.of(1, 3);
        sendAgain(unknown);
        sendAgain(notWritten);
        sendAgain(refused);

        // then
        assertThat(writer.answered(unknown, ErrorCode.REQUEST_TIMED_OUT, Policy.PLAIN))
                .isEqualTo(Verdict.FAILED);
        assertThat(writer.answered(notWritten, ErrorCode.FENCED_LEADER_EPOCH, Policy.PLAIN))
                .isEqualTo(Verdict.AGAIN);
        assertThat(writer.answered(refused, ErrorCode.MESSAGE_TOO_LARGE, Policy.PLAIN))
                .isEqualTo(Verdict.FAILED);
        assertThat(writer.settle()).isEmpty();
        assertThat(takeAllAgain()).containsExactly(notWritten);
    }

    @Test
    void shouldHandOverEverythingInOrder() {
        // given
        PendingBatch first = send(1, 1);
        PendingBatch second = send(1, 2);
        answer(first, ErrorCode.REQUEST_TIMED_OUT);

        // then
        assertThat(writer.takeAll()).containsExactly(first, second);
        assertThat(writer.isIdle()).isTrue();
    }
}
