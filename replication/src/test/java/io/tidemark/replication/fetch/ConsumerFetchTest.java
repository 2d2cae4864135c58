package io.tidemark.replication.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.ManualEventLoops;
import io.tidemark.core.testkit.ManualScheduler;
import io.tidemark.model.Acks;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.record.RecordBatch;
import io.tidemark.record.RecordBatches;
import io.tidemark.replication.partition.Follower;
import io.tidemark.runtime.Cancellable;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ConsumerFetchTest {
    private static final TopicPartition P0 = new TopicPartition("t", 0);
    private static final TopicPartition P1 = new TopicPartition("t", 1);
    private static final TopicPartition UNKNOWN = new TopicPartition("nowhere", 0);
    private static final int BATCH_BYTES = TestLogs.batch("0123456789").limit();

    private final ManualScheduler scheduler = new ManualScheduler(new ManualClock(0, 0));
    private final TestLogs logs = new TestLogs(scheduler);
    private final TestBroker broker = new TestBroker(1, new ManualEventLoops(scheduler));
    private final List<List<ConsumerFetch.Result>> answers = new ArrayList<>();

    @AfterEach
    void shouldHaveFailedNowhere() {
        broker.assertNothingFailed();
    }

    @Test
    void shouldAnswerAtOnceWithWhatIsThere() {
        // given
        lead(P0, 1);
        write(P0, 3);

        // when
        fetch(1, 500, entry(P0, 1, 10_000));

        // then
        assertThat(offsets(0)).containsExactly(1L, 2L);
        assertThat(result(0).highWatermark()).isEqualTo(3);
    }

    /** I15: nothing at or above the high watermark, whatever the log holds. */
    @Test
    void shouldGiveNothingAboveTheHighWatermark() {
        // given
        lead(P0, 1, 2);
        write(P0, 3);
        followerFetch(P0, 2);

        // when
        fetch(1, 500, entry(P0, 0, 10_000));

        // then
        assertThat(offsets(0)).containsExactly(0L, 1L);
    }

    /** S40: with a slow follower the fetch ends on the move of the high watermark, not on the append. */
    @Test
    void shouldWaitForTheHighWatermarkAndNotForTheAppend() {
        // S30. Fails if: PurgatorySignals.advanced does not signal the consumers' purgatory
        // given
        lead(P0, 1, 2);

        // when
        fetch(3 * BATCH_BYTES, 5_000, entry(P0, 0, 10_000));
        write(P0, 5);
        followerFetch(P0, 1);
        followerFetch(P0, 2);
        assertThat(answers).isEmpty();
        followerFetch(P0, 3);

        // then
        assertThat(offsets(0)).containsExactly(0L, 1L, 2L);
        assertThat(broker.waiting()).isZero();
    }

    /** S33: partitions behind contribute, partitions caught up contribute nothing. */
    @Test
    void shouldAddUpOverPartitions() {
        // Fails if: DelayedFetch.isSatisfied compares each difference with the minimum instead of their sum
        // given
        lead(P0, 1);
        lead(P1, 1);
        write(P0, 2);

        // when
        fetch(3 * BATCH_BYTES, 5_000, entry(P0, 0, 10_000), entry(P1, 0, 10_000));
        assertThat(answers).isEmpty();
        write(P1, 1);

        // then
        assertThat(answers.get(0)).hasSize(2);
        assertThat(offsets(0)).containsExactly(0L, 1L);
        assertThat(offsets(1)).containsExactly(0L);
    }

    /** S41. */
    @Test
    void shouldAnswerEmptyAtTheMaximumWait() {
        // Fails if: ConsumerFetches gives its operation another timeout than the request's
        // given
        lead(P0, 1);

        // when
        fetch(1, 500, entry(P0, 0, 10_000));
        scheduler.advance(Duration.ofMillis(499));
        assertThat(answers).isEmpty();
        scheduler.advance(Duration.ofMillis(2));

        // then
        assertThat(result(0).error()).isEqualTo(ErrorCode.NONE);
        assertThat(result(0).batches().hasRemaining()).isFalse();
        assertThat(broker.waiting()).isZero();
    }

    @Test
    void shouldNotWaitWhenNoWaitIsWantedOrNothingIsAsked() {
        lead(P0, 1);
        fetch(1, 0, entry(P0, 0, 10_000));
        assertThat(answers).hasSize(1);
        fetch(1, 500);
        assertThat(answers).hasSize(2);
        assertThat(broker.waiting()).isZero();
    }

    @Test
    void shouldAnswerErrorsAtOnceBesideWhatIsThere() {
        // given
        lead(P0, 1);
        write(P0, 1);

        // when
        fetch(1_000, 500, entry(UNKNOWN, 0, 10), entry(P0, 0, 10_000));

        // then
        assertThat(result(0).error()).isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(offsets(1)).containsExactly(0L);
    }

    @Test
    void shouldAnswerOutOfRangeAtOnce() {
        lead(P0, 1);
        write(P0, 1);
        fetch(1, 500, entry(P0, 2, 10_000));
        assertThat(result(0).error()).isEqualTo(ErrorCode.OFFSET_OUT_OF_RANGE);
    }

    /** I16: between a new leader's high watermark and its log end there is nothing yet, and no error. */
    @Test
    void shouldWaitBetweenHighWatermarkAndLogEnd() {
        // Fails if: an offset above the high watermark is out of range
        // given
        lead(P0, 1, 2);
        write(P0, 4);

        // when
        fetch(1, 500, entry(P0, 3, 10_000));
        followerFetch(P0, 3);
        assertThat(answers).isEmpty();
        followerFetch(P0, 4);

        // then
        assertThat(offsets(0)).containsExactly(3L);
    }

    /** KIP-320: the log was cut below what the client has read. */
    @Test
    void shouldTellADivergenceAtOnce() {
        // scenario 26. Fails if: ConsumerFetches waits though the reader diverges
        // given
        lead(P0, 1);
        write(P0, 2);

        // when
        broker.fetchHandler()
                .fetch(
                        new ConsumerFetch.Request(
                                500, 1, 10_000, List.of(new ConsumerFetch.Entry(P0, -1, 5, 1, 10_000))),
                        answers::add);

        // then
        assertThat(result(0).diverging()).isNotNull();
        assertThat(result(0).diverging().endOffset()).isEqualTo(2);
    }

    /** S36. Fails if: LogHousekeeping tells nobody, or startMoved does not signal the consumers' purgatory. */
    @Test
    void shouldEndTheWaitForAnOffsetThatRetentionTookAway() {
        // given
        lead(P0, 1);
        write(P0, 3);
        fetch(1 << 20, 30_000, entry(P0, 1, 10_000));
        fetch(1 << 20, 30_000, entry(P0, 2, 10_000));

        // when
        broker.partition(P0).log().advanceStartOffset(2);
        assertThat(answers).isEmpty();
        broker.signals().startMoved(P0);

        // then
        assertThat(answers).hasSize(1);
        assertThat(result(0).error()).isEqualTo(ErrorCode.OFFSET_OUT_OF_RANGE);
    }

    /** KAFKA-9198, S38. */
    @Test
    void shouldEndTheWaitWhenLeadershipIsLostOrTheReplicaStops() {
        // scenario 27. Fails if: PurgatorySignals.ended does not signal the consumers' purgatory
        // given
        lead(P0, 1);
        lead(P1, 1);
        fetch(1, 30_000, entry(P0, 0, 10_000));
        fetch(1, 30_000, entry(P1, 0, 10_000));

        // when
        broker.become(TestStates.led(P0, 2, 2, 2, 2));
        broker.stop(P1, ErrorCode.NOT_LEADER_OR_FOLLOWER);

        // then
        assertThat(answers).hasSize(2);
        assertThat(result(0).error()).isEqualTo(ErrorCode.NOT_LEADER_OR_FOLLOWER);
        assertThat(result(0).leader()).isEqualTo(2);
        assertThat(answers.get(1).get(0).error()).isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(broker.waiting()).isZero();
    }

    @Test
    void shouldForgetACallerThatIsGone() {
        // given
        lead(P0, 1);
        Cancellable waiting = fetch(1, 500, entry(P0, 0, 10_000));

        // when
        waiting.cancel();
        write(P0, 1);
        scheduler.advance(Duration.ofSeconds(1));

        // then
        assertThat(answers).isEmpty();
        assertThat(broker.waiting()).isZero();
    }

    /** KAFKA-2063: the first partition with data gives one whole batch whatever the limits; the others keep to them. */
    @Test
    void shouldAlwaysGiveOneWholeBatch() {
        // given
        lead(P0, 1);
        lead(P1, 1);
        write(P0, 1);
        write(P1, 1);

        // when
        fetch(1, 500, entry(P0, 0, 5), entry(P1, 0, 5));
        fetch(1, 500, entry(P1, 0, 10_000));

        // then
        int given = result(0).batches().remaining()
                + answers.get(0).get(1).batches().remaining();
        assertThat(given).isEqualTo(BATCH_BYTES);
        assertThat(answers.get(1).get(0).batches().remaining()).isEqualTo(BATCH_BYTES);
    }

    /** KAFKA-2063: 100 B, 300 KB, 100 B through a limit of 1 KB. */
    @Test
    void shouldPassABatchThatIsLargerThanTheLimits() {
        // given
        lead(P0, 1);
        for (int sizeBytes : new int[] {100, 300_000, 100}) {
            broker.produce(Acks.LEADER, 0, P0, TestLogs.batch("v".repeat(sizeBytes)));
        }

        for (long offset = 0; offset < 3; offset++) {
            // when
            answers.clear();
            broker.fetchHandler()
                    .fetch(new ConsumerFetch.Request(0, 1, 2_048, List.of(entry(P0, offset, 1_024))), answers::add);

            // then
            assertThat(offsets(0)).containsExactly(offset);
        }
    }

    /** KAFKA-2063: no partition is always the one for which no room is left. */
    @Test
    void shouldLetEveryPartitionHaveItsTurn() {
        // given
        TreeSet<Integer> served = new TreeSet<>();
        List<ConsumerFetch.Entry> entries = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            TopicPartition name = new TopicPartition("t", i);
            lead(name, 1);
            write(name, 1);
            entries.add(entry(name, 0, 1));
        }

        // when
        for (int round = 0; round < 100; round++) {
            answers.clear();
            broker.fetchHandler().fetch(new ConsumerFetch.Request(0, 1, 1, entries), answers::add);
            for (int i = 0; i < 5; i++) {
                if (answers.get(0).get(i).batches().hasRemaining()) {
                    served.add(i);
                }
            }
        }

        // then
        assertThat(served).containsExactly(0, 1, 2, 3, 4);
    }

    @Test
    void shouldKeepToTheLimitOfTheWholeAnswer() {
        // given
        lead(P0, 1);
        lead(P1, 1);
        write(P0, 10);
        write(P1, 10);

        // when
        broker.fetchHandler()
                .fetch(
                        new ConsumerFetch.Request(
                                0, 1, 12 * BATCH_BYTES, List.of(entry(P0, 0, 100_000), entry(P1, 0, 100_000))),
                        answers::add);

        // then
        int given =
                answers.get(0).stream().mapToInt(r -> r.batches().remaining()).sum();
        assertThat(given).isEqualTo(12 * BATCH_BYTES);
    }

    /** KAFKA-664: finished fetches leave the lists of quiet partitions. */
    @Test
    void shouldLeaveNothingBehindAfterManyFetches() {
        // Fails if: Purgatory.release leaves the places under the other keys
        // given
        lead(P0, 1);
        lead(P1, 1);

        // when
        for (int i = 0; i < 2_000; i++) {
            fetch(1, 60_000, entry(P0, i, 200), entry(P1, 0, 200));
            write(P0, 1);
        }

        // then
        assertThat(answers).hasSize(2_000);
        assertThat(broker.waiting()).isZero();
        assertThat(broker.consumerWaits().delayed()).isZero();
        assertThat(broker.consumerWaits().watchedKeys()).isZero();
    }

    private void lead(TopicPartition name, Integer... isr) {
        broker.add(logs.open(name));
        broker.become(TestStates.led(name, 1, 1, 1, isr));
    }

    private void write(TopicPartition name, int batches) {
        for (int i = 0; i < batches; i++) {
            broker.produce(Acks.LEADER, 0, name, TestLogs.batch("0123456789"));
        }
    }

    private void followerFetch(TopicPartition name, long fetchOffset) {
        FetchEntry entry = new FetchEntry(TestLogs.TOPIC_ID, name, 1, fetchOffset, 1, 0, 1_000);
        Follower follower = new Follower(2, TestBroker.epochOf(2));
        broker.fetchHandler()
                .fetchAsReplica(
                        new ReplicaFetch.Request(follower, 0, 0, 0, 1, 1_000, List.of(entry), List.of()),
                        fetched -> {});
    }

    private Cancellable fetch(int minBytes, int maxWaitMs, ConsumerFetch.Entry... entries) {
        ConsumerFetch.Request request =
                new ConsumerFetch.Request(maxWaitMs, minBytes, 1_000_000, Arrays.asList(entries));
        return broker.fetchHandler().fetch(request, answers::add);
    }

    private static ConsumerFetch.Entry entry(TopicPartition partition, long fetchOffset, int maxBytes) {
        return new ConsumerFetch.Entry(partition, -1, fetchOffset, -1, maxBytes);
    }

    /** Of the first answer. */
    private ConsumerFetch.Result result(int part) {
        assertThat(answers).isNotEmpty();
        return answers.get(0).get(part);
    }

    private List<Long> offsets(int part) {
        List<Long> offsets = new ArrayList<>();
        ByteBuffer batches = result(part).batches();
        for (RecordBatch batch : RecordBatches.of(batches)) {
            offsets.add(batch.baseOffset());
        }
        return offsets;
    }
}
