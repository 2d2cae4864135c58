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
import io.tidemark.replication.throttle.ThrottledReplicas;
import io.tidemark.runtime.Cancellable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The leader's side of the throttle: scenario 52. Broker 2's replicas are out of sync and throttled unless a test says so. */
final class ThrottledFetchTest {
    private static final TopicPartition P0 = new TopicPartition("t", 0);
    private static final TopicPartition P1 = new TopicPartition("t", 1);
    private static final Follower F2 = new Follower(2, TestBroker.epochOf(2));
    private static final Follower F3 = new Follower(3, TestBroker.epochOf(3));
    private static final int BATCH_BYTES = TestLogs.batch("0123456789").limit();

    /** One batch a second. */
    private static final long RATE = BATCH_BYTES;

    private final ManualScheduler scheduler = new ManualScheduler(new ManualClock(0, 0));
    private final ManualEventLoops loops = new ManualEventLoops(scheduler);
    private final TestLogs logs = new TestLogs(scheduler);
    private final TestBroker broker = new TestBroker(
            1, 10, loops, new FetchSettings(1 << 20, 10, 3, Duration.ofSeconds(1)), loops.open("wake-ups"));
    private final List<ReplicaFetch.Answer> answers = new ArrayList<>();
    private long session;
    private int epoch;

    @AfterEach
    void shouldHaveFailedNowhere() {
        broker.assertNothingFailed();
    }

    @Test
    void shouldLeaveOutAThrottledEntryWhileTheBucketIsEmptyAndServeTheOthers() {
        // given
        // Fails if: ReplicaFetches reads data for an entry whose allowance is HELD
        lead(P0, 1);
        lead(P1, 1);
        write(P0, 5);
        throttle(P0);
        open(entry(P0, 0));
        assertThat(offsets(P0)).as("there are tokens").containsExactly(0L);

        // when
        write(P1, 1);
        next(30_000, entry(P0, 1), entry(P1, 0));

        // then
        assertThat(offsets(P1)).containsExactly(0L);
        assertThat(last().results())
                .filteredOn(result -> result.partition().equals(P0))
                .allSatisfy(
                        result -> assertThat(result.batches().hasRemaining()).isFalse());
    }

    /** No polling: the fetch waits, and one timer ends the wait when there are tokens. */
    @Test
    void shouldBringAHeldEntryBackWhenThereAreTokens() {
        // given
        // Fails if: SourceThrottle.await schedules nothing, or a held entry counts as available
        lead(P0, 1);
        write(P0, 5);
        throttle(P0);
        open(entry(P0, 0));
        next(30_000, entry(P0, 1));
        assertThat(answers).hasSize(1);

        // when
        scheduler.advance(Duration.ofMillis(999));
        loops.runAll();
        assertThat(answers).as("the batch of the first answer takes a second").hasSize(1);
        scheduler.advance(Duration.ofMillis(1));
        loops.runAll();

        // then
        assertThat(answers).hasSize(2);
        assertThat(offsets(P0)).containsExactly(1L);
    }

    /** An append is no reason to answer, neither at once nor again and again. */
    @Test
    void shouldNotBeWokenByAppendsToAHeldEntry() {
        // given
        lead(P0, 1);
        write(P0, 2);
        throttle(P0);
        open(entry(P0, 0));
        next(30_000, entry(P0, 1));

        // when
        write(P0, 3);
        loops.runAll();

        // then
        assertThat(answers).hasSize(1);
    }

    /** A member that fell behind holds up acknowledgements: it is never throttled, nor counted. */
    @Test
    void shouldNeverThrottleAMemberOfTheInSyncSet() {
        // given
        // Fails if: SourceThrottle.allowance does not ask whether the high watermark waits for the follower
        lead(P0, 1, 2);
        write(P0, 5);
        throttle(P0);

        // when
        open(entry(P0, 0));
        next(0, entry(P0, 1));

        // then
        assertThat(offsets(P0)).containsExactly(1L, 2L, 3L, 4L);
        assertThat(broker.throttle().outgoing().passedBytes()).isZero();
    }

