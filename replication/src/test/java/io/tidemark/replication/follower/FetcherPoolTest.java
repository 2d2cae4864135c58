package io.tidemark.replication.follower;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.model.Acks;
import io.tidemark.model.Endpoint;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.fetch.TestLogs;
import io.tidemark.replication.partition.Partition;
import io.tidemark.replication.produce.Produce;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** S76, scenario 39, grpc-java#6473. */
final class FetcherPoolTest {
    private static final TopicPartition P0 = new TopicPartition("t", 0);
    private static final TopicPartition P1 = new TopicPartition("t", 1);
    private static final TopicPartition P2 = new TopicPartition("t", 2);
    private static final int LEADER = 1;
    private static final int FOLLOWER = 2;

    private final List<Runnable> heldFlushes = new ArrayList<>();
    private final List<List<TopicPartition>> flushed = new ArrayList<>();
    private boolean holdFlushes;

    private final TestCluster cluster = new TestCluster((appended, done) -> {
        flushed.add(appended.stream().map(Partition::partition).toList());
        if (holdFlushes) {
            heldFlushes.add(done);
        } else {
            done.run();
        }
    });

    /** Two fetchers for each leader: partitions spread over them by name, each with a connection of its own. */
    @Test
    void shouldSharePartitionsAmongTheFetchersOfALeader() {
        // S76. Fails if: FetcherPool.fetcherId puts every partition into one fetcher
        // when
        follow(P0, P1, P2);
        cluster.advance(Duration.ofMillis(600));

        // then
        assertThat(cluster.channelsOpen()).isEqualTo(2);
        assertThat(cluster.broker(LEADER).sessions().size()).isEqualTo(2);
        assertThat(cluster.broker(LEADER).sessions().heldPartitions()).isEqualTo(3);
    }

    @Test
    void shouldCloseAFetcherWithoutPartitions() {
        // given
        follow(P0, P1, P2);

        // when
        cluster.pool(FOLLOWER).unfollow(P1);
        cluster.settle();

        // then
        assertThat(cluster.channelsOpen()).isEqualTo(1);
        assertThat(cluster.broker(LEADER).sessions().size())
                .as("the waiting fetch's session ends with it")
                .isEqualTo(1);
    }

    @Test
    void shouldStopCopyingWhatIsNotFollowedAnyMore() {
        // S76, scenario 39. Fails if: FetcherPool.unfollow leaves the partition with its fetcher
        // given
        follow(P0, P2);

        // when
        cluster.pool(FOLLOWER).unfollow(P2);
        write(P0, P2);
        cluster.advance(Duration.ofMillis(600));

        // then
        assertThat(cluster.batches(FOLLOWER, P0)).hasSize(1);
        assertThat(cluster.batches(FOLLOWER, P2)).isEmpty();
        assertThat(cluster.broker(LEADER).sessions().heldPartitions()).isEqualTo(1);
    }

    /** One partition that the leader does not have yet holds up nobody (S76). */
    @Test
    void shouldIsolateThePartitionThatFails() {
        // Fails if: an error about one partition blocks the fetcher
        // given
        follow(P0);
        cluster.create(P2, FOLLOWER);
        cluster.elect(P2, LEADER, LEADER);
        cluster.advance(Duration.ofMillis(600));
        assertThat(cluster.metrics(FOLLOWER).failedPartitions()).isEqualTo(1);

        // when
        write(P0);
        cluster.settle();

        // then
        assertThat(cluster.batches(FOLLOWER, P0)).hasSize(1);
    }

    /** The pauses are spaced: no tight loop against a broker that is away. */
    @Test
    void shouldSpaceItsAttemptsWhileTheLeaderIsAway() {
        // given
        follow(P0);
        cluster.kill(LEADER);
        int before = cluster.channelsOpened();

        // when
        cluster.advance(Duration.ofSeconds(90));

        // then
        assertThat(cluster.channelsOpened() - before).isBetween(85, 200);
    }

    /** grpc-java#6473: the news of a new registration ends the backoff at once. */
    @Test
    void shouldReconnectAtOnceWhenTheLeaderIsRegisteredAgain() {
        // given
        follow(P0);
        cluster.kill(LEADER);
        cluster.advance(Duration.ofSeconds(90));

        // when
        cluster.start(LEADER);
        cluster.elect(P0, LEADER, LEADER, FOLLOWER);
        cluster.pool(FOLLOWER).leaderRegistered(LEADER, TestCluster.endpoint(LEADER));
        cluster.settle();

        // then
        assertThat(cluster.broker(LEADER).sessions().heldPartitions()).isEqualTo(1);
    }

    @Test
    void shouldReconnectWhenTheLeadersAddressChanges() {
        // given
        follow(P0);
        int before = cluster.channelsOpened();

        // when
        cluster.pool(FOLLOWER).follow(cluster.broker(FOLLOWER).partition(P0), LEADER, new Endpoint("elsewhere", 1));
        cluster.settle();

        // then
        assertThat(cluster.channelsOpened()).isEqualTo(before + 1);
        assertThat(cluster.channelsOpen()).isEqualTo(1);
        assertThat(cluster.broker(LEADER).sessions().size()).isEqualTo(1);
    }

