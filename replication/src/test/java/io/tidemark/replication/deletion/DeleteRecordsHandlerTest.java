package io.tidemark.replication.deletion;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.ManualEventLoops;
import io.tidemark.core.testkit.ManualScheduler;
import io.tidemark.model.Acks;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.fetch.ConsumerFetch;
import io.tidemark.replication.fetch.FetchEntry;
import io.tidemark.replication.fetch.FetchSettings;
import io.tidemark.replication.fetch.ReplicaFetch;
import io.tidemark.replication.fetch.TestBroker;
import io.tidemark.replication.fetch.TestLogs;
import io.tidemark.replication.fetch.TestStates;
import io.tidemark.replication.partition.Follower;
import io.tidemark.replication.partition.RecordDeletion;
import io.tidemark.runtime.Cancellable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Broker 1 leads; broker 2, in sync, and broker 3, if a test lets it live, follow by hand. */
final class DeleteRecordsHandlerTest {
    private static final TopicPartition P0 = new TopicPartition("t", 0);
    private static final TopicPartition COMPACTED = new TopicPartition(TestBroker.COMPACTED_PREFIX, 0);

    private final ManualScheduler scheduler = new ManualScheduler(new ManualClock(0, 0));
    private final ManualEventLoops loops = new ManualEventLoops(scheduler);
    private final TestLogs logs = new TestLogs(scheduler);
    private final TestBroker broker = new TestBroker(1, 10, loops, FetchSettings.DEFAULTS, Runnable::run);
    private final List<DeleteRecords.Result> results = new ArrayList<>();

    @AfterEach
    void shouldLeaveNothingBehind() {
        broker.assertNothingFailed();
        assertThat(broker.deleteHandler().underWay()).isZero();
        assertThat(broker.waiting()).isZero();
    }

    @Test
    void shouldBeAnsweredWhenTheLiveFollowerHasFollowed() {
        // given
        // Fails if: the handler answers as soon as the leader's own log start has moved
        lead(1, 2);
        write(10);
        fetch(2, 10, 0);

        // when
        delete(4);
        assertThat(broker.partition(P0).log().startOffset()).isEqualTo(4);
        assertThat(results).isEmpty();
        fetch(2, 10, 3);
        assertThat(results).isEmpty();
        fetch(2, 10, 4);

        // then
        assertThat(only()).isEqualTo(new DeleteRecords.Result(ErrorCode.NONE, "", 4, 10, -1, -1));
    }

    /** A live replica is waited for, in sync or not; one that goes is not waited for any more. */
    @Test
    void shouldWaitForLiveReplicasAlone() {
        // given
        // Fails if: brokers that are away count
        lead(1, 2);
        broker.live().are(new TreeSet<>(List.of(1, 2, 3)));
        write(10);
        fetch(2, 10, 0);

        // when
        delete(4);
        fetch(2, 10, 4);
        assertThat(results).isEmpty();
        broker.live().are(new TreeSet<>(List.of(1, 2)));

        // then
        assertThat(only().error()).isEqualTo(ErrorCode.NONE);
    }

    /** A reassignment that ends takes away the replica that is waited for: the leader epoch stays. */
    @Test
    void shouldNotWaitForAReplicaThatIsNoneAnyMore() {
        // given
        // Fails if: what followers said about their log starts outlives their assignment
        lead(1, 2);
        broker.live().are(new TreeSet<>(List.of(1, 2, 3)));
        write(10);
        fetch(2, 10, 0);
        delete(4);
        fetch(2, 10, 4);
        assertThat(results).isEmpty();

        // when
        broker.become(TestStates.withReplicas(TestStates.led(P0, 1, 1, 2, 1, 2), 1, 2));

        // then
        assertThat(only().error()).isEqualTo(ErrorCode.NONE);
        assertThat(only().logStartOffset()).isEqualTo(4);
    }

    /** What an earlier life of a broker said may be lost with it. */
    @Test
    void shouldNotBelieveWhatAnEarlierLifeOfAFollowerSaid() {
        // given
        lead(1, 2);
        write(10);
        fetch(2, 10, 4);

        // when
        fetch(new Follower(2, TestBroker.epochOf(2) + 1), 10, 0);
        delete(4);

        // then
        assertThat(results).isEmpty();
        fetch(new Follower(2, TestBroker.epochOf(2) + 1), 10, 4);
        assertThat(only().error()).isEqualTo(ErrorCode.NONE);
    }

