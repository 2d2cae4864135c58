package io.tidemark.replication.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.ManualEventLoops;
import io.tidemark.core.testkit.ManualScheduler;
import io.tidemark.model.Acks;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.partition.Follower;
import io.tidemark.replication.partition.MemoryLog;
import io.tidemark.runtime.Cancellable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reads far from a log's end do not run where the network is served (KNOWN_BUGS 42). The loops here run when a test says so. */
final class ColdReadsTest {
    private static final TopicPartition COLD = new TopicPartition("t", 0);
    private static final TopicPartition HOT = new TopicPartition("t", 1);
    private static final Follower F2 = new Follower(2, TestBroker.epochOf(2));
    private static final int MAX_BYTES = 1 << 20;
    private static final int LONG_MS = 10_000;

    private final ManualEventLoops loops = new ManualEventLoops(new ManualScheduler(new ManualClock(0, 0)));
    private final TestBroker broker = new TestBroker(1, loops);
    private final MemoryLog coldLog = new MemoryLog(COLD, TestLogs.TOPIC_ID);
    private final List<List<ConsumerFetch.Result>> told = new ArrayList<>();
    private final List<ReplicaFetch.Answer> answers = new ArrayList<>();

    @BeforeEach
    void lead() {
        lead(coldLog);
        lead(new MemoryLog(HOT, TestLogs.TOPIC_ID));
        coldLog.moveAwayFromEnd(ColdReads.COLD_BYTES);
    }

    private void lead(MemoryLog log) {
        broker.add(log);
        broker.become(TestStates.led(log.partition(), 1, 1, 1, 1));
        for (int i = 0; i < 3; i++) {
            log.add(1);
        }
        broker.partition(log.partition()).onLocalForced();
    }

    @AfterEach
    void shouldHaveFailedNowhere() {
        broker.assertNothingFailed();
        assertThat(broker.storageFailures()).isEmpty();
    }

    private Cancellable consume(int maxWaitMs, long offset, TopicPartition... partitions) {
        List<ConsumerFetch.Entry> entries = new ArrayList<>();
        for (TopicPartition partition : partitions) {
            entries.add(new ConsumerFetch.Entry(partition, -1, offset, -1, MAX_BYTES));
        }
        return broker.fetchHandler().fetch(new ConsumerFetch.Request(maxWaitMs, 1, MAX_BYTES, entries), told::add);
    }

    private Cancellable follow(int maxWaitMs, long offset, TopicPartition... partitions) {
        List<FetchEntry> entries = new ArrayList<>();
        for (TopicPartition partition : partitions) {
            int lastEpoch = offset == 0 ? -1 : 1;
            entries.add(new FetchEntry(TestLogs.TOPIC_ID, partition, 1, offset, lastEpoch, 0, MAX_BYTES));
        }
        return broker.fetchHandler()
                .fetchAsReplica(
                        new ReplicaFetch.Request(F2, 0, 0, maxWaitMs, 1, MAX_BYTES, entries, List.of()), answers::add);
    }

    private ErrorCode replicaError(TopicPartition partition) {
        return answers.get(0).results().stream()
                .filter(result -> result.partition().equals(partition))
                .findFirst()
                .orElseThrow()
                .error();
    }

    // KNOWN_BUGS 42
    // Fails if: ConsumerFetches.fetch reads whatever it is asked for where it is called
    @Test
    void shouldReadForAConsumerElsewhereWhatIsFarFromTheEnd() {
        // when
        consume(0, 0, HOT);
        consume(0, 0, COLD);

        // then
        assertThat(told).hasSize(1);
        assertThat(told.get(0).get(0).partition()).isEqualTo(HOT);
        loops.runAll();
        assertThat(told).hasSize(2);
        assertThat(told.get(1).get(0).error()).isEqualTo(ErrorCode.NONE);
        assertThat(told.get(1).get(0).batches().hasRemaining()).isTrue();
    }

    // KNOWN_BUGS 42
    // Fails if: ReplicaFetches.fetch reads whatever is marked where it is called
    @Test
    void shouldReadForAFollowerElsewhereWhatIsFarFromTheEnd() {
        // when
        follow(0, 0, COLD, HOT);

        // then
        assertThat(answers).isEmpty();
        loops.runAll();
        assertThat(answers).hasSize(1);
        assertThat(replicaError(COLD)).isEqualTo(ErrorCode.NONE);
        assertThat(replicaError(HOT)).isEqualTo(ErrorCode.NONE);
    }

