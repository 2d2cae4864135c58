package io.tidemark.replication.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.ManualEventLoops;
import io.tidemark.core.testkit.ManualScheduler;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.partition.Follower;
import io.tidemark.replication.partition.MemoryLog;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A batch on the leader's disk that cannot be read is one partition's trouble, whoever asks for it (KAFKA-6834). */
final class DamagedLogTest {
    private static final TopicPartition DAMAGED = new TopicPartition("t", 0);
    private static final TopicPartition SOUND = new TopicPartition("t", 1);
    private static final Follower F2 = new Follower(2, TestBroker.epochOf(2));
    private static final int MAX_BYTES = 1 << 20;

    private final ManualEventLoops loops = new ManualEventLoops(new ManualScheduler(new ManualClock(0, 0)));
    private final TestBroker broker = new TestBroker(1, loops);
    private final List<ReplicaFetch.Answer> answers = new ArrayList<>();

    @BeforeEach
    void lead() {
        for (TopicPartition partition : List.of(DAMAGED, SOUND)) {
            MemoryLog log = new MemoryLog(partition, TestLogs.TOPIC_ID);
            broker.add(log);
            broker.become(TestStates.led(partition, 1, 1, 1, 1));
            for (int i = 0; i < 3; i++) {
                log.add(1);
            }
            broker.partition(partition).onLocalForced();
            if (partition.equals(DAMAGED)) {
                log.damage(0, 2);
            }
        }
    }

    @AfterEach
    void shouldHaveFailedNowhere() {
        broker.assertNothingFailed();
        assertThat(broker.storageFailures()).isEmpty();
    }

    @Test
    void shouldGiveAFollowerTheOtherPartitions() {
        // when
        fetch(0, 0, entry(DAMAGED, 0, -1), entry(SOUND, 0, -1));

        // then
        assertThat(result(DAMAGED).error()).isEqualTo(ErrorCode.CORRUPT_MESSAGE);
        assertThat(result(SOUND).error()).isEqualTo(ErrorCode.NONE);
        assertThat(result(SOUND).batches().hasRemaining()).isTrue();
    }

    @Test
    void shouldGoOnWithTheSessionAfterwards() {
        // given
        fetch(0, 0, entry(DAMAGED, 0, -1), entry(SOUND, 0, -1));
        long session = last().sessionId();

        // when
        fetch(session, 1, entry(SOUND, 3, 1));

        // then
        assertThat(last().error()).isEqualTo(ErrorCode.NONE);
        assertThat(broker.partition(SOUND).view().highWatermark()).isEqualTo(3);
    }

    /** What the follower proves to have counts, also where the leader cannot read it any more. */
    @Test
    void shouldRefuseAReadInsideTheDamage() {
        // given broker 2 in sync, so that its progress counts
        TopicPartition third = new TopicPartition("t", 2);
        MemoryLog log = new MemoryLog(third, TestLogs.TOPIC_ID);
        broker.add(log);
        broker.become(TestStates.led(third, 1, 1, 1, 1, 2));
        log.add(1);
        log.add(1);
        log.damage(1, 2);

        // when
        fetch(0, 0, entry(third, 1, 1), entry(SOUND, 0, -1));

        // then
        assertThat(result(third).error()).isEqualTo(ErrorCode.CORRUPT_MESSAGE);
        assertThat(result(SOUND).batches().hasRemaining()).isTrue();
    }

    @Test
    void shouldTellAConsumerAndGiveItTheOtherPartitions() {
        // given
        List<List<ConsumerFetch.Result>> told = new ArrayList<>();

        // when
        broker.fetchHandler()
                .fetch(
                        new ConsumerFetch.Request(
                                0,
                                1,
                                MAX_BYTES,
                                List.of(
                                        new ConsumerFetch.Entry(DAMAGED, -1, 0, -1, MAX_BYTES),
                                        new ConsumerFetch.Entry(SOUND, -1, 0, -1, MAX_BYTES))),
                        told::add);

        // then
        assertThat(told).hasSize(1);
        assertThat(told.get(0).get(0).error()).isEqualTo(ErrorCode.CORRUPT_MESSAGE);
        assertThat(told.get(0).get(0).message()).contains("t-0/0.log at position 77");
        assertThat(told.get(0).get(1).batches().hasRemaining()).isTrue();
    }

    private static FetchEntry entry(TopicPartition partition, long offset, int lastEpoch) {
        return new FetchEntry(TestLogs.TOPIC_ID, partition, 1, offset, lastEpoch, 0, MAX_BYTES);
    }

    private void fetch(long session, int epoch, FetchEntry... changed) {
        broker.fetchHandler()
                .fetchAsReplica(
                        new ReplicaFetch.Request(F2, session, epoch, 0, 1, MAX_BYTES, List.of(changed), List.of()),
                        answers::add);
        loops.runAll();
    }

    private ReplicaFetch.Answer last() {
        return answers.get(answers.size() - 1);
    }

    private ReplicaFetch.Result result(TopicPartition partition) {
        return last().results().stream()
                .filter(each -> each.partition().equals(partition))
                .findFirst()
                .orElseThrow();
    }
}
