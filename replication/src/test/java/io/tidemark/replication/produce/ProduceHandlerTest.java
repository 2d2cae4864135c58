package io.tidemark.replication.produce;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.config.MessageConfig;
import io.tidemark.core.config.MessageConfig.TimestampType;
import io.tidemark.core.log.Log;
import io.tidemark.core.log.ReadRequest;
import io.tidemark.core.log.ReadResult;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.ManualEventLoops;
import io.tidemark.core.testkit.ManualScheduler;
import io.tidemark.model.Acks;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.record.Codec;
import io.tidemark.record.ProducerStamp;
import io.tidemark.record.RecordBatch;
import io.tidemark.record.RecordBatchBuilder;
import io.tidemark.record.RecordBatches;
import io.tidemark.replication.fetch.FetchEntry;
import io.tidemark.replication.fetch.ReplicaFetch;
import io.tidemark.replication.fetch.TestBroker;
import io.tidemark.replication.fetch.TestLogs;
import io.tidemark.replication.fetch.TestStates;
import io.tidemark.replication.partition.Follower;
import io.tidemark.runtime.Cancellable;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ProduceHandlerTest {
    private static final TopicPartition P0 = new TopicPartition("t", 0);
    private static final TopicPartition P1 = new TopicPartition("t", 1);
    private static final TopicPartition UNKNOWN = new TopicPartition("nowhere", 0);

    private final ManualScheduler scheduler = new ManualScheduler(new ManualClock(0, 0));
    private final TestBroker broker = new TestBroker(1, new ManualEventLoops(scheduler));
    private final TestLogs logs = new TestLogs(scheduler);
    private final Log log0 = logs.open(P0);
    private final TestLogs otherDisk = new TestLogs(scheduler);
    private final Log log1 = otherDisk.open(P1);
    private final List<List<Produce.Result>> answers = new ArrayList<>();

    @AfterEach
    void shouldHaveFailedNowhere() {
        broker.assertNothingFailed();
    }

    @ParameterizedTest
    @EnumSource(Acks.class)
    void shouldAcknowledgeAtOnceWhenTheLeaderIsAlone(Acks acks) {
        // given
        lead(P0, log0, 1, 1);

        // when
        produce(acks, part(P0, batch("a", "b")), part(UNKNOWN, batch("c")));

        // then
        assertThat(errors()).containsExactly(ErrorCode.NONE, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(answers.get(0).get(0).baseOffset()).isZero();
        assertThat(log0.end().offset()).isEqualTo(2);
        assertThat(broker.waiting()).isZero();
    }

    /** acks=0 and 1 never wait, acks=all waits for the followers. */
    @ParameterizedTest
    @EnumSource(Acks.class)
    void shouldWaitForFollowersOnlyWithAcksAll(Acks acks) {
        // scenario 28. Fails if: PurgatorySignals.advanced does not signal produces
        // given
        lead(P0, log0, 1, 1, 2);

        // when
        produce(acks, part(P0, batch("a")));

        // then
        assertThat(answers).hasSize(acks == Acks.ALL ? 0 : 1);
        if (acks == Acks.ALL) {
            followerFetch(P0, 1);
            assertThat(errors()).containsExactly(ErrorCode.NONE);
        }
        assertThat(broker.waiting()).isZero();
    }

    @Test
    void shouldAnswerInTheOrderOfTheRequestOnceEveryPartIsDecided() {
        // given
        lead(P0, log0, 1, 1, 2);
        lead(P1, log1, 1, 1, 2);
        produce(Acks.LEADER, part(P1, batch("before")));
        answers.clear();

        // when
        produce(Acks.ALL, part(UNKNOWN, batch("x")), part(P1, batch("a")), part(P0, batch("b")));
        followerFetch(P0, 1);
        assertThat(answers).isEmpty();
        followerFetch(P1, 2);

        // then
        assertThat(answers).hasSize(1);
        assertThat(errors()).containsExactly(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, ErrorCode.NONE, ErrorCode.NONE);
        assertThat(answers.get(0)).extracting(Produce.Result::partition).containsExactly(UNKNOWN, P1, P0);
        assertThat(answers.get(0)).extracting(Produce.Result::baseOffset).containsExactly(-1L, 1L, 0L);
    }

    @Test
    void shouldRefuseAPartitionThatIsNamedTwiceAndWriteNothingToIt() {
        // given
        lead(P0, log0, 1, 1);
        lead(P1, log1, 1, 1);

        // when
        produce(Acks.LEADER, part(P0, batch("a")), part(P1, batch("b")), part(P0, batch("c")));

        // then
        assertThat(errors()).containsExactly(ErrorCode.INVALID_REQUEST, ErrorCode.NONE, ErrorCode.INVALID_REQUEST);
        assertThat(log0.end().offset()).isZero();
    }

    @Test
    void shouldRefuseBadBytesAndGoOnWithTheOtherParts() {
        // given
        lead(P0, log0, 1, 1);
        lead(P1, log1, 1, 1);
        ByteBuffer damaged = batch("a");
        damaged.put(damaged.limit() - 1, (byte) (damaged.get(damaged.limit() - 1) + 1));

        // when
        produce(Acks.ALL, part(P0, damaged), part(P1, batch("b")));

        // then
        assertThat(errors()).containsExactly(ErrorCode.CORRUPT_MESSAGE, ErrorCode.NONE);
        assertThat(answers.get(0).get(0).message()).isNotEmpty();
        assertThat(log0.end().offset()).isZero();
    }

    // Scenario 20
    // Fails if: ProduceHandler.rules always answers that keys are optional.
    @Test
    void shouldRefuseRecordsWithoutAKeyForACompactedTopic() {
        // given
        TopicPartition compacted = new TopicPartition(TestBroker.COMPACTED_PREFIX + "-state", 0);
        Log log = logs.open(compacted);
        lead(compacted, log, 1, 1);
        lead(P0, log0, 1, 1);

        // when
        produce(Acks.ALL, part(compacted, batch("a")), part(P0, batch("b")));

        // then
        assertThat(errors()).containsExactly(ErrorCode.INVALID_RECORD, ErrorCode.NONE);
        assertThat(answers.get(0).get(0).message()).contains("compacted-state").contains("no key");
        assertThat(log.end().offset()).isZero();
    }

    /** The limit is for each batch, not for their sum. */
    @Test
    void shouldRefuseABatchAboveTheTopicsLimit() {
        // given
        lead(P0, log0, 1, 1);
        lead(P1, log1, 1, 1);
        ByteBuffer half = batch("v".repeat(TestBroker.MAX_MESSAGE_BYTES / 2));
        ByteBuffer threeHalves = ByteBuffer.allocate(3 * half.limit());
        threeHalves
                .put(half.duplicate())
                .put(half.duplicate())
                .put(half.duplicate())
                .flip();

        // when
        produce(Acks.ALL, part(P0, batch("v".repeat(TestBroker.MAX_MESSAGE_BYTES))), part(P1, threeHalves));

        // then
        assertThat(errors()).containsExactly(ErrorCode.MESSAGE_TOO_LARGE, ErrorCode.NONE);
        assertThat(log0.end().offset()).isZero();
        assertThat(log1.end().offset()).isEqualTo(3);
    }

    /** I13: refused before anything is written. */
    @Test
    void shouldRefuseAcksAllBeforeTheAppendWhenTooFewAreInSync() {
        // Fails if: Partition.appendAsLeader does not look at the gate
        // given
        broker.add(log0);
        broker.become(TestStates.withMinIsr(2, TestStates.led(P0, 1, 1, 1, 1)));

        // when
        produce(Acks.ALL, part(P0, batch("a")));
        produce(Acks.LEADER, part(P0, batch("b")));

        // then
        assertThat(errors()).containsExactly(ErrorCode.NOT_ENOUGH_REPLICAS, ErrorCode.NONE);
        assertThat(log0.end().offset()).isEqualTo(1);
    }

    /** I13, scenario 28: the in-sync set shrinks below the minimum while a produce waits. */
    @Test
    void shouldSayThatTooFewAreInSyncAfterTheAppend() {
        // Fails if: DelayedProduce does not look at the gate
        // given
        broker.add(log0);
        broker.become(TestStates.withMinIsr(2, TestStates.led(P0, 1, 1, 1, 1, 2)));
        produce(Acks.ALL, part(P0, batch("a")));

        // when
        broker.become(TestStates.withMinIsr(2, TestStates.led(P0, 1, 1, 2, 1)));

        // then
        assertThat(errors()).containsExactly(ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND);
        assertThat(answers.get(0).get(0).baseOffset()).isEqualTo(-1);
        assertThat(broker.waiting()).isZero();
    }

    /** KAFKA-14991, redpanda-data/redpanda#9820: a record of the far future would keep its segment for years. */
    // Fails if: ProduceHandler validates with a ProducedLimits of ANY_TIMESTAMP
    @Test
    void shouldRefuseARecordOfTheFarFutureAndGoOnWithTheOtherParts() {
        // given: the default limit of an hour, and a clock that shows ten minutes
        lead(P0, log0, 1, 1);
        lead(P1, log1, 1, 1);
        scheduler.clock().advance(Duration.ofMinutes(10));
        long latestMs = Duration.ofMinutes(70).toMillis();

        // when
        produce(Acks.ALL, part(P0, timed(latestMs + 1)), part(P1, timed(latestMs)));

        // then
        assertThat(errors()).containsExactly(ErrorCode.INVALID_TIMESTAMP, ErrorCode.NONE);
        assertThat(answers.get(0).get(0).message())
                .contains(String.valueOf(latestMs + 1))
                .contains(String.valueOf(latestMs));
        assertThat(log0.end().offset()).isZero();
        assertThat(log1.end().offset()).isEqualTo(1);
    }

    /** KAFKA-14991, redpanda-data/redpanda#9820: with append-time stamping the client's stamp has no influence at all. */
    // Fails if: ProduceHandler.append does not call timestamps.stamp
    @Test
    void shouldStampBatchesOfATopicThatGoesByAppendTime() {
        // given: ten years ahead, and long ago
        broker.takes(MessageConfig.DEFAULTS.withTimestamps(TimestampType.LOG_APPEND_TIME, Duration.ZERO));
        lead(P0, log0, 1, 1);
        scheduler.clock().advance(Duration.ofMinutes(10));

        // when
        produce(Acks.ALL, part(P0, timed(Duration.ofDays(3_650).toMillis(), 5)));
        produce(Acks.ALL, part(P0, timed(1)));

        // then
        assertThat(errors()).containsExactly(ErrorCode.NONE, ErrorCode.NONE);
        assertThat(answers.get(1).get(0).baseOffset()).isEqualTo(2);
        ReadResult.Data data = (ReadResult.Data)
                log0.read(new ReadRequest(0, 1 << 20, ReadRequest.TO_END, ReadRequest.Minimum.ONE_BATCH));
        int batches = 0;
        for (RecordBatch batch : RecordBatches.of(data.batches())) {
            batches++;
            assertThat(batch.isCrcValid()).isTrue();
            assertThat(batch.hasAppendTime()).isTrue();
            assertThat(batch.maxTimestampMs()).isEqualTo(600_000);
            assertThat(batch.records()).allMatch(record -> record.timestampMs() == 600_000);
        }
        assertThat(batches).isEqualTo(2);
    }

    private static ByteBuffer timed(long... timestampsMs) {
        RecordBatchBuilder builder = new RecordBatchBuilder(Codec.NONE, 1 << 20, 1 << 20);
        for (long timestampMs : timestampsMs) {
            builder.tryAppend(timestampMs, null, ByteBuffer.wrap(new byte[] {1}), List.of());
        }
        ByteBuffer built = builder.build(ProducerStamp.NONE);
        return ByteBuffer.allocate(built.remaining()).put(built.duplicate()).flip();
    }

    /** KAFKA-9198 (b), S38. */
    @Test
    void shouldAnswerAtOnceWhenLeadershipIsLost() {
        // scenario 28. Fails if: PurgatorySignals.ended does not signal produces
        // given
        lead(P0, log0, 1, 1, 2);
        produce(Acks.ALL, part(P0, batch("a")));

        // when
        broker.become(TestStates.led(P0, 2, 2, 2, 2));

        // then
        assertThat(errors()).containsExactly(ErrorCode.NOT_LEADER_OR_FOLLOWER);
        assertThat(answers.get(0).get(0).leader()).isEqualTo(2);
        assertThat(answers.get(0).get(0).leaderEpoch()).isEqualTo(2);
        assertThat(broker.waiting()).isZero();
    }

    /** KAFKA-9198: the same leader in a later epoch has made no promise about the earlier one. */
    @Test
    void shouldNotAcknowledgeInALaterEpochOfTheSameLeader() {
        // Fails if: DelayedProduce asks for the role and not for its epoch
        // given
        lead(P0, log0, 1, 1, 2);
        produce(Acks.ALL, part(P0, batch("a")));

        // when
        broker.become(TestStates.led(P0, 1, 2, 2, 1));

        // then
        assertThat(errors()).containsExactly(ErrorCode.NOT_LEADER_OR_FOLLOWER);
    }

    /** KAFKA-9198 (a). */
    @Test
    void shouldAnswerAtOnceWhenTheReplicaIsStopped() {
        // scenario 27. Fails if: PurgatorySignals.ended does not signal produces
        // given
        lead(P0, log0, 1, 1, 2);
        produce(Acks.ALL, part(P0, batch("a")));

        // when
        broker.stop(P0, ErrorCode.NOT_LEADER_OR_FOLLOWER);

        // then
        assertThat(errors()).containsExactly(ErrorCode.NOT_LEADER_OR_FOLLOWER);
        assertThat(broker.waiting()).isZero();
    }

    @Test
    void shouldTimeOutWithUnknownOutcomeAndKeepTheRecords() {
        // scenario 28
        // given
        lead(P0, log0, 1, 1, 2);
        produce(Acks.ALL, part(P0, batch("a")));

        // when
        scheduler.advance(Duration.ofMillis(1_001));

        // then
        assertThat(errors()).containsExactly(ErrorCode.REQUEST_TIMED_OUT);
        assertThat(log0.end().offset()).isEqualTo(1);
        assertThat(broker.waiting()).isZero();
    }

    @Test
    void shouldAnswerANonPositiveTimeoutAtOnce() {
        // given
        lead(P0, log0, 1, 1, 2);

        // when
        broker.produce(new Produce.Request(Acks.ALL, -5, List.of(part(P0, batch("a")))), answers);
        scheduler.advance(Duration.ofMillis(2));

        // then
        assertThat(errors()).containsExactly(ErrorCode.REQUEST_TIMED_OUT);
    }

    /** A caller that vanished leaves nothing behind, and its records stay (S25). */
    @Test
    void shouldForgetACallerThatIsGone() {
        // Fails if: the request's Cancellable does nothing
        // given
        lead(P0, log0, 1, 1, 2);
        Produce.Request request = new Produce.Request(Acks.ALL, 1_000, List.of(part(P0, batch("a"))));
        Cancellable waiting = broker.produce(request, answers);

        // when
        waiting.cancel();
        followerFetch(P0, 1);
        scheduler.advance(Duration.ofSeconds(2));

        // then
        assertThat(answers).isEmpty();
        assertThat(broker.waiting()).isZero();
        assertThat(broker.partition(P0).view().highWatermark()).isEqualTo(1);
    }

    /** S15: nothing is acknowledged after a storage failure, not even what was written before it. */
    @Test
    void shouldAcknowledgeNothingAfterAStorageFailure() {
        // given
        lead(P0, log0, 1, 1);
        lead(P1, log1, 1, 1, 2);
        List<List<Produce.Result>> earlier = broker.produce(Acks.ALL, 5_000, P1, batch("waits"));
        otherDisk.fillDisk();

        // when
        produce(Acks.LEADER, part(P0, batch("a")), part(P1, batch("b")), part(UNKNOWN, batch("c")));
        produce(Acks.LEADER, part(P0, batch("d")));

        // then
        assertThat(errors()).hasSize(4).containsOnly(ErrorCode.KAFKA_STORAGE_ERROR);
        assertThat(broker.storageFailures()).hasSize(1);
        assertThat(log0.end().offset()).as("later ones are not written either").isEqualTo(1);

        // and when what waited is committed
        followerFetch(P1, 1);

        // then
        assertThat(earlier).hasSize(1);
        assertThat(earlier.get(0).get(0).error()).isEqualTo(ErrorCode.KAFKA_STORAGE_ERROR);
    }

    /** S15, DESIGN 5: a flusher, fetcher, checkpoint, command or cleaner thread may be the one that meets the failure. */
    // Fails if: ProduceHandler.results looks at failures of its own appends only.
    @ParameterizedTest
    @EnumSource(Acks.class)
    void shouldAcknowledgeNothingOnceAnotherThreadMetAStorageFailure(Acks acks) {
        // given
        lead(P0, log0, 1, 1);
        lead(P1, log1, 1, 1, 2);
        List<List<Produce.Result>> earlier = broker.produce(Acks.ALL, 5_000, P1, batch("waits"));

        // when
        broker.storageLatch().onStorageFailure(new KafkaStorageException("a force failed"));
        produce(acks, part(P0, batch("a")));
        followerFetch(P1, 1);

        // then
        assertThat(errors()).containsExactly(ErrorCode.KAFKA_STORAGE_ERROR);
        assertThat(log0.end().offset()).isZero();
        assertThat(earlier).hasSize(1);
        assertThat(earlier.get(0).get(0).error()).isEqualTo(ErrorCode.KAFKA_STORAGE_ERROR);
        assertThat(broker.waiting()).isZero();
    }

    @Test
    void shouldEndWhatWaitsOnAStorageFailure() {
        // given
        lead(P0, log0, 1, 1, 2);
        produce(Acks.ALL, part(P0, batch("a")));

        // when
        broker.signals().ended(P0, ErrorCode.KAFKA_STORAGE_ERROR);

        // then
        assertThat(errors()).containsExactly(ErrorCode.KAFKA_STORAGE_ERROR);
    }

    private void lead(TopicPartition name, Log log, int leaderEpoch, Integer... isr) {
        broker.add(log);
        broker.become(TestStates.led(name, 1, leaderEpoch, 1, isr));
    }

    private void produce(Acks acks, Produce.Part... parts) {
        broker.produce(new Produce.Request(acks, 1_000, Arrays.asList(parts)), answers);
    }

    /** Broker 2 proves that it has everything below the offset. */
    private void followerFetch(TopicPartition name, long fetchOffset) {
        FetchEntry entry = new FetchEntry(TestLogs.TOPIC_ID, name, 1, fetchOffset, 1, 0, 1_000);
        Follower follower = new Follower(2, TestBroker.epochOf(2));
        List<ReplicaFetch.Answer> fetched = new ArrayList<>();
        broker.fetchHandler()
                .fetchAsReplica(
                        new ReplicaFetch.Request(follower, 0, 0, 0, 1, 1_000, List.of(entry), List.of()), fetched::add);
        assertThat(fetched).hasSize(1);
        assertThat(fetched.get(0).error()).isEqualTo(ErrorCode.NONE);
    }

    private List<ErrorCode> errors() {
        return answers.stream().flatMap(List::stream).map(Produce.Result::error).toList();
    }

    private static Produce.Part part(TopicPartition partition, ByteBuffer batches) {
        return new Produce.Part(partition, -1, batches);
    }

    private static ByteBuffer batch(String... values) {
        return TestLogs.batch(values);
    }
}
