package io.tidemark.replication.follower;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.model.Acks;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.fetch.TestLogs;
import io.tidemark.replication.produce.Produce;
import io.tidemark.replication.throttle.ThrottledReplicas;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Scenario 52 with the real partitions, handlers and fetchers, a thousandth of its size: three partitions are copied to broker 2
 * at 4 kB/s.
 */
final class ThrottledCopyTest {
    private static final List<TopicPartition> MOVED =
            List.of(new TopicPartition("t", 0), new TopicPartition("t", 1), new TopicPartition("t", 2));
    private static final TopicPartition OTHER = new TopicPartition("u", 0);
    private static final int X = 1;
    private static final int Y = 2;
    private static final int RATE = 4_000;

    private final TestCluster cluster = new TestCluster(FollowerFlush.NONE);
    private long movedBytes;

    @AfterEach
    void shouldHaveFailedNowhere() {
        cluster.assertNothingFailed();
    }

    /** Scenario 52: three partitions, at least 0.9 x the computed time, and no more than 1.1 x. */
    @Test
    void shouldTakeNineTenthsOfTheComputedTimeAtLeast() {
        // Fails if: neither side holds anything back
        prepare();
        throttle(X, RATE);
        cluster.start(Y);
        throttle(Y, RATE);
        assertTime(millisUntilCopied());
    }

    @Test
    void shouldKeepToTheRateByTheLeaderAlone() {
        // Fails if: the leader's answers are not charged
        prepare();
        throttle(X, RATE);
        cluster.start(Y);
        assertTime(millisUntilCopied());
    }

    /** Scenario 52: set, changed, removed. */
    @Test
    void shouldFinishSoonerAtAHigherRateAndAtOnceWithoutOne() {
        // given
        // Fails if: FetcherPool or SourceThrottle does not listen to the throttle
        prepare();
        throttle(X, RATE);
        cluster.start(Y);
        throttle(Y, RATE);
        cluster.advance(Duration.ofSeconds(1));
        long afterASecond = copiedBytes();
        assertThat(afterASecond).isBetween(RATE * 9L / 10, RATE * 13L / 10);

        // when
        throttle(X, 2 * RATE);
        throttle(Y, 2 * RATE);
        cluster.advance(Duration.ofSeconds(1));

        // then
        assertThat(copiedBytes() - afterASecond).isBetween(2 * RATE * 8L / 10, 2 * RATE * 12L / 10);

        // when
        cluster.broker(X).throttle().lift();
        cluster.broker(Y).throttle().lift();
        cluster.settle();

        // then
        assertThat(copiedBytes()).isEqualTo(movedBytes);
    }

    /** What is not moved goes on as if nothing were, acknowledgements included. */
    @Test
    void shouldNotSlowDownTheOthers() {
        // given
        // Fails if: a held entry keeps its session's others from being answered
        prepare();
        cluster.start(3);
        cluster.start(Y);
        cluster.create(OTHER, X, Y);
        throttle(X, RATE);
        throttle(Y, RATE);
        cluster.elect(OTHER, X, X, Y);

        // when
        cluster.advance(Duration.ofMillis(500));
        List<List<Produce.Result>> answers = cluster.broker(X).produce(Acks.ALL, 10_000, OTHER, TestLogs.batch("m"));
        cluster.settle();

        // then
        assertThat(answers).hasSize(1);
        assertThat(answers.get(0).get(0).error()).isEqualTo(ErrorCode.NONE);
    }

    /** Once all is there the replica joins, and nothing throttles it any more though nobody removed it from the set. */
    @Test
    void shouldNotThrottleAReplicaOnceItHasJoined() {
        // given
        // Fails if: throttled replicas stay throttled once the high watermark waits for them
        prepare();
        throttle(X, RATE);
        cluster.start(Y);
        throttle(Y, RATE);
        millisUntilCopied();
        cluster.advance(Duration.ofMillis(600));
        assertThat(cluster.state(MOVED.get(0)).isrIds()).containsExactly(X, Y);

        // when
        for (int i = 0; i < 100; i++) {
            write(MOVED.get(0));
        }
        List<List<Produce.Result>> answers =
                cluster.broker(X).produce(Acks.ALL, 10_000, MOVED.get(0), TestLogs.batch("m"));
        cluster.settle();

        // then
        assertThat(answers).hasSize(1);
        assertThat(answers.get(0).get(0).error()).isEqualTo(ErrorCode.NONE);
    }

    /** X leads three partitions of some 4 kB each, of which Y, that is down, has nothing. */
    private void prepare() {
        cluster.start(X);
        cluster.start(Y);
        for (TopicPartition partition : MOVED) {
            cluster.create(partition, X, Y);
        }
        cluster.kill(Y);
        for (TopicPartition partition : MOVED) {
            cluster.elect(partition, X, X);
            while (cluster.log(X, partition).sizeBytes() < RATE) {
                write(partition);
            }
            movedBytes += cluster.log(X, partition).sizeBytes();
        }
    }

    private void write(TopicPartition partition) {
        cluster.broker(X).produce(Acks.LEADER, 0, partition, TestLogs.batch("0123456789"));
    }

    private void throttle(int broker, long rate) {
        SortedMap<TopicPartition, SortedSet<Integer>> replicas = new TreeMap<>();
        MOVED.forEach(partition -> replicas.put(partition, new TreeSet<>(List.of(Y))));
        cluster.broker(broker)
                .throttle()
                .limit(
                        rate,
                        new ThrottledReplicas(replicas),
                        cluster.broker(broker).nowNs());
        cluster.settle();
    }

    private long millisUntilCopied() {
        long passedMs = 0;
        while (copiedBytes() < movedBytes && passedMs < 60_000) {
            cluster.advance(Duration.ofMillis(10));
            passedMs += 10;
        }
        return passedMs;
    }

    private long copiedBytes() {
        return MOVED.stream()
                .mapToLong(partition -> cluster.log(Y, partition).sizeBytes())
                .sum();
    }

    private void assertTime(long tookMs) {
        long computedMs = movedBytes * 1_000 / RATE;
        assertThat((double) tookMs / computedMs).isBetween(0.9, 1.1);
    }
}