    /** One that has caught up is proposed, and the high watermark waits for it from then on. */
    @Test
    void shouldNotThrottleAReplicaThatIsAboutToJoin() {
        // given
        lead(P0, 1);
        write(P0, 1);
        throttle(P0);
        open(entry(P0, 0));
        next(0, entry(P0, 1));
        assertThat(broker.takeProposals()).hasSize(1);

        // when
        write(P0, 1);
        next(0);

        // then
        assertThat(offsets(P0)).containsExactly(1L);
    }

    @Test
    void shouldThrottleTheGivenFollowersAlone() {
        // given
        lead(P0, 1);
        write(P0, 5);
        throttle(P0);
        open(entry(P0, 0));

        // when
        ReplicaFetch.Request request =
                new ReplicaFetch.Request(F3, 0, 0, 0, 1, 1_000_000, List.of(entry(P0, 1)), List.of());
        broker.fetchHandler().fetchAsReplica(request, answers::add);

        // then
        assertThat(offsets(P0)).containsExactly(1L, 2L, 3L, 4L);
    }

    /** Whoever was held for longest comes first, so that sessions take turns. */
    @Test
    void shouldLetSessionsTakeTurns() {
        // given
        lead(P0, 1);
        write(P0, 50);
        broker.throttle().limit(RATE, replicas(P0, 2, 3), broker.nowNs());
        List<Long> batchesOf2 = new ArrayList<>();
        List<Long> batchesOf3 = new ArrayList<>();

        // when
        new Loop(F2, batchesOf2).open();
        new Loop(F3, batchesOf3).open();
        scheduler.advance(Duration.ofSeconds(20));

        // then
        assertThat(batchesOf2.size() + batchesOf3.size()).isBetween(19, 22);
        assertThat(batchesOf2.size()).isBetween(9, 12);
        assertThat(batchesOf3.size()).isBetween(9, 12);
    }

    /** Within a session too whoever was held for longest comes first: no partition starves. */
    @Test
    void shouldLetThePartitionsOfASessionTakeTurns() {
        // given
        // Fails if: FetchSession.held is sorted by name instead of by age
        lead(P0, 1);
        lead(P1, 1);
        write(P0, 50);
        write(P1, 50);
        SortedMap<TopicPartition, SortedSet<Integer>> both =
                new TreeMap<>(replicas(P0, 2).followers());
        both.putAll(replicas(P1, 2).followers());
        broker.throttle().limit(RATE, new ThrottledReplicas(both), broker.nowNs());
        SortedMap<TopicPartition, List<Long>> batches = new TreeMap<>();
        batches.put(P0, new ArrayList<>());
        batches.put(P1, new ArrayList<>());

        // when
        new Loop(F2, batches).open();
        scheduler.advance(Duration.ofSeconds(20));

        // then
        assertThat(batches.get(P0).size() + batches.get(P1).size()).isBetween(19, 22);
        assertThat(batches.get(P0).size()).isBetween(9, 12);
        assertThat(batches.get(P1).size()).isBetween(9, 12);
    }