    @Test
    void shouldDeleteUpToTheHighWatermark() {
        // given
        lead(1, 2);
        write(10);
        fetch(2, 7, 0);

        // when
        delete(RecordDeletion.TO_HIGH_WATERMARK);
        fetch(2, 7, 7);

        // then
        assertThat(only().logStartOffset()).isEqualTo(7);
        assertThat(only().highWatermark()).isEqualTo(7);
    }

    /** KAFKA-5634, I18: the log start never passes the high watermark. */
    @ParameterizedTest
    @ValueSource(longs = {26, 100, Long.MAX_VALUE, -2})
    void shouldRefuseWhatIsNotCommittedAndNameTheRange(long before) {
        // given
        // Fails if: deleteRecords does not ask the log, or the log not its committed bound
        lead(1, 2);
        write(100);
        fetch(2, 25, 0);

        // when
        delete(before);

        // then
        assertThat(only().error()).isEqualTo(ErrorCode.OFFSET_OUT_OF_RANGE);
        assertThat(only().logStartOffset()).isZero();
        assertThat(only().highWatermark()).isEqualTo(25);
        assertThat(only().message()).contains("0 to the high watermark 25").contains(Long.toString(before));
        assertThat(broker.partition(P0).log().startOffset()).isZero();
    }

    @Test
    void shouldHaveNothingToDoBelowTheLogStart() {
        // given
        lead(1);
        write(10);
        delete(6);

        // when
        delete(2);

        // then
        assertThat(results).extracting(DeleteRecords.Result::error).containsOnly(ErrorCode.NONE);
        assertThat(results).extracting(DeleteRecords.Result::logStartOffset).containsExactly(6L, 6L);
    }

    /** I16: a new leader's high watermark may lag behind what was acknowledged. */
    @Test
    void shouldNotGuessTheHighWatermarkOfANewLeader() {
        // given
        // Fails if: -1 is taken for whatever the high watermark is
        lead(1, 2);
        write(10);
        broker.become(TestStates.led(P0, 1, 2, 2, 1, 2));

        // when
        delete(RecordDeletion.TO_HIGH_WATERMARK);

        // then
        assertThat(only().error()).isEqualTo(ErrorCode.OFFSET_NOT_AVAILABLE);
    }

    @Test
    void shouldTimeOutAndSayWhatTheLeaderDid() {
        // given
        lead(1, 2);
        write(10);
        fetch(2, 10, 0);

        // when
        delete(4);
        scheduler.advance(Duration.ofSeconds(11));

        // then
        assertThat(only().error()).isEqualTo(ErrorCode.REQUEST_TIMED_OUT);
        assertThat(only().logStartOffset()).isEqualTo(4);
    }

