package io.tidemark.client.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.tidemark.client.TidemarkException;
import io.tidemark.client.consumer.FakeLeaders.Asked;
import io.tidemark.client.consumer.FakeLeaders.Told;
import io.tidemark.client.consumer.RecordStream.Selection.Until;
import io.tidemark.client.net.Wire;
import io.tidemark.client.producer.ManualLoop;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.record.InvalidBatchException;
import io.tidemark.record.LogRecord;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Each record weighs as much as its value. */
final class RecordStreamTest {
    private static final Duration MOMENT = Duration.ofMillis(1);

    private final ManualLoop loop = new ManualLoop();
    private final Told told = new Told();

    private RecordStream open(FakeLeaders brokers, StartAt from, Until until) {
        RecordStream stream = Streams.of(loop, brokers, from, until, RecordStreamTest::weigh, told);
        stream.start();
        loop.advance(MOMENT);
        return stream;
    }

    private static long weigh(LogRecord record) {
        ByteBuffer value = record.value();
        return value == null ? 1 : value.remaining();
    }

    private void answer(FakeLeaders brokers) {
        brokers.answer();
        loop.run();
    }

    @Test
    void shouldFetchNothingWithoutADemand() {
        // given
        FakeLeaders brokers = new FakeLeaders(1);
        brokers.append(0, 10, 100);

        // when
        RecordStream stream = open(brokers, StartAt.Edge.EARLIEST, Until.CLOSED);
        loop.advance(Duration.ofSeconds(60));

        // then
        assertThat(brokers.asked).isEmpty();
        assertThat(stream.heldBytes()).isZero();
    }

    @Test
    void shouldFetchAndPushNoMoreThanTheDemandAndUseItUp() {
        // given
        FakeLeaders brokers = new FakeLeaders(1);
        brokers.append(0, 10, 100);
        RecordStream stream = open(brokers, StartAt.Edge.EARLIEST, Until.CLOSED);

        // when
        stream.demand(350);
        loop.run();
        assertThat(brokers.asked)
                .singleElement()
                .satisfies(fetch -> assertThat(fetch.call().maxBytes()).isEqualTo(350));
        answer(brokers);

        // then
        assertThat(told.offsets(0)).containsExactly(0L, 1L, 2L);
        assertThat(told.slices.get(0).nextOffset()).isEqualTo(3);
        assertThat(told.slices.get(0).highWatermark()).isEqualTo(10);
        assertThat(brokers.asked).isEmpty();

        // when
        stream.demand(10_000);

        // then
        assertThat(told.offsets(0)).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
        assertThat(stream.heldBytes()).isZero();
    }

    @Test
    void shouldHoldNoMoreThanTheDemandOrOneBatch() {
        // given
        FakeLeaders brokers = new FakeLeaders(1);
        int batchBytes = brokers.append(0, 2, 1_000);
        for (int i = 0; i < 50; i++) {
            brokers.append(0, 2, 1_000);
        }
        RecordStream stream = open(brokers, StartAt.Edge.EARLIEST, Until.CLOSED);

        // when the demand is less than a batch, and then three of them
        stream.demand(10);
        answer(brokers);
        assertThat(stream.heldBytes()).isEqualTo(batchBytes);
        stream.demand(2_000);
        assertThat(told.offsets(0)).containsExactly(0L, 1L);
        stream.demand(3L * batchBytes);
        loop.run();
        Asked fetch = brokers.asked.get(0);

        // then
        assertThat(fetch.call().maxBytes()).isEqualTo(3 * batchBytes);
        answer(brokers);
        assertThat(told.offsets(0)).hasSize(8);
    }

    @Test
    void shouldTellARecordThatIsHeavierThanTheDemandAndKeepIt() {
        // given
        FakeLeaders brokers = new FakeLeaders(1);
        brokers.append(0, 1, 500);
        RecordStream stream = open(brokers, StartAt.Edge.EARLIEST, Until.CLOSED);

        // when
        stream.demand(100);
        answer(brokers);
        assertThat(told.tooHeavy).containsExactly(500L);
        assertThat(told.slices).isEmpty();
        stream.demand(500);

        // then
        assertThat(told.offsets(0)).containsExactly(0L);
    }

