package io.tidemark.replication.follower;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.log.LogEnd;
import io.tidemark.core.testkit.SeededRandomness;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.fetch.ReplicaFetch;
import io.tidemark.replication.partition.Follower;
import io.tidemark.replication.partition.FollowerPosition;
import io.tidemark.replication.partition.FollowerStep;
import io.tidemark.replication.throttle.ReplicationThrottle;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;

/** A fetcher's state with a leader that answers as a test says. */
final class FetcherDriver {
    static final TopicId TOPIC = new TopicId(1, 2);
    static final TopicPartition P0 = new TopicPartition("t", 0);
    static final TopicPartition P1 = new TopicPartition("t", 1);
    static final TopicPartition P2 = new TopicPartition("t", 2);
    static final Follower SELF = new Follower(3, 30);
    static final long SESSION = 77;
    static final long LONGEST_NS = Duration.ofSeconds(1).toNanos();

    private static final FetcherConfig CONFIG = new FetcherConfig(
            Duration.ofMillis(500), 1, 1_000, 10_000, Duration.ofMillis(20), Duration.ofSeconds(1), 1);

    final SeededRandomness randomness = new SeededRandomness(5);
    final ReplicationThrottle throttle = new ReplicationThrottle(SELF.brokerId());
    final TreeSet<TopicPartition> memberOf = new TreeSet<>();
    final FetcherState state = new FetcherState(CONFIG, randomness, new TargetThrottle(throttle, memberOf::contains));
    long nowNs = 1_000;

    void openSession(TopicPartition... partitions) {
        for (TopicPartition partition : partitions) {
            state.add(at(partition, 4, 10, 3));
        }
        next();
        answer();
    }

    ReplicaFetch.Request next() {
        return state.nextRequest(SELF, nowNs).orElseThrow();
    }

    List<FetcherStep> answer(ReplicaFetch.Result... results) {
        return state.onAnswer(new ReplicaFetch.Answer(ErrorCode.NONE, SESSION, Arrays.asList(results)), nowNs);
    }

    Optional<FetcherStep.Pause> done(FetcherStep step, long endOffset, int lastEpoch) {
        return state.onStep(step, new FollowerStep.Done(new LogEnd(endOffset, 999, lastEpoch), 0, 0), nowNs);
    }

    static FetcherStep only(List<FetcherStep> steps) {
        assertThat(steps).hasSize(1);
        return steps.get(0);
    }

    static FollowerPosition at(TopicPartition partition, int leaderEpoch, long fetchOffset, int lastEpoch) {
        return new FollowerPosition(TOPIC, partition, leaderEpoch, 1, fetchOffset, lastEpoch, 0);
    }

    static ReplicaFetch.Result data(TopicPartition partition, int sizeBytes) {
        return new ReplicaFetch.Result(partition, ErrorCode.NONE, 7, 0, ByteBuffer.allocate(sizeBytes), null);
    }

    static ReplicaFetch.Result error(TopicPartition partition, ErrorCode error, long logStartOffset) {
        return new ReplicaFetch.Result(partition, error, -1, logStartOffset, empty(), null);
    }

    static ByteBuffer empty() {
        return ByteBuffer.allocate(0);
    }

    OptionalLong wakeAtNs() {
        return state.wakeAtNs(nowNs);
    }

    Optional<ReplicaFetch.Request> tryNext() {
        return state.nextRequest(SELF, nowNs);
    }
}
