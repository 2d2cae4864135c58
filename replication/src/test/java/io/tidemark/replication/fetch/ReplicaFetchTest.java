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
import io.tidemark.replication.produce.Produce;
import io.tidemark.runtime.Cancellable;
import io.tidemark.runtime.EventLoops;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The leader's side of walk (b). */
final class ReplicaFetchTest {
    private static final TopicPartition P0 = new TopicPartition("t", 0);
    private static final TopicPartition P1 = new TopicPartition("t", 1);
    private static final TopicPartition UNKNOWN = new TopicPartition("nowhere", 0);
    private static final Follower F2 = new Follower(2, TestBroker.epochOf(2));
    private static final int BATCH_BYTES = TestLogs.batch("0123456789").limit();

    private final ManualScheduler scheduler = new ManualScheduler(new ManualClock(0, 0));
    private final ManualEventLoops loops = new ManualEventLoops(scheduler);
    private final EventLoops.Loop wakeUps = loops.open("wake-ups");
    private final TestLogs logs = new TestLogs(scheduler);
    private final TestBroker broker =
            new TestBroker(1, 10, loops, new FetchSettings(1 << 20, 10, 3, Duration.ofSeconds(1)), wakeUps);
    private final List<ReplicaFetch.Answer> answers = new ArrayList<>();
    private long session;
    private int epoch;

    @AfterEach
    void shouldHaveFailedNowhere() {
        broker.assertNothingFailed();
    }

    @Test
    void shouldOpenASessionAndGiveWhatIsThere() {
        // given
        lead(P0, 1, 2);
        write(P0, 3);

        // when
        open(entry(P0, 1));

        // then
        assertThat(last().error()).isEqualTo(ErrorCode.NONE);
        assertThat(session).isPositive();
        assertThat(offsets(P0)).containsExactly(1L, 2L);
    }

    /** DESIGN section 5: progress and high watermark first, then the read, so that the answer carries the moved one. */
    @Test
    void shouldCountEverythingBeforeItReads() {
        // given
        lead(P0, 1, 2);
        lead(P1, 1, 2);
        write(P0, 2);
        write(P1, 2);
        List<List<Produce.Result>> produced = broker.produce(Acks.ALL, 10_000, P1, TestLogs.batch("x"));

        // when
        open(entry(P0, 1), entry(P1, 3));

        // then
        assertThat(result(P0).highWatermark()).isEqualTo(1);
        assertThat(result(P1).highWatermark()).isEqualTo(3);
        assertThat(produced).hasSize(1);
    }

    /** Only what has something to say is named, and said once. */
    @Test
    void shouldNameOnlyPartitionsWithSomethingToSay() {
        // given
        lead(P0, 1, 2);
        lead(P1, 1, 2);
        open(entry(P0, 0), entry(P1, 0));

        // when
        write(P1, 1);
        next(0);

        // then
        assertThat(last().results()).extracting(ReplicaFetch.Result::partition).containsExactly(P1);
        next(0, entry(P1, 1));
        assertThat(last().results()).as("the high watermark rides on").hasSize(1);
        assertThat(result(P1).highWatermark()).isEqualTo(1);
        next(0);
        assertThat(last().results()).isEmpty();
    }

    /** S32: an append ends the wait; the high watermark's move does not (DESIGN section 4). */
    @Test
    void shouldWaitForAppendsAndNotForTheHighWatermark() {
        // Fails if: PurgatorySignals.advanced wakes sessions
        // given
        lead(P0, 1, 2, 3);
        write(P0, 1);
        open(entry(P0, 0));
        next(500, entry(P0, 1));
        assertThat(answers).hasSize(1);

        // when broker 3 moves the high watermark
        fetchAsBroker3(entry(P0, 1));
        loops.runAll();

        // then
        assertThat(broker.partition(P0).view().highWatermark()).isEqualTo(1);
        assertThat(answers).hasSize(1);

        // when
        write(P0, 1);
        loops.runAll();

        // then
        assertThat(answers).hasSize(2);
        assertThat(offsets(P0)).containsExactly(1L);
        assertThat(result(P0).highWatermark()).isEqualTo(1);
    }