    @Test
    void shouldFollowTheLeaderWithTheEpochOfTheLastRecord() {
        // given
        FakeLeaders brokers = new FakeLeaders(1);
        brokers.append(0, 1, 10);
        RecordStream stream = open(brokers, StartAt.Edge.EARLIEST, Until.CLOSED);
        stream.demand(1_000);
        answer(brokers);

        // when
        brokers.lead(0, 2, 7);
        brokers.append(0, 1, 10);
        stream.demand(1_000);
        loop.run();
        answer(brokers);
        loop.advance(Duration.ofSeconds(1));

        // then
        Asked fetch = brokers.asked.get(0);
        assertThat(fetch.broker()).isEqualTo(2);
        Wire.FetchPart part = fetch.call().parts().get(0);
        assertThat(part.leaderEpoch()).isEqualTo(7);
        assertThat(part.lastFetchedEpoch()).isEqualTo(1);
        answer(brokers);
        assertThat(told.offsets(0)).containsExactly(0L, 1L);
    }

    @Test
    void shouldFailWhenWhatWasReadIsGone() {
        // given
        FakeLeaders brokers = new FakeLeaders(1);
        RecordStream stream = open(brokers, new StartAt.Offset(0), Until.CLOSED);
        stream.demand(1_000);
        loop.run();

        // when
        brokers.answer(fetch -> FakeLeaders.diverging(fetch, 3));
        loop.run();

        // then
        assertThat(told.failure)
                .asInstanceOf(type(LogTruncatedException.class))
                .satisfies(cut -> assertThat(cut.firstDivergingOffset()).isEqualTo(3));
        assertThat(brokers.openLanes).isZero();
    }

    @Test
    void shouldTellTheValidRangeWithAPositionOutsideIt() {
        // given
        FakeLeaders brokers = new FakeLeaders(1);
        brokers.append(0, 5, 10);
        brokers.deleteRecords(0);
        brokers.append(0, 4, 10);
        RecordStream stream = open(brokers, new StartAt.Offset(2), Until.CLOSED);

        // when
        stream.demand(1_000);
        answer(brokers);
        loop.advance(MOMENT);

        // then
        assertThat(told.failure)
                .asInstanceOf(type(OffsetOutOfRangeException.class))
                .satisfies(outside -> {
                    assertThat(outside.earliest()).isEqualTo(5);
                    assertThat(outside.latest()).isEqualTo(9);
                });
    }

    @Test
    void shouldEndAtWhatWasCommittedAtTheBeginning() {
        // given
        FakeLeaders brokers = new FakeLeaders(2);
        brokers.append(0, 3, 10);
        RecordStream stream = open(brokers, StartAt.Edge.EARLIEST, Until.END);
        brokers.append(0, 3, 10);

        // when
        while (told.ends == 0 && told.slices.size() < 10) {
            stream.demand(10_000);
            loop.run();
            answer(brokers);
        }

        // then
        assertThat(told.ends).isEqualTo(1);
        assertThat(told.offsets(0)).containsExactly(0L, 1L, 2L);
        assertThat(brokers.openLanes).isZero();
    }

    @Test
    void shouldEndAtOnceWhereThereIsNothing() {
        // given
        RecordStream stream = open(new FakeLeaders(2), StartAt.Edge.EARLIEST, Until.END);

        // then
        assertThat(told.ends).isEqualTo(1);
        assertThat(stream.heldBytes()).isZero();
    }