    @Test
    void shouldSayWhoLeadsIfItDoesNot() {
        // given
        lead(1, 2);
        write(10);
        fetch(2, 10, 0);
        delete(4);

        // when
        broker.become(TestStates.led(P0, 2, 2, 2, 2));
        delete(4);
        delete(new TopicPartition("unknown", 0), 4);

        // then
        assertThat(results)
                .extracting(DeleteRecords.Result::error)
                .containsExactly(
                        ErrorCode.NOT_LEADER_OR_FOLLOWER,
                        ErrorCode.NOT_LEADER_OR_FOLLOWER,
                        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(results.get(0).leader()).isEqualTo(2);
        assertThat(results.get(1).leader()).isEqualTo(2);
        assertThat(results.get(1).leaderEpoch()).isEqualTo(2);
    }

    @Test
    void shouldNotTouchATopicThatIsOnlyCompacted() {
        // given
        broker.add(logs.open(COMPACTED));
        broker.become(TestStates.led(COMPACTED, 1, 1, 1, 1));

        // when
        delete(COMPACTED, 0);

        // then
        assertThat(only().error()).isEqualTo(ErrorCode.POLICY_VIOLATION);
    }

    /** DESIGN section 3: the log start is on disk before anybody hears of it. */
    @Test
    void shouldRecordTheLogStartBeforeItAnswers() {
        // given
        // Fails if: the handler does not call recordStartOffset
        lead(1);
        write(10);

        // when
        delete(7);
        assertThat(only().error()).isEqualTo(ErrorCode.NONE);
        logs.restart(scheduler);

        // then
        assertThat(logs.open(P0).startOffset()).isEqualTo(7);
        assertThat(logs.open(P0).end().offset()).isEqualTo(10);
    }

    /** S36: whoever waits for an offset that is gone is told. */
    @Test
    void shouldTellConsumersThatWaitBelow() {
        // given
        // Fails if: the handler does not signal that the log start moved
        lead(1, 2);
        write(10);
        fetch(2, 5, 0);
        List<List<ConsumerFetch.Result>> read = new ArrayList<>();
        ConsumerFetch.Entry entry = new ConsumerFetch.Entry(P0, -1, 3, -1, 1_000_000);
        broker.fetchHandler().fetch(new ConsumerFetch.Request(30_000, 1_000_000, 1 << 20, List.of(entry)), read::add);
        assertThat(read).isEmpty();

        // when
        delete(5);

        // then
        assertThat(read).hasSize(1);
        assertThat(read.get(0).get(0).error()).isEqualTo(ErrorCode.OFFSET_OUT_OF_RANGE);
        fetch(2, 5, 5);
    }

    @Test
    void shouldNotAnswerACallerThatIsGone() {
        // given
        lead(1, 2);
        write(10);
        fetch(2, 10, 0);
        Cancellable waiting = start(P0, 4);
        loops.runAll();
        Cancellable queued = start(P0, 5);

        // when
        queued.cancel();
        waiting.cancel();
        loops.runAll();

        // then
        assertThat(results).isEmpty();
        assertThat(broker.partition(P0).log().startOffset()).isEqualTo(4);
    }

    @Test
    void shouldRefuseMoreThanItHasRoomFor() {
        // given
        lead(1, 2);
        write(10);
        fetch(2, 10, 0);
        for (int i = 0; i < DeleteRecordsHandler.MAX_REQUESTS; i++) {
            start(P0, 4);
        }

        // when
        start(P0, 4);

        // then
        assertThat(only().error()).isEqualTo(ErrorCode.THROTTLED);
        loops.runAll();
        fetch(2, 10, 4);
        assertThat(results).hasSize(DeleteRecordsHandler.MAX_REQUESTS + 1);
    }

    private void lead(Integer... isr) {
        broker.add(logs.open(P0));
        broker.live().are(new TreeSet<>(Arrays.asList(isr)));
        broker.become(TestStates.led(P0, 1, 1, 1, isr));
    }

    private void write(int records) {
        for (int i = 0; i < records; i++) {
            broker.produce(Acks.LEADER, 0, P0, TestLogs.batch("v"));
        }
    }

    private void fetch(int follower, long end, long logStart) {
        fetch(new Follower(follower, TestBroker.epochOf(follower)), end, logStart);
    }

    /** The follower has everything below {@code end}, in a log that starts at {@code logStart}. */
    private void fetch(Follower follower, long end, long logStart) {
        int leaderEpoch = broker.partition(P0).view().leaderEpoch();
        FetchEntry entry = new FetchEntry(TestLogs.TOPIC_ID, P0, leaderEpoch, end, 1, logStart, 1);
        ReplicaFetch.Request request = new ReplicaFetch.Request(follower, 0, 0, 0, 1, 1, List.of(entry), List.of());
        broker.fetchHandler()
                .fetchAsReplica(request, answer -> assertThat(answer.error()).isEqualTo(ErrorCode.NONE));
        loops.runAll();
    }

    private void delete(long before) {
        delete(P0, before);
    }

    private void delete(TopicPartition partition, long before) {
        start(partition, before);
        loops.runAll();
    }

    private Cancellable start(TopicPartition partition, long before) {
        return broker.deleteHandler().delete(new DeleteRecords.Request(partition, before, 10_000), results::add);
    }

    private DeleteRecords.Result only() {
        assertThat(results).hasSize(1);
        return results.get(0);
    }
}
