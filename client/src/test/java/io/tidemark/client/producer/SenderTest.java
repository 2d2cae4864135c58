package io.tidemark.client.producer;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.client.TidemarkException;
import io.tidemark.client.net.ClientRuntime;
import io.tidemark.client.net.ClusterClient;
import io.tidemark.client.net.NoJitter;
import io.tidemark.client.net.Reply;
import io.tidemark.client.net.RetryRules;
import io.tidemark.client.producer.BatchAccumulator.Appended;
import io.tidemark.client.producer.FakeCluster.Produced;
import io.tidemark.model.Acks;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.record.Codec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class SenderTest {
    private static final TopicPartition FIRST = new TopicPartition(FakeCluster.TOPIC, 0);
    private static final TopicPartition SECOND = new TopicPartition(FakeCluster.TOPIC, 1);
    private static final Duration PAUSE = Duration.ofMillis(30);
    private static final ProducerConfig CONFIG = ProducerConfig.of(List.of(FakeCluster.endpoint(1)))
            .withTimes(new ProducerConfig.Times(
                    Duration.ZERO, Duration.ofSeconds(3), Duration.ofSeconds(10), Duration.ofSeconds(1)));

    private final ManualLoop loop = new ManualLoop();
    private final FakeCluster brokers = new FakeCluster();
    private final List<String> told = new ArrayList<>();

    /** A sender on an accumulator that nobody else uses, with the topic's metadata. */
    private final class Fixture implements Sender.Buffer {
        private final BatchAccumulator accumulator;
        private final ClusterClient cluster;
        private final Sender sender;

        Fixture(ProducerConfig config) {
            accumulator = new BatchAccumulator(
                    Codec.NONE, config.limits(), config.times().linger().toNanos(), topic -> Integer.MAX_VALUE);
            cluster = new ClusterClient(
                    new ClusterClient.Settings(config.bootstrap(), Duration.ofSeconds(300), RetryRules.DEFAULT),
                    new ClientRuntime(loop, loop, new NoJitter()),
                    brokers);
            sender = new Sender(config, cluster, this);
            sender.start();
            cluster.track(FakeCluster.TOPIC);
            loop.advance(Duration.ofMillis(1));
        }

        /** Sends a batch of one record. */
        void send(TopicPartition partition, String name) {
            append(partition, name);
            sender.pump();
            loop.run();
        }

        void append(TopicPartition partition, String name) {
            BatchAccumulator.Entry entry = new BatchAccumulator.Entry(
                    1, null, Batches.bytes(name), List.of(), (where, offset, failure) -> tell(name, offset, failure));
            assertThat(accumulator.append(partition, entry, loop.monotonicNs())).isEqualTo(Appended.WAKE_SENDER);
        }

        @Override
        public List<TopicPartition> partitions() {
            return accumulator.partitions();
        }

        @Override
        public @Nullable PendingBatch takeReady(TopicPartition partition, long nowNs) {
            return accumulator.takeReady(partition, nowNs);
        }

        @Override
        public List<PendingBatch> takeExpired(long createdBeforeNs) {
            return accumulator.takeExpired(createdBeforeNs);
        }

        @Override
        public List<PendingBatch> takeAll() {
            return accumulator.takeAll();
        }

        @Override
        public long nextReadyInNs(long nowNs) {
            return accumulator.nextReadyInNs(nowNs);
        }

        @Override
        public void release(PendingBatch batch) {
            accumulator.release(batch);
        }
    }

    private void tell(String name, long offset, @Nullable TidemarkException failure) {
        told.add(failure == null ? name + "@" + offset : name + " " + failure.error() + " " + failure.outcome());
    }

    private static List<Integer> sequences(List<Produced> produced) {
        return produced.stream().map(each -> each.batch().baseSequence()).toList();
    }

    private List<Produced> take() {
        loop.run();
        return brokers.takeProduced();
    }

    private List<Produced> takeAfter(Duration time) {
        loop.advance(time);
        return brokers.takeProduced();
    }

    @Test
    void shouldHaveFiveBatchesOfAPartitionUnderWayAndNoMore() {
        // given
        Fixture fixture = new Fixture(CONFIG);

        // when
        for (int i = 0; i < 6; i++) {
            fixture.send(FIRST, "r" + i);
        }
        List<Produced> five = take();

        // then
        assertThat(sequences(five)).containsExactly(0, 1, 2, 3, 4);
        five.get(0).succeed(10);
        assertThat(sequences(take())).containsExactly(5);
        assertThat(told).containsExactly("r0@10");
    }

    @Test
    void shouldSendEverythingAgainInOrderWithTheSameNumbersWhenTheStreamBreaks() {
        // given
        Fixture fixture = new Fixture(CONFIG);
        for (int i = 0; i < 6; i++) {
            fixture.send(FIRST, "r" + i);
        }
        List<Produced> five = take();
        five.get(0).succeed(0);
        five = new ArrayList<>(five.subList(1, 5));
        five.addAll(take());

        // when
        five.forEach(Produced::breakStream);
        List<Produced> again = takeAfter(PAUSE);

        // then
        assertThat(sequences(again)).containsExactly(1, 2, 3, 4, 5);
        assertThat(again).extracting(each -> each.batch().producerId()).containsOnly(101L);
        for (int i = 0; i < 5; i++) {
            again.get(i).succeed(i + 1);
        }
        loop.run();
        assertThat(told).containsExactly("r0@0", "r1@1", "r2@2", "r3@3", "r4@4", "r5@5");
    }

    /** KNOWN_BUGS 41: not until the delivery time is over. */
    @Test
    void shouldFailABatchAtOnceThatTheTransportDoesNotTake() {
        // given
        Fixture fixture = new Fixture(CONFIG);
        fixture.send(FIRST, "large");
        Produced large = take().get(0);

        // when
        large.answer().accept(Reply.failed(ErrorCode.MESSAGE_TOO_LARGE, "as told"));
        loop.run();
        fixture.send(FIRST, "next");
        List<Produced> next = takeAfter(PAUSE);

        // then
        assertThat(told).containsExactly("large MESSAGE_TOO_LARGE FAILED");
        assertThat(sequences(next)).as("nothing was written before it").containsExactly(0);
    }

    /** KNOWN_BUGS 41: of several batches in one request the transport does not say which is too large. */
    @Test
    void shouldSendBatchesOneByOneWhoseRequestIsTooLarge() {
        // given
        Fixture fixture = new Fixture(CONFIG);
        fixture.append(FIRST, "large");
        fixture.append(SECOND, "small");
        fixture.sender.pump();
        List<Produced> together = take();
        assertThat(together).hasSize(2);
        assertThat(together.get(0).answer()).isSameAs(together.get(1).answer());

        // when
        together.get(0).answer().accept(Reply.failed(ErrorCode.MESSAGE_TOO_LARGE, "as told"));
        List<Produced> alone = takeAfter(PAUSE);

        // then
        assertThat(told).isEmpty();
        assertThat(alone).hasSize(2);
        assertThat(alone.get(0).answer()).isNotSameAs(alone.get(1).answer());
        alone.get(0).answer().accept(Reply.failed(ErrorCode.MESSAGE_TOO_LARGE, "as told"));
        alone.get(1).succeed(7);
        loop.run();
        assertThat(told).containsExactly("large MESSAGE_TOO_LARGE FAILED", "small@7");
    }

    @Test
    void shouldGoToTheNewLeaderThatMetadataNamesAndIgnoreTheOldOnesLateAnswer() {
        // given
        Fixture fixture = new Fixture(CONFIG);
        fixture.send(FIRST, "r0");
        fixture.send(FIRST, "r1");
        fixture.send(SECOND, "s0");
        List<Produced> old = take();
        assertThat(old).extracting(Produced::broker).containsOnly(1);

        // when
        brokers.lead(0, 2, 2);
        fixture.cluster.refresh();
        List<Produced> moved = takeAfter(Duration.ofMillis(60));

        // then
        assertThat(moved).extracting(Produced::broker).containsExactly(2, 2);
        assertThat(moved).extracting(Produced::leaderEpoch).containsExactly(2, 2);
        assertThat(sequences(moved)).containsExactly(0, 1);
        old.get(0).succeed(77);
        old.get(1).fail(ErrorCode.MESSAGE_TOO_LARGE);
        loop.run();
        assertThat(told).isEmpty();
        moved.get(0).succeed(5);
        moved.get(1).succeed(6);
        old.get(2).succeed(9);
        loop.run();
        assertThat(told).containsExactly("r0@5", "r1@6", "s0@9");
    }

    @ParameterizedTest
    @EnumSource(names = {"NOT_ENOUGH_REPLICAS", "NOT_ENOUGH_REPLICAS_AFTER_APPEND", "NOT_LEADER_OR_FOLLOWER"})
    void shouldTryAgain(ErrorCode error) {
        // given
        Fixture fixture = new Fixture(CONFIG);
        fixture.send(FIRST, "r0");

        // when
        take().get(0).fail(error);
        assertThat(take()).isEmpty();
        List<Produced> again = takeAfter(PAUSE);

        // then
        assertThat(sequences(again)).containsExactly(0);
        again.get(0).succeed(3);
        loop.run();
        assertThat(told).containsExactly("r0@3");
        assertThat(fixture.accumulator.usedBytes()).isZero();
    }

    @Test
    void shouldTryAgainWhenTheBrokerDoesNotAnswer() {
        // given
        Fixture fixture = new Fixture(CONFIG);
        fixture.send(FIRST, "r0");
        take();

        // when the request's three seconds and some patience are over
        List<Produced> again = takeAfter(Duration.ofMillis(3_700));

        // then
        assertThat(sequences(again)).containsExactly(0);
    }

    @Test
    void shouldSayThatNothingIsKnownOfABatchWhoseTimeIsOverAfterAnAttempt() {
        // given
        Fixture fixture = new Fixture(CONFIG);
        fixture.send(FIRST, "r0");
        take().get(0).breakStream();
        take();

        // when
        loop.advance(Duration.ofMillis(10_200));

        // then
        assertThat(told).containsExactly("r0 REQUEST_TIMED_OUT UNKNOWN");
        assertThat(fixture.accumulator.usedBytes()).isZero();
    }

    @Test
    void shouldGoOnUnderANewIdentityAfterABatchExpired() {
        // given
        Fixture fixture = new Fixture(CONFIG);
        fixture.send(FIRST, "r0");
        List<Produced> first = take();
        loop.advance(Duration.ofMillis(10_200));
        take();
        assertThat(told).containsExactly("r0 REQUEST_TIMED_OUT UNKNOWN");

        // when
        fixture.send(FIRST, "r1");
        List<Produced> next = takeAfter(Duration.ofMillis(700));

        // then
        assertThat(next).hasSize(1);
        assertThat(next.get(0).batch().producerId())
                .isNotEqualTo(first.get(0).batch().producerId());
        assertThat(next.get(0).batch().baseSequence()).isZero();
    }

    @Test
    void shouldSayThatABatchThatWasNeverSentIsNotWritten() {
        // given
        brokers.lead(0, -1, 1);
        Fixture fixture = new Fixture(CONFIG);
        fixture.send(FIRST, "r0");

        // when
        loop.advance(Duration.ofMillis(10_200));

        // then
        assertThat(take()).isEmpty();
        assertThat(told).containsExactly("r0 REQUEST_TIMED_OUT FAILED");
        assertThat(fixture.accumulator.usedBytes()).isZero();
    }

    @Test
    void shouldFailARefusedBatchAndLetTheNextTakeItsNumber() {
        // given
        Fixture fixture = new Fixture(CONFIG);
        fixture.send(FIRST, "r0");
        fixture.send(FIRST, "r1");
        List<Produced> both = take();

        // when
        both.get(0).fail(ErrorCode.MESSAGE_TOO_LARGE);
        both.get(1).fail(ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER);
        List<Produced> again = takeAfter(PAUSE);

        // then
        assertThat(told).containsExactly("r0 MESSAGE_TOO_LARGE FAILED");
        assertThat(sequences(again)).containsExactly(0);
        again.get(0).succeed(0);
        loop.run();
        assertThat(told).containsExactly("r0 MESSAGE_TOO_LARGE FAILED", "r1@0");
    }

    @Test
    void shouldSayThatNothingIsKnownOfABatchThatIsRefusedAfterAnUnknownAttempt() {
        // given
        Fixture fixture = new Fixture(CONFIG);
        fixture.send(FIRST, "r0");
        take().get(0).breakStream();

        // when
        takeAfter(PAUSE).get(0).fail(ErrorCode.MESSAGE_TOO_LARGE);
        loop.run();

        // then
        assertThat(told).containsExactly("r0 MESSAGE_TOO_LARGE UNKNOWN");
    }

    @ParameterizedTest
    @EnumSource(
            value = Acks.class,
            names = {"NONE", "LEADER"})
    void shouldNotRepeatWithoutIdempotenceWhatMayBeWritten(Acks acks) {
        // given
        Fixture fixture = new Fixture(CONFIG.withAcks(acks));
        fixture.send(FIRST, "r0");
        List<Produced> sent = take();
        assertThat(sent.get(0).batch().hasProducerId()).isFalse();

        // when
        sent.get(0).breakStream();

        // then
        assertThat(takeAfter(Duration.ofSeconds(5))).isEmpty();
        assertThat(told).containsExactly("r0 REQUEST_TIMED_OUT UNKNOWN");
    }

    @Test
    void shouldRepeatWithoutIdempotenceWhatIsNotWritten() {
        // given
        Fixture fixture = new Fixture(CONFIG.withAcks(Acks.LEADER));
        fixture.send(FIRST, "r0");

        // when
        take().get(0).fail(ErrorCode.FENCED_LEADER_EPOCH);
        List<Produced> again = takeAfter(PAUSE);

        // then
        assertThat(again).hasSize(1);
        again.get(0).succeed(4);
        loop.run();
        assertThat(told).containsExactly("r0@4");
    }

    @Test
    void shouldSendOnePartitionWhileAnotherHasNoLeader() {
        // given
        brokers.lead(0, -1, 1);
        Fixture fixture = new Fixture(CONFIG);

        // when
        fixture.send(FIRST, "r0");
        fixture.send(SECOND, "s0");

        // then
        assertThat(take()).extracting(Produced::partition).containsExactly(SECOND);
        brokers.lead(0, 2, 2);
        assertThat(takeAfter(Duration.ofMillis(200)))
                .extracting(Produced::partition)
                .containsExactly(FIRST);
    }

    @Test
    void shouldAnswerEverythingWhenItIsClosed() {
        // given
        brokers.lead(1, -1, 1);
        Fixture fixture = new Fixture(CONFIG);
        fixture.send(FIRST, "r0");
        fixture.send(SECOND, "s0");
        List<Produced> sent = take();

        // when
        fixture.sender.close("closed by the test");
        sent.get(0).succeed(0);
        loop.advance(Duration.ofSeconds(1));

        // then
        assertThat(told).containsExactly("r0 REQUEST_TIMED_OUT UNKNOWN", "s0 REQUEST_TIMED_OUT FAILED");
        assertThat(take()).isEmpty();
        assertThat(fixture.accumulator.usedBytes()).isZero();
    }
}
