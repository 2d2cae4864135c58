package io.tidemark.client.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.client.TidemarkException;
import io.tidemark.client.net.ClientRuntime;
import io.tidemark.client.net.NoJitter;
import io.tidemark.client.producer.FakeCluster.Produced;
import io.tidemark.model.ErrorCode;
import io.tidemark.record.LogRecord;
import io.tidemark.runtime.Cancellable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Sends that never block: the one thread of these tests is the loop's too. */
final class ProducerTrySendTest {
    private static final int BATCH_BYTES = 1_000;

    private final ManualLoop loop = new ManualLoop();
    private final FakeCluster brokers = new FakeCluster();
    private final List<String> told = new ArrayList<>();
    private final Producer producer = new Producer(
            ProducerConfig.of(List.of(FakeCluster.endpoint(1)))
                    .withLimits(new ProducerConfig.Limits(BATCH_BYTES, 10_000, 3 * BATCH_BYTES, 1))
                    .withTimes(new ProducerConfig.Times(
                            Duration.ZERO, Duration.ofSeconds(3), Duration.ofSeconds(10), Duration.ofSeconds(1))),
            new ClientRuntime(loop, loop, new NoJitter()),
            brokers,
            () -> {});

    private Cancellable send(String topic, String value) {
        ByteBuffer bytes = ByteBuffer.wrap(value.getBytes(StandardCharsets.UTF_8));
        ProducerRecord record = new ProducerRecord(topic, 0, null, null, bytes, List.of());
        return producer.trySend(record, (partition, offset, failure) -> tell(value, offset, failure));
    }

    private void tell(String value, long offset, @Nullable TidemarkException failure) {
        told.add(failure == null ? value + "@" + offset : value + " " + failure.error() + " " + failure.outcome());
    }

    private void learnTopic() {
        send(FakeCluster.TOPIC, "first");
        loop.advance(Duration.ofMillis(100));
        brokers.takeProduced().forEach(batch -> batch.succeed(0));
        loop.run();
        told.clear();
    }

    private static List<String> values(Produced produced) {
        List<String> values = new ArrayList<>();
        for (LogRecord record : produced.batch().records()) {
            values.add(StandardCharsets.UTF_8.decode(record.value()).toString());
        }
        return values;
    }

    @Test
    void shouldSendInOrderWhatWaitedForItsTopic() {
        // given
        send(FakeCluster.TOPIC, "a");
        send(FakeCluster.TOPIC, "b");

        // when
        loop.advance(Duration.ofMillis(100));

        // then
        List<Produced> produced = brokers.takeProduced();
        assertThat(produced)
                .singleElement()
                .satisfies(batch -> assertThat(values(batch)).containsExactly("a", "b"));
        produced.get(0).succeed(7);
        loop.run();
        assertThat(told).containsExactly("a@7", "b@8");
        assertThat(producer.bufferedBytes()).isZero();
    }

    // Fails if: room is given back record by record, so that the first one's batch finds none beside the others.
    @Test
    void shouldSendABurstForATopicThatHadToBeLookedFor() {
        // given as much as there is room for
        int sent = 0;
        while (producer.bufferedBytes() < 3 * BATCH_BYTES - 200) {
            send(FakeCluster.TOPIC, "burst");
            sent++;
        }

        // when
        for (int i = 0; i < 5; i++) {
            loop.advance(Duration.ofMillis(100));
            brokers.takeProduced().forEach(batch -> batch.succeed(0));
        }
        loop.run();

        // then
        assertThat(told).hasSize(sent).allMatch(each -> each.startsWith("burst@"));
        assertThat(producer.bufferedBytes()).isZero();
    }

    @Test
    void shouldTellWithinASecondThatThereIsNoSuchTopic() {
        // given
        send("nothing", "a");

        // when
        loop.advance(Duration.ofSeconds(1));

        // then
        assertThat(told).containsExactly("a UNKNOWN_TOPIC_OR_PARTITION FAILED_RETRY");
        assertThat(producer.bufferedBytes()).isZero();
    }