    // KNOWN_BUGS 42: progress counts at once, whatever is read later
    // Fails if: ReplicaFetches.fetch counts on the cold loops
    @Test
    void shouldCountAFollowersProgressBeforeItsColdReads() {
        // given: broker 2 in sync, so that the high watermark waits for it
        TopicPartition third = new TopicPartition("t", 2);
        MemoryLog log = new MemoryLog(third, TestLogs.TOPIC_ID);
        broker.add(log);
        broker.become(TestStates.led(third, 1, 1, 1, 1, 2));
        log.add(1);
        log.add(1);
        broker.partition(third).onLocalForced();
        log.moveAwayFromEnd(ColdReads.COLD_BYTES);

        // when
        follow(0, 1, third);

        // then
        assertThat(answers).isEmpty();
        assertThat(broker.partition(third).view().highWatermark()).isEqualTo(1);
    }

    // KNOWN_BUGS 42: bounded; who finds no room is told at once, and what is hot is read nevertheless
    // Fails if: ColdReads.tryRun takes whatever comes
    @Test
    void shouldRefuseColdReadsForWhichThereIsNoRoom() {
        // given
        for (int i = 0; i < TestBroker.MAX_COLD_READS; i++) {
            consume(0, 0, COLD);
        }

        // when
        consume(LONG_MS, 0, COLD, HOT);
        follow(LONG_MS, 0, COLD, HOT);

        // then
        assertThat(told).hasSize(1);
        assertThat(told.get(0).get(0).error()).isEqualTo(ErrorCode.THROTTLED);
        assertThat(ErrorCode.THROTTLED.isRetriable()).isTrue();
        assertThat(told.get(0).get(1).batches().hasRemaining()).isTrue();
        assertThat(replicaError(COLD)).isEqualTo(ErrorCode.THROTTLED);
        assertThat(replicaError(HOT)).isEqualTo(ErrorCode.NONE);

        // when there is room again
        loops.runAll();
        consume(0, 0, COLD);
        loops.runAll();

        // then
        assertThat(told).hasSize(2 + TestBroker.MAX_COLD_READS);
        assertThat(told.get(told.size() - 1).get(0).error()).isEqualTo(ErrorCode.NONE);
    }

    // KNOWN_BUGS 42: the last pass of a fetch that waited runs on whatever thread ended the wait
    // Fails if: ConsumerFetches.lastPass reads where it is called
    @Test
    void shouldEndAWaitElsewhereWhenItHasBecomeCold() {
        // given
        consume(LONG_MS, 3, COLD);
        loops.runAll();
        assertThat(told).isEmpty();

        // when
        broker.produce(Acks.LEADER, 0, COLD, TestLogs.batch("new"));

        // then
        assertThat(told).isEmpty();
        loops.runAll();
        assertThat(told).hasSize(1);
        assertThat(told.get(0).get(0).batches().hasRemaining()).isTrue();
    }

    // KNOWN_BUGS 42
    // Fails if: HandedOver.run does not ask whether it was called off
    @Test
    void shouldNotAnswerWhatWasCalledOffBeforeItsTurn() {
        // given
        Cancellable consumer = consume(0, 0, COLD);
        Cancellable follower = follow(0, 0, COLD);

        // when
        consumer.cancel();
        follower.cancel();
        follower.cancel();
        loops.runAll();

        // then
        assertThat(told).isEmpty();
        assertThat(answers).isEmpty();
        assertThat(broker.sessions().size()).isZero();
        assertThat(broker.waiting()).isZero();
    }

    // KNOWN_BUGS 42: nothing is left behind by who vanishes after its first pass
    // Fails if: HandedOver.cancel does not reach what waits
    @Test
    void shouldCallOffTheWaitThatFollowsAColdPass() {
        // given: asks beyond the high watermark of two partitions, one of which is cold
        Cancellable fetch = broker.fetchHandler()
                .fetch(
                        new ConsumerFetch.Request(
                                LONG_MS,
                                MAX_BYTES,
                                MAX_BYTES,
                                List.of(new ConsumerFetch.Entry(COLD, -1, 0, -1, MAX_BYTES))),
                        told::add);
        loops.runAll();
        assertThat(broker.waiting()).isEqualTo(1);

        // when
        fetch.cancel();
        loops.advance(Duration.ofMillis(2L * LONG_MS));

        // then
        assertThat(told).isEmpty();
        assertThat(broker.waiting()).isZero();
    }
}