    /** DESIGN section 5, sync mode: the next fetch, which proves the records, waits until they are forced. */
    @Test
    void shouldNotFetchBeforeWhatItAppendedIsForced() {
        // given
        follow(P0);
        flushed.clear();
        holdFlushes = true;

        // when
        List<List<Produce.Result>> answers = cluster.broker(LEADER).produce(Acks.ALL, 10_000, P0, TestLogs.batch("a"));
        cluster.settle();

        // then
        assertThat(cluster.batches(FOLLOWER, P0)).hasSize(1);
        assertThat(flushed).containsExactly(List.of(P0));
        assertThat(answers).isEmpty();

        // when
        heldFlushes.forEach(Runnable::run);
        cluster.settle();

        // then
        assertThat(answers).hasSize(1);
        assertThat(answers.get(0).get(0).error()).isEqualTo(ErrorCode.NONE);
    }

    // I12: a fetcher that was cut off before its flush leaves records behind that the next one must not prove unforced.
    // Fails if: ReplicaFetcherThread.follow() adds the partition without a flush
    @Test
    void shouldNotFetchWhatAnEarlierFetcherLeftUnforced() {
        // given: the flush of what was copied never ends, and the leader's registration goes and comes back
        follow(P0);
        holdFlushes = true;
        List<List<Produce.Result>> answers = cluster.broker(LEADER).produce(Acks.ALL, 10_000, P0, TestLogs.batch("a"));
        cluster.settle();
        cluster.pool(FOLLOWER).unfollow(P0);
        cluster.settle();
        heldFlushes.clear();
        flushed.clear();

        // when
        cluster.pool(FOLLOWER).follow(cluster.broker(FOLLOWER).partition(P0), LEADER, TestCluster.endpoint(LEADER));
        cluster.settle();

        // then
        assertThat(cluster.batches(FOLLOWER, P0)).hasSize(1);
        assertThat(flushed).containsExactly(List.of(P0));
        assertThat(answers).isEmpty();

        // when
        heldFlushes.forEach(Runnable::run);
        cluster.settle();

        // then
        assertThat(answers).hasSize(1);
        assertThat(answers.get(0).get(0).error()).isEqualTo(ErrorCode.NONE);
    }

    @Test
    void shouldNotFollowWhatWasUnfollowedDuringItsFlush() {
        // given
        follow(P0);
        cluster.pool(FOLLOWER).unfollow(P0);
        cluster.settle();
        holdFlushes = true;
        cluster.pool(FOLLOWER).follow(cluster.broker(FOLLOWER).partition(P0), LEADER, TestCluster.endpoint(LEADER));
        cluster.settle();

        // when
        cluster.pool(FOLLOWER).unfollow(P0);
        cluster.settle();
        heldFlushes.forEach(Runnable::run);
        write(P0);

        // then
        assertThat(cluster.batches(FOLLOWER, P0)).isEmpty();
        assertThat(cluster.broker(LEADER).sessions().size()).isZero();
    }

    /** S15: a follower whose disk failed copies nothing more. */
    @Test
    void shouldStopAtAStorageFailure() {
        // scenario 37. Fails if: ReplicaFetcherThread takes a failing disk for a refusal
        // given
        follow(P0, P2);
        cluster.fillDisk(FOLLOWER);

        // when
        write(P0);
        cluster.settle();
        write(P2);
        cluster.advance(Duration.ofSeconds(2));

        // then
        assertThat(cluster.broker(FOLLOWER).storageFailures()).hasSize(1);
        assertThat(cluster.broker(FOLLOWER).storageLatch().isTripped()).isTrue();
        assertThat(cluster.batches(FOLLOWER, P2)).isEmpty();
    }

    /** S15, DESIGN 5: a fetch acknowledges what was copied, so a broker whose disk failed elsewhere sends none. */
    // Fails if: ReplicaFetcherThread.pump does not ask the latch
    @Test
    void shouldAskForNothingMoreOnceAnotherThreadMetAStorageFailure() {
        // given
        follow(P0);
        cluster.broker(FOLLOWER).storageLatch().onStorageFailure(new KafkaStorageException("a force failed"));

        // when: the request that is out is answered, and the next write finds none
        write(P0);
        cluster.advance(Duration.ofSeconds(2));
        int copied = cluster.batches(FOLLOWER, P0).size();
        write(P0);
        cluster.advance(Duration.ofSeconds(2));

        // then
        assertThat(cluster.batches(FOLLOWER, P0)).hasSize(copied);
    }

    @Test
    void shouldCloseEverythingAndIgnoreWhatComesLater() {
        // given
        follow(P0, P1);

        // when
        cluster.pool(FOLLOWER).close();
        cluster.settle();
        cluster.pool(FOLLOWER).follow(cluster.broker(FOLLOWER).partition(P0), LEADER, TestCluster.endpoint(LEADER));
        cluster.settle();

        // then
        assertThat(cluster.channelsOpen()).isZero();
        assertThat(cluster.broker(LEADER).sessions().size()).isZero();
    }

    private void follow(TopicPartition... partitions) {
        cluster.start(LEADER);
        cluster.start(FOLLOWER);
        for (TopicPartition partition : partitions) {
            cluster.create(partition, LEADER, FOLLOWER);
            cluster.elect(partition, LEADER, LEADER, FOLLOWER);
        }
    }

    private void write(TopicPartition... partitions) {
        for (TopicPartition partition : partitions) {
            cluster.broker(LEADER).produce(Acks.LEADER, 0, partition, TestLogs.batch("v"));
        }
        cluster.settle();
    }
}