    @Test
    void shouldReachTheRateOverTime() {
        // given
        // Fails if: an answer's bytes are charged twice or not at all
        lead(P0, 1);
        write(P0, 200);
        throttle(P0);
        List<Long> batches = new ArrayList<>();

        // when
        new Loop(F2, batches).open();
        scheduler.advance(Duration.ofSeconds(100));

        // then
        assertThat(batches.size()).isBetween(90, 101);
        assertThat(batches).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void shouldFollowChangesOfTheThrottleAtOnce() {
        // given
        // Fails if: SourceThrottle does not listen to the throttle
        lead(P0, 1);
        write(P0, 9);
        throttle(P0);
        open(entry(P0, 0));
        next(30_000, entry(P0, 1));
        assertThat(answers).hasSize(1);

        // when faster
        broker.throttle().limit(10 * RATE, replicas(P0, 2), broker.nowNs());
        scheduler.advance(Duration.ofMillis(100));
        loops.runAll();

        // then
        assertThat(offsets(P0)).containsExactly(1L);
        next(30_000, entry(P0, 2));
        assertThat(answers).hasSize(2);

        // when without
        broker.throttle().lift();
        loops.runAll();

        // then
        assertThat(offsets(P0)).as("all that is left of the segment").startsWith(2L, 3L, 4L);
    }

    /** Errors, high watermark and log start are told as ever. */
    @Test
    void shouldTellTheEndOfTheRoleWhileAnEntryIsHeld() {
        // given
        lead(P0, 1);
        write(P0, 5);
        throttle(P0);
        open(entry(P0, 0));
        next(30_000, entry(P0, 1));
        assertThat(answers).hasSize(1);

        // when
        broker.become(TestStates.led(P0, 3, 2, 2, 3));
        loops.runAll();

        // then
        assertThat(answers).hasSize(2);
        assertThat(result(P0).error()).isEqualTo(ErrorCode.FENCED_LEADER_EPOCH);
    }

    @Test
    void shouldLeaveNothingBehindWhenTheFollowerGoes() {
        // given
        lead(P0, 1);
        write(P0, 5);
        throttle(P0);
        open(entry(P0, 0));
        epoch++;
        Cancellable waiting = broker.fetchHandler().fetchAsReplica(request(30_000, entry(P0, 1)), answers::add);

        // when
        waiting.cancel();
        scheduler.advance(Duration.ofSeconds(60));
        loops.runAll();

        // then
        assertThat(answers).hasSize(1);
        assertThat(broker.waiting()).isZero();
        assertThat(broker.sessions().size()).isZero();
    }

    /** A follower that fetches again as soon as it has its answer. */
    private final class Loop {
        private final Follower follower;
        private final SortedMap<TopicPartition, List<Long>> batches;
        private long sessionId;
        private int sessionEpoch;

        Loop(Follower follower, List<Long> batchesOfP0) {
            this(follower, new TreeMap<>(Map.of(P0, batchesOfP0)));
        }

        Loop(Follower follower, SortedMap<TopicPartition, List<Long>> batches) {
            this.follower = follower;
            this.batches = batches;
        }

        void open() {
            send(batches.keySet().stream().map(name -> entry(name, 0)).toList());
        }

        private void send(List<FetchEntry> changed) {
            ReplicaFetch.Request request =
                    new ReplicaFetch.Request(follower, sessionId, sessionEpoch, 500, 1, 1_000_000, changed, List.of());
            broker.fetchHandler()
                    .fetchAsReplica(request, answer -> scheduler.schedule(Duration.ZERO, () -> onAnswer(answer)));
        }

        private void onAnswer(ReplicaFetch.Answer answer) {
            sessionId = answer.sessionId();
            sessionEpoch++;
            List<FetchEntry> changed = new ArrayList<>();
            for (ReplicaFetch.Result result : answer.results()) {
                List<Long> copied = batches.get(result.partition());
                long next = -1;
                for (RecordBatch batch : RecordBatches.of(result.batches())) {
                    copied.add(batch.baseOffset());
                    next = batch.nextOffset();
                }
                if (next >= 0) {
                    changed.add(entry(result.partition(), next));
                }
            }
            send(changed);
        }
    }

    private void lead(TopicPartition name, Integer... isr) {
        broker.add(logs.open(name));
        broker.become(TestStates.led(name, 1, 1, 1, isr));
    }

    private void throttle(TopicPartition name) {
        broker.throttle().limit(RATE, replicas(name, 2), broker.nowNs());
    }

    private static ThrottledReplicas replicas(TopicPartition name, Integer... followers) {
        SortedMap<TopicPartition, SortedSet<Integer>> replicas = new TreeMap<>();
        replicas.put(name, new TreeSet<>(List.of(followers)));
        return new ThrottledReplicas(replicas);
    }

    private void write(TopicPartition name, int batches) {
        for (int i = 0; i < batches; i++) {
            broker.produce(Acks.LEADER, 0, name, TestLogs.batch("0123456789"));
        }
    }

    private void open(FetchEntry... entries) {
        broker.fetchHandler().fetchAsReplica(request(0, entries), answers::add);
        session = last().sessionId();
    }

    private void next(int maxWaitMs, FetchEntry... changed) {
        epoch++;
        broker.fetchHandler().fetchAsReplica(request(maxWaitMs, changed), answers::add);
    }

    private ReplicaFetch.Request request(int maxWaitMs, FetchEntry... changed) {
        return new ReplicaFetch.Request(F2, session, epoch, maxWaitMs, 1, 1_000_000, Arrays.asList(changed), List.of());
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
