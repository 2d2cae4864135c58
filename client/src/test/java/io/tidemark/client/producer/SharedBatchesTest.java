package io.tidemark.client.producer;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.client.TidemarkException;
import io.tidemark.client.net.ClientRuntime;
import io.tidemark.client.net.NoJitter;
import io.tidemark.client.producer.FakeCluster.Produced;
import io.tidemark.client.producer.ModelLeader.Faults;
import io.tidemark.model.Acks;
import io.tidemark.model.ErrorCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Many callers share batches, and a leader refuses records of some of them. */
final class SharedBatchesTest {
    private static final int RECORDS = 400;
    private static final Duration PAUSE = Duration.ofMillis(30);

    private final ManualLoop loop = new ManualLoop();
    private final FakeCluster brokers = new FakeCluster();
    private final List<String> sent = new ArrayList<>();
    private final Map<String, String> told = new LinkedHashMap<>();
    private final List<String> toldTwice = new ArrayList<>();

    private Producer producer(Acks acks, int inFlight) {
        ProducerConfig config = ProducerConfig.of(List.of(FakeCluster.endpoint(1)))
                .withAcks(acks)
                .withLimits(new ProducerConfig.Limits(2_000, 1 << 20, 32 << 20, inFlight))
                .withTimes(new ProducerConfig.Times(
                        Duration.ZERO, Duration.ofSeconds(3), Duration.ofSeconds(30), Duration.ofSeconds(1)));
        return new Producer(config, new ClientRuntime(loop, loop, new NoJitter()), brokers, () -> {});
    }

    private void send(Producer producer, String name) {
        sent.add(name);
        ProducerRecord record = new ProducerRecord(FakeCluster.TOPIC, 0, null, null, Batches.bytes(name), List.of());
        producer.trySend(record, (partition, offset, failure) -> tell(name, offset, failure));
    }

    private void tell(String name, long offset, @Nullable TidemarkException failure) {
        String words = failure == null ? "@" + offset : failure.error() + " " + failure.outcome();
        if (told.put(name, words) != null) {
            toldTwice.add(name);
        }
    }

    private List<String> acknowledged() {
        return told.entrySet().stream()
                .filter(each -> each.getValue().startsWith("@"))
                .map(Map.Entry::getKey)
                .toList();
    }

    private List<String> good() {
        return sent.stream().filter(name -> !name.startsWith("bad")).toList();
    }

    /** Lets everything come to its end. */
    private void settle(ModelLeader leader) {
        for (int round = 0; told.size() < sent.size() && round < 20_000; round++) {
            loop.run();
            leader.take(brokers.takeProduced());
            if (!leader.giveOne()) {
                loop.advance(PAUSE);
            }
        }
        loop.run();
    }

    private void sendInBursts(Producer producer, ModelLeader leader, Random random, int badPercent) {
        while (sent.size() < RECORDS) {
            for (int burst = 1 + random.nextInt(40); burst > 0; burst--) {
                boolean bad = random.nextInt(100) < badPercent;
                send(producer, (bad ? "bad-" : "r-") + sent.size());
            }
            loop.run();
            leader.take(brokers.takeProduced());
            for (int some = random.nextInt(4); some > 0; some--) {
                boolean unused = leader.giveOne();
            }
        }
        settle(leader);
    }

    private void requireOrderAndPlaces(ModelLeader leader, String seed) {
        assertThat(toldTwice).as(seed).isEmpty();
        assertThat(told).as(seed).hasSize(sent.size());
        assertThat(leader.log)
                .as("%s: written once and in the order of the sends", seed)
                .isSubsetOf(sent);
        assertThat(leader.log.stream().map(sent::indexOf).toList())
                .as(seed)
                .isSorted()
                .doesNotHaveDuplicates();
        told.forEach((name, words) -> {
            if (words.startsWith("@")) {
                assertThat(leader.log.get(Integer.parseInt(words.substring(1))))
                        .as(seed)
                        .isEqualTo(name);
            } else if (words.endsWith("FAILED")) {
                assertThat(leader.log).as(seed).doesNotContain(name);
            }
        });
    }

    // Issue 3 (callers share batches); fails if: a refused batch fails as a whole.
    @Test
    void shouldFailOnlyTheCallerWhoseRecordIsRefused() {
        // given five callers' records in one batch
        Producer producer = producer(Acks.ALL, 5);
        ModelLeader leader = new ModelLeader(new Random(1), Faults.NONE);
        for (String name : List.of("a", "b", "bad", "c", "d")) {
            send(producer, name);
        }
        loop.advance(PAUSE);
        List<Produced> together = brokers.takeProduced();
        assertThat(together).hasSize(1);
        assertThat(ModelLeader.names(together.get(0).batch())).containsExactly("a", "b", "bad", "c", "d");

        // when
        leader.take(together);
        settle(leader);

        // then
        assertThat(leader.log).containsExactly("a", "b", "c", "d");
        assertThat(told)
                .containsOnly(
                        Map.entry("a", "@0"),
                        Map.entry("b", "@1"),
                        Map.entry("bad", "INVALID_RECORD FAILED"),
                        Map.entry("c", "@2"),
                        Map.entry("d", "@3"));
        assertThat(producer.bufferedBytes()).isZero();
    }