    @Test
    void shouldFindATopicThatWasCreatedAMomentAgo() {
        // given
        send("young", "a");
        loop.advance(Duration.ofMillis(100));

        // when
        brokers.created.add("young");
        loop.advance(Duration.ofMillis(200));

        // then
        assertThat(told).isEmpty();
        assertThat(brokers.takeProduced())
                .singleElement()
                .satisfies(batch -> assertThat(batch.partition().topic()).isEqualTo("young"));
    }

    @Test
    void shouldRefuseAtOnceWhatFindsNoRoom() {
        // given a batch under way, and two that wait behind it
        learnTopic();
        for (int i = 0; i < 3; i++) {
            send(FakeCluster.TOPIC, "x".repeat(900));
            loop.run();
        }

        // when
        assertThatThrownBy(() -> send(FakeCluster.TOPIC, "y".repeat(900)))
                .isInstanceOfSatisfying(
                        TidemarkException.class,
                        full -> assertThat(full.error()).isEqualTo(ErrorCode.THROTTLED));

        // then there is room again after an answer
        brokers.takeProduced().forEach(batch -> batch.succeed(1));
        loop.run();
        send(FakeCluster.TOPIC, "y".repeat(900));
        assertThat(told).hasSize(1);
    }

    @Test
    void shouldBoundWhatWaitsForItsTopicToo() {
        for (int i = 0; i < 3; i++) {
            send("nothing", "x".repeat(900));
        }
        assertThatThrownBy(() -> send("nothing", "x".repeat(900))).isInstanceOf(TidemarkException.class);
    }

    @Test
    void shouldDropABatchWhoseCallersAreAllGone() {
        // given one batch under way, so that the next one waits
        learnTopic();
        send(FakeCluster.TOPIC, "sent");
        loop.run();
        long before = producer.bufferedBytes();
        Cancellable one = send(FakeCluster.TOPIC, "one");
        Cancellable two = send(FakeCluster.TOPIC, "two");
        loop.run();

        // when
        one.cancel();
        assertThat(producer.bufferedBytes()).isGreaterThan(before);
        two.cancel();
        two.cancel();

        // then
        assertThat(producer.bufferedBytes()).isEqualTo(before);
        brokers.takeProduced().forEach(batch -> batch.succeed(1));
        loop.advance(Duration.ofSeconds(1));
        assertThat(brokers.takeProduced()).isEmpty();
        assertThat(told).containsExactly("sent@1");
        assertThat(producer.bufferedBytes()).isZero();
    }

    @Test
    void shouldWriteABatchOfWhichSomebodyIsLeft() {
        // given
        learnTopic();
        send(FakeCluster.TOPIC, "sent");
        loop.run();
        Cancellable gone = send(FakeCluster.TOPIC, "gone");
        send(FakeCluster.TOPIC, "left");

        // when
        gone.cancel();
        brokers.takeProduced().forEach(batch -> batch.succeed(1));
        loop.run();
        brokers.takeProduced().forEach(batch -> batch.succeed(2));
        loop.run();

        // then
        assertThat(told).containsExactly("sent@1", "left@3");
    }

    @Test
    void shouldGiveBackTheRoomOfACallerThatGoesWhileItsTopicIsLookedFor() {
        // given
        Cancellable gone = send("nothing", "gone");
        assertThat(producer.bufferedBytes()).isPositive();

        // when
        gone.cancel();
        loop.advance(Duration.ofSeconds(1));

        // then
        assertThat(producer.bufferedBytes()).isZero();
        assertThat(told).isEmpty();
    }

    @Test
    void shouldSayThatARecordThatEveryLeaderRefusedIsNotWritten() {
        // given
        learnTopic();
        send(FakeCluster.TOPIC, "a");
        loop.run();

        // when in-sync replicas are missing until the delivery's time is over
        for (int i = 0; i < 2_200; i++) {
            brokers.takeProduced().forEach(batch -> batch.fail(ErrorCode.NOT_ENOUGH_REPLICAS));
            loop.advance(Duration.ofMillis(5));
        }

        // then
        assertThat(told).containsExactly("a NOT_ENOUGH_REPLICAS FAILED");
    }
}