    @Test
    void shouldTellWithinASecondThatThereIsNoSuchTopic() {
        // given
        FakeLeaders brokers = new FakeLeaders(1);
        brokers.exists = false;

        // when
        open(brokers, StartAt.Edge.EARLIEST, Until.CLOSED);
        loop.advance(Duration.ofSeconds(1));

        // then
        assertThat(told.failure)
                .asInstanceOf(type(TidemarkException.class))
                .satisfies(missing -> assertThat(missing.error()).isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION));
    }

    @Test
    void shouldFindATopicThatWasCreatedAMomentAgo() {
        // given a broker that has not heard of it yet
        FakeLeaders brokers = new FakeLeaders(1);
        brokers.exists = false;
        RecordStream stream = open(brokers, StartAt.Edge.EARLIEST, Until.CLOSED);
        loop.advance(Duration.ofMillis(100));

        // when
        brokers.exists = true;
        brokers.append(0, 1, 10);
        loop.advance(Duration.ofMillis(100));
        stream.demand(100);
        answer(brokers);

        // then
        assertThat(told.failure).isNull();
        assertThat(told.offsets(0)).containsExactly(0L);
    }

    @Test
    void shouldFailWhenTheTopicIsDeletedWhileItIsRead() {
        // given
        FakeLeaders brokers = new FakeLeaders(1);
        RecordStream stream = open(brokers, StartAt.Edge.EARLIEST, Until.CLOSED);
        stream.demand(100);
        loop.run();

        // when
        brokers.exists = false;
        brokers.lead(0, 2, 9);
        answer(brokers);
        loop.advance(Duration.ofSeconds(3));

        // then
        assertThat(told.failure)
                .asInstanceOf(type(TidemarkException.class))
                .satisfies(missing -> assertThat(missing.error()).isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION));
    }

    // Fails if: close does not make the cluster forget a topic that is gone.
    @Test
    void shouldForgetATopicThatWasDeletedWhileItWasRead() {
        // given
        FakeLeaders brokers = new FakeLeaders(1);
        RecordStream stream = open(brokers, StartAt.Edge.EARLIEST, Until.CLOSED);
        stream.demand(100);
        loop.run();
        assertThat(brokers.askedTopics).containsExactly(FakeLeaders.TOPIC);

        // when
        brokers.exists = false;
        brokers.lead(0, 2, 9);
        answer(brokers);
        loop.advance(Duration.ofSeconds(400));

        // then
        assertThat(told.failure).isNotNull();
        assertThat(brokers.askedTopics).isEmpty();
    }

    @Test
    void shouldGiveUpAPartitionThatIsWithoutALeaderTooLong() {
        // given
        FakeLeaders brokers = new FakeLeaders(1);
        RecordStream stream = open(brokers, StartAt.Edge.EARLIEST, Until.CLOSED);
        stream.demand(100);
        loop.run();

        // when
        brokers.lead(0, -1, 2);
        answer(brokers);
        loop.advance(Duration.ofSeconds(29));
        assertThat(told.failure).isNull();
        loop.advance(Duration.ofSeconds(3));

        // then
        assertThat(told.failure)
                .asInstanceOf(type(TidemarkException.class))
                .satisfies(missing -> assertThat(missing.error().isRetriable()).isTrue());
    }

    // Fails if: the time without a demand counts as time without a leader.
    @Test
    void shouldNotCountTheTimeInWhichNobodyWantsThePartition() {
        // given one of two partitions has no leader for a moment, and the reader stalls with the other's record
        FakeLeaders brokers = new FakeLeaders(2);
        brokers.append(0, 1, 10);
        RecordStream stream = open(brokers, StartAt.Edge.EARLIEST, Until.CLOSED);
        brokers.lead(1, -1, 2);
        stream.demand(100);
        answer(brokers);
        assertThat(told.slices).hasSize(1);
        loop.advance(Duration.ofSeconds(60));

        // when it is still without one as the reader goes on, and soon has one
        stream.demand(100);
        answer(brokers);
        loop.advance(Duration.ofSeconds(1));

        // then
        assertThat(told.failure).isNull();
    }

    // Fails if: the failure of a batch names the topic alone.
    @Test
    void shouldFailOnADamagedBatchAfterWhatIsBeforeIt() {
        // given
        FakeLeaders brokers = new FakeLeaders(1);
        brokers.append(0, 1, 10);
        brokers.append(0, 1, 10);
        brokers.damageLast(0);
        RecordStream stream = open(brokers, StartAt.Edge.EARLIEST, Until.CLOSED);

        // when
        stream.demand(1_000);
        answer(brokers);
        stream.demand(1_000);

        // then
        assertThat(told.offsets(0)).containsExactly(0L);
        assertThat(told.failure).isInstanceOf(InvalidBatchException.class);
        assertThat(told.failed).isEqualTo(new TopicPartition(FakeLeaders.TOPIC, 0));
    }

    @Test
    void shouldAskFirstForThePartitionThatWaitedLongest() {
        // given a busy partition, and one that has a record behind it
        FakeLeaders brokers = new FakeLeaders(2);
        for (int i = 0; i < 10; i++) {
            brokers.append(0, 1, 100);
        }
        brokers.append(1, 1, 100);
        RecordStream stream = open(brokers, StartAt.Edge.EARLIEST, Until.CLOSED);

        // when the demand is one record each time
        for (int i = 0; i < 2; i++) {
            stream.demand(100);
            loop.run();
            answer(brokers);
        }

        // then
        assertThat(told.offsets(0)).containsExactly(0L);
        assertThat(told.offsets(1)).containsExactly(0L);
    }

    // Fails if: the fetcher asks while an answer is taken of which the reader knows the beginning only.
    @Test
    void shouldAskForNoPartitionTwiceWhileItsAnswerIsTaken() {
        // given a reader that demands the next slice as soon as it has one
        FakeLeaders brokers = new FakeLeaders(3);
        for (int partition = 0; partition < 3; partition++) {
            brokers.append(partition, 2, 100);
        }
        RecordStream stream = open(brokers, StartAt.Edge.EARLIEST, Until.CLOSED);
        told.whenTold = () -> stream.demand(10_000);
        stream.demand(10_000);
        loop.run();
        assertThat(brokers.asked).hasSize(1);

        // when
        answer(brokers);

        // then it goes on behind all three, in one call
        assertThat(told.slices).hasSize(3);
        assertThat(brokers.asked)
                .singleElement()
                .satisfies(fetch -> assertThat(fetch.call().parts())
                        .extracting(Wire.FetchPart::fetchOffset)
                        .containsExactly(2L, 2L, 2L));
    }

    // Fails if: partitions are asked for while something is left of another one, whose leader then waits for their
    // data.
    @Test
    void shouldAskForNothingWhileSomethingIsLeftToBeDelivered() {
        // given a busy partition of which something is left, and an empty one
        FakeLeaders brokers = new FakeLeaders(2);
        brokers.append(0, 3, 1_000);
        RecordStream stream = open(brokers, StartAt.Edge.EARLIEST, Until.CLOSED);
        stream.demand(1_000);
        loop.run();
        answer(brokers);
        assertThat(told.offsets(0)).containsExactly(0L);

        // when more is demanded than is left, while a part of that is delivered
        told.whenTold = () -> stream.demand(5_000);
        stream.demand(1_000);

        // then
        assertThat(told.offsets(0)).containsExactly(0L, 1L, 2L);
        assertThat(brokers.asked)
                .singleElement()
                .satisfies(fetch -> assertThat(fetch.call().parts()).hasSize(2));
    }

    @Test
    void shouldReleaseEverythingWhenClosed() {
        // given
        FakeLeaders brokers = new FakeLeaders(1);
        RecordStream stream = open(brokers, StartAt.Edge.EARLIEST, Until.CLOSED);
        stream.demand(100);
        loop.run();
        assertThat(brokers.openLanes).isEqualTo(1);

        // when
        stream.close();
        brokers.append(0, 1, 10);
        answer(brokers);
        loop.advance(Duration.ofSeconds(60));

        // then
        assertThat(brokers.openLanes).isZero();
        assertThat(told.slices).isEmpty();
        assertThat(told.failure).isNull();
        assertThat(brokers.asked).isEmpty();
    }
}