    /** Moved by this follower's own fetch, or by another's while this one waits. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldTellTheHighWatermarkAtTheEndOfAWaitWithoutData(boolean other) {
        // given
        lead(P0, other ? new Integer[] {1, 2, 3} : new Integer[] {1, 2});
        write(P0, 1);
        open(entry(P0, 0));
        next(500, entry(P0, 1));

        // when
        if (other) {
            fetchAsBroker3(entry(P0, 1));
        }
        scheduler.advance(Duration.ofMillis(501));

        // then
        assertThat(result(P0).highWatermark()).isEqualTo(1);
        assertThat(result(P0).batches().hasRemaining()).isFalse();
        assertThat(broker.waiting()).isZero();
    }

    /** S33: the sum over the session's partitions. */
    @Test
    void shouldWaitForTheMinimumOverAllPartitions() {
        // Fails if: FetchSession.isReady takes the first partition for the sum
        // given
        lead(P0, 1, 2);
        lead(P1, 1, 2);
        open(entry(P0, 0), entry(P1, 0));

        // when
        send(500, 3 * BATCH_BYTES);
        write(P0, 2);
        loops.runAll();
        assertThat(answers).hasSize(1);
        write(P1, 1);
        loops.runAll();

        // then
        assertThat(answers).hasSize(2);
        assertThat(offsets(P0)).containsExactly(0L, 1L);
        assertThat(offsets(P1)).containsExactly(0L);
    }

    /** What was read but not sent for want of the minimum is there when the wait ends. */
    @Test
    void shouldGiveAtTheEndOfTheWaitWhatWasTooLittle() {
        // given
        lead(P0, 1, 2);
        open(entry(P0, 0));
        write(P0, 1);

        // when
        send(500, 10_000);
        assertThat(answers).hasSize(1);
        scheduler.advance(Duration.ofMillis(501));

        // then
        assertThat(offsets(P0)).containsExactly(0L);
    }

    /** DESIGN section 5: what one loop pass appends costs one exchange for each follower. */
    @Test
    void shouldCollectTheAppendsOfOnePass() {
        // given
        lead(P0, 1, 2);
        lead(P1, 1, 2);
        open(entry(P0, 0), entry(P1, 0));
        next(500);

        // when
        write(P0, 2);
        write(P1, 1);
        assertThat(answers).hasSize(1);
        loops.runAll();

        // then
        assertThat(answers).hasSize(2);
        assertThat(last().results()).hasSize(2);
    }

    /** S39, I19: what was appended while no request was under way is found by the next. */
    @Test
    void shouldFindWhatWasAppendedBetweenTwoRequests() {
        // Fails if: FetchSession.mark forgets what comes between requests
        // given
        lead(P0, 1, 2);
        open(entry(P0, 0));

        // when
        write(P0, 1);
        loops.runAll();
        next(30_000);

        // then
        assertThat(answers).hasSize(2);
        assertThat(offsets(P0)).containsExactly(0L);
    }