    // Issue 3 (callers share batches); fails if: halves are sent in another order, under other numbers, or beside their
    // whole.
    @ParameterizedTest
    @ValueSource(ints = {1, 5, 30, 70})
    void shouldWriteTheOthersOnceAndInOrderWhateverIsRefused(int badPercent) {
        for (long seed = 1; seed <= 10; seed++) {
            // given
            sent.clear();
            told.clear();
            Random random = new Random(seed);
            ModelLeader leader = new ModelLeader(random, Faults.NONE);
            Producer producer = producer(Acks.ALL, 5);

            // when
            sendInBursts(producer, leader, random, badPercent);

            // then
            String what = "seed " + seed + " with " + badPercent + " % bad";
            requireOrderAndPlaces(leader, what);
            assertThat(leader.log).as(what).isEqualTo(good());
            assertThat(acknowledged()).as(what).containsExactlyInAnyOrderElementsOf(good());
            assertThat(producer.bufferedBytes()).as(what).isZero();
            producer.close(Duration.ZERO);
            loop.run();
        }
    }

    // Issue 3 (callers share batches); fails if: a batch that may have been written is sent again in halves, or under
    // another
    // identity.
    @Test
    void shouldWriteNothingTwiceAndNothingOutOfOrderBesideOtherFaults() {
        for (long seed = 1; seed <= 40; seed++) {
            // given
            sent.clear();
            told.clear();
            Random random = new Random(seed);
            ModelLeader leader = new ModelLeader(random, new Faults(10, 5, 10));
            Producer producer = producer(Acks.ALL, 5);

            // when
            sendInBursts(producer, leader, random, 5);

            // then
            requireOrderAndPlaces(leader, "seed " + seed);
            assertThat(producer.bufferedBytes()).as("seed %d", seed).isZero();
            producer.close(Duration.ZERO);
            loop.run();
        }
    }

    // Issue 3 (PublishStream keeps its order, with any acks); fails if: halves come behind later batches.
    @Test
    void shouldKeepTheOrderWithoutIdempotenceWithOneBatchInFlight() {
        for (long seed = 1; seed <= 20; seed++) {
            // given
            sent.clear();
            told.clear();
            Random random = new Random(seed);
            ModelLeader leader = new ModelLeader(random, new Faults(10, 0, 0));
            Producer producer = producer(Acks.LEADER, 1);

            // when
            sendInBursts(producer, leader, random, 10);

            // then
            requireOrderAndPlaces(leader, "seed " + seed);
            assertThat(leader.log).as("seed %d", seed).isEqualTo(good());
            producer.close(Duration.ZERO);
            loop.run();
        }
    }

    // Issue 3 (callers share batches); fails if: a single record's refusal, or a split, costs a pause that grows.
    @ParameterizedTest
    @EnumSource(
            value = Acks.class,
            names = {"LEADER", "ALL"})
    void shouldTakeLittleTimeAndAtMostTwiceAsManyBatchesAsRecords(Acks acks) {
        // given nothing but records that are refused, and one behind them
        Producer producer = producer(acks, acks == Acks.ALL ? 5 : 1);
        ModelLeader leader = new ModelLeader(new Random(7), Faults.NONE);
        for (int i = 0; i < 60; i++) {
            send(producer, "bad-" + i);
        }
        send(producer, "good");
        loop.advance(PAUSE);
        long beforeNs = loop.monotonicNs();

        // when
        settle(leader);

        // then
        assertThat(told).containsEntry("good", "@0").hasSize(61);
        assertThat(leader.batches).as("with what waits behind a refused one").isLessThanOrEqualTo(2 * 61 + 8);
        assertThat(Duration.ofNanos(loop.monotonicNs() - beforeNs)).isLessThan(Duration.ofMillis(500));
    }

    // Issue 3 (topics created again); fails if: the first batch for a leader that does not know the producer any more
    // is given up.
    @Test
    void shouldGoOnWhereTheTopicWasCreatedAgain() {
        // given
        Producer producer = producer(Acks.ALL, 5);
        ModelLeader leader = new ModelLeader(new Random(3), Faults.NONE);
        send(producer, "before");
        settle(leader);

        // when
        leader.forget();
        send(producer, "after");
        send(producer, "later");
        settle(leader);

        // then
        assertThat(told)
                .containsEntry("before", "@0")
                .containsEntry("after", "@1")
                .containsEntry("later", "@2");
    }

    // KNOWN_BUGS 41; fails if: a batch that grew beyond what the topic takes by now is refused as a whole.
    @Test
    void shouldSendInSmallerBatchesWhatIsTooLargeTogether() {
        // given
        Producer producer = producer(Acks.ALL, 5);
        for (String name : List.of("a", "b", "c")) {
            send(producer, name);
        }
        loop.advance(PAUSE);

        // when no batch of several is taken
        List<String> written = new ArrayList<>();
        for (int round = 0; round < 10; round++) {
            for (Produced produced : brokers.takeProduced()) {
                List<String> names = ModelLeader.names(produced.batch());
                boolean next = produced.batch().baseSequence() == written.size();
                if (names.size() > 1) {
                    produced.fail(ErrorCode.MESSAGE_TOO_LARGE);
                } else if (next) {
                    produced.succeed(written.size());
                    written.addAll(names);
                } else {
                    produced.fail(
                            written.isEmpty() ? ErrorCode.UNKNOWN_PRODUCER_ID : ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER);
                }
            }
            loop.advance(PAUSE);
        }

        // then
        assertThat(written).containsExactly("a", "b", "c");
        assertThat(told).containsOnly(Map.entry("a", "@0"), Map.entry("b", "@1"), Map.entry("c", "@2"));
    }
}