    @Test
    void shouldTellErrorsAtOnceAndGoOnWithTheOthers() {
        // given
        lead(P0, 1, 2);
        write(P0, 1);

        // when
        FetchEntry fromTheFuture = new FetchEntry(TestLogs.TOPIC_ID, P1, 9, 0, -1, 0, 1_000);
        lead(P1, 1, 2);
        send(0, 0, 30_000, 1_000_000, entry(UNKNOWN, 0), fromTheFuture, entry(P0, 0));

        // then
        assertThat(result(UNKNOWN).error()).isEqualTo(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(result(P1).error()).isEqualTo(ErrorCode.UNKNOWN_LEADER_EPOCH);
        assertThat(offsets(P0)).containsExactly(0L);
    }

    /** A follower hears its error once and is left alone until it says something else. */
    @Test
    void shouldTellAnErrorOnce() {
        // given
        lead(P0, 1, 2);
        open(entry(UNKNOWN, 0), entry(P0, 0));

        // when
        next(0);

        // then
        assertThat(last().results()).isEmpty();
    }

    @Test
    void shouldTellADivergenceAtOnceAndCountNothing() {
        // given
        lead(P0, 1, 2);
        write(P0, 2);

        // when
        send(0, 0, 30_000, 1, entry(P0, 7));

        // then
        assertThat(result(P0).diverging()).isNotNull();
        assertThat(result(P0).diverging().endOffset()).isEqualTo(2);
        assertThat(broker.partition(P0).view().highWatermark()).isZero();
    }

    /** KAFKA-9198, S38. */
    @Test
    void shouldEndTheWaitWhenLeadershipIsLost() {
        // scenario 27. Fails if: FetchSession.markUrgent is no more than mark
        // given
        lead(P0, 1, 2);
        lead(P1, 1, 2);
        open(entry(P0, 0), entry(P1, 0));
        next(30_000);

        // when
        broker.become(TestStates.led(P0, 2, 2, 2, 2));
        loops.runAll();

        // then
        assertThat(answers).hasSize(2);
        assertThat(last().results()).extracting(ReplicaFetch.Result::partition).containsExactly(P0);
        assertThat(result(P0).error()).isNotEqualTo(ErrorCode.NONE);
        assertThat(broker.waiting()).isZero();
    }

    /** I6: a session's entry of an earlier leader epoch counts for nothing in the next. */
    @Test
    void shouldRefuseEntriesOfAnEarlierEpoch() {
        // given
        lead(P0, 1, 2);
        write(P0, 1);
        open(entry(P0, 1));
        assertThat(broker.partition(P0).view().highWatermark()).isEqualTo(1);
        broker.become(TestStates.led(P0, 1, 2, 2, 1, 2));
        write(P0, 1);

        // when
        scheduler.advance(Duration.ofSeconds(5));
        next(0);

        // then
        assertThat(result(P0).error()).isEqualTo(ErrorCode.FENCED_LEADER_EPOCH);
        assertThat(broker.partition(P0).view().highWatermark()).isEqualTo(1);
    }

    @Test
    void shouldRefuseWhatBreaksTheSessionContract() {
        // given
        lead(P0, 1, 2);
        open(entry(P0, 0));

        // when
        send(session + 1, 1, 0, 1);
        ReplicaFetch.Answer unknown = last();
        send(session, 2, 0, 1);

        // then
        assertThat(unknown.error()).isEqualTo(ErrorCode.FETCH_SESSION_ID_NOT_FOUND);
        assertThat(last().error()).isEqualTo(ErrorCode.INVALID_FETCH_SESSION_EPOCH);
        next(0);
        assertThat(last().error()).isEqualTo(ErrorCode.NONE);
    }

    /** A fetcher that reconnects ends what its old connection left waiting. */
    @Test
    void shouldAnswerTheFetchOfASessionThatIsReplaced() {
        // given
        lead(P0, 1, 2);
        open(entry(P0, 0));
        next(30_000);

        // when
        send(0, 0, 0, 1, entry(P0, 0));

        // then
        assertThat(answers).hasSize(3);
        assertThat(answers.get(1).error()).isEqualTo(ErrorCode.FETCH_SESSION_ID_NOT_FOUND);
        assertThat(answers.get(2).error()).isEqualTo(ErrorCode.NONE);
        assertThat(broker.sessions().size()).isEqualTo(1);
        assertThat(broker.waiting()).isZero();
    }

    @Test
    void shouldEndTheSessionOfAConnectionThatIsGone() {
        // given
        lead(P0, 1, 2);
        open(entry(P0, 0));
        Cancellable waiting = next(30_000);

        // when
        waiting.cancel();
        write(P0, 1);
        loops.runAll();
        scheduler.advance(Duration.ofMinutes(1));

        // then
        assertThat(answers).hasSize(1);
        assertThat(broker.sessions().size()).isZero();
        assertThat(broker.waiting()).isZero();
    }

    /** KAFKA-2063: a batch beyond the limits comes whole, and what had no room is first the next time. */
    @Test
    void shouldLetEveryPartitionHaveItsTurn() {
        // given
        lead(P0, 1, 2);
        lead(P1, 1, 2);
        write(P0, 2);
        write(P1, 2);

        // when
        sendLimited(0, 0, 10, entry(P0, 0), entry(P1, 0));
        session = last().sessionId();

        // then
        assertThat(offsets(P0)).containsExactly(0L);
        assertThat(last().results()).hasSize(1);

        // when
        sendLimited(session, 1, 10, entry(P0, 1));

        // then
        assertThat(last().results()).extracting(ReplicaFetch.Result::partition).containsExactly(P1);
        sendLimited(session, 2, 10, entry(P1, 1));
        assertThat(last().results()).extracting(ReplicaFetch.Result::partition).containsExactly(P0);
    }

    /** A follower that only waits at the end of an idle log stays caught up (I22), at a bounded cost. */
    @Test
    void shouldTellIdlePartitionsNowAndThenThatTheirFollowerIsThere() {
        // given
        lead(P0, 1, 2);
        open(entry(P0, 0));

        // when
        for (int i = 0; i < 100; i++) {
            next(500);
            scheduler.advance(Duration.ofMillis(501));
            broker.signals().advanced(P0, broker.partition(P0).checkIsr(broker.nowNs()));
        }

        // then
        assertThat(broker.takeProposals()).isEmpty();

        // and when it is silent
        scheduler.advance(Duration.ofSeconds(60));
        broker.signals().advanced(P0, broker.partition(P0).checkIsr(broker.nowNs()));

        // then
        assertThat(broker.takeProposals()).hasSize(1);
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

    private void open(FetchEntry... entries) {
        send(0, 0, 0, 1, entries);
        session = last().sessionId();
        epoch = 0;
    }

    private Cancellable next(int maxWaitMs, FetchEntry... changed) {
        epoch++;
        return send(session, epoch, maxWaitMs, 1, changed);
    }

    private void send(int maxWaitMs, int minBytes) {
        epoch++;
        send(session, epoch, maxWaitMs, minBytes);
    }

    private Cancellable send(long id, int sessionEpoch, int maxWaitMs, int minBytes, FetchEntry... changed) {
        ReplicaFetch.Request request = new ReplicaFetch.Request(
                F2, id, sessionEpoch, maxWaitMs, minBytes, 1_000_000, Arrays.asList(changed), List.of());
        return broker.fetchHandler().fetchAsReplica(request, answers::add);
    }

    private void sendLimited(long id, int sessionEpoch, int maxBytes, FetchEntry... changed) {
        broker.fetchHandler().fetchAsReplica(request(F2, id, sessionEpoch, maxBytes, changed), answers::add);
    }

    private void fetchAsBroker3(FetchEntry entry) {
        Follower self = new Follower(3, TestBroker.epochOf(3));
        broker.fetchHandler().fetchAsReplica(request(self, 0, 0, 0, entry), answer -> {});
    }

    private static ReplicaFetch.Request request(
            Follower follower, long id, int sessionEpoch, int maxBytes, FetchEntry... changed) {
        return new ReplicaFetch.Request(follower, id, sessionEpoch, 0, 1, maxBytes, Arrays.asList(changed), List.of());
    }

    private static FetchEntry entry(TopicPartition partition, long fetchOffset) {
        return new FetchEntry(TestLogs.TOPIC_ID, partition, 1, fetchOffset, fetchOffset == 0 ? -1 : 1, 0, 100_000);
    }

    private ReplicaFetch.Answer last() {
        assertThat(answers).isNotEmpty();
        return answers.get(answers.size() - 1);
    }

    private ReplicaFetch.Result result(TopicPartition partition) {
        return last().results().stream()
                .filter(result -> result.partition().equals(partition))
                .findFirst()
                .orElseThrow();
    }

    private List<Long> offsets(TopicPartition partition) {
        List<Long> offsets = new ArrayList<>();
        for (RecordBatch batch : RecordBatches.of(result(partition).batches())) {
            offsets.add(batch.baseOffset());
        }
        return offsets;
    }
}
