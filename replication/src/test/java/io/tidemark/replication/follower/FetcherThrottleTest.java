package io.tidemark.replication.follower;

import static io.tidemark.replication.follower.FetcherDriver.P0;
import static io.tidemark.replication.follower.FetcherDriver.P1;
import static io.tidemark.replication.follower.FetcherDriver.SELF;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.fetch.FetchEntry;
import io.tidemark.replication.fetch.ReplicaFetch;
import io.tidemark.replication.throttle.ThrottledReplicas;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The follower's side of the throttle: scenario 52. */
final class FetcherThrottleTest {
    private static final int RATE = 1_000;
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private final FetcherDriver fetcher = new FetcherDriver();

    /** Whether the leader's session has P0. */
    private boolean told = true;

    @Test
    void shouldNotAskForAThrottledPartitionWhileTheBucketIsEmpty() {
        // given
        // Fails if: FetcherState.wanted() does not look at what is held
        fetcher.openSession(P0, P1);
        throttle(P0);
        receive(P0, RATE, 11);

        // when
        ReplicaFetch.Request request = fetcher.next();

        // then
        assertThat(request.forgotten()).containsExactly(P0);
        assertThat(request.changed()).isEmpty();
    }

    /** With others to ask for the request is out; it must not keep the throttled one waiting beyond its time. */
    @Test
    void shouldWaitNoLongerThanUntilThereAreTokens() {
        // given
        fetcher.openSession(P0, P1);
        throttle(P0);
        receive(P0, RATE / 10, 11);

        // when
        ReplicaFetch.Request held = fetcher.next();
        fetcher.answer();
        fetcher.nowNs += SECOND_NS / 10;
        ReplicaFetch.Request open = fetcher.next();

        // then
        assertThat(held.maxWaitMs()).isEqualTo(101);
        assertThat(open.maxWaitMs()).isEqualTo(500);
        assertThat(open.changed()).extracting(FetchEntry::partition).containsExactly(P0);
        assertThat(open.changed()).extracting(FetchEntry::fetchOffset).containsExactly(11L);
    }

    @Test
    void shouldComeBackForItAloneWhenThereAreTokens() {
        // given
        // Fails if: wakeAtNs() looks at pauses alone
        fetcher.openSession(P0);
        throttle(P0);
        receive(P0, 2 * RATE, 11);

        // when
        assertThat(fetcher.tryNext()).isEmpty();
        long wakeAtNs = fetcher.wakeAtNs().orElseThrow();

        // then
        assertThat(wakeAtNs - fetcher.nowNs).isEqualTo(2 * SECOND_NS);
        fetcher.nowNs = wakeAtNs;
        assertThat(fetcher.next().changed()).extracting(FetchEntry::partition).containsExactly(P0);
    }

    /** As far as it knows: a member asks without limit, and what it gets is not counted. */
    @Test
    void shouldNeverHoldBackAMember() {
        // given
        // Fails if: TargetThrottle.limits does not ask for membership
        fetcher.openSession(P0);
        throttle(P0);
        fetcher.memberOf.add(P0);

        // when
        receive(P0, 5 * RATE, 11);

        // then
        assertThat(fetcher.next().changed()).extracting(FetchEntry::partition).containsExactly(P0);
        assertThat(fetcher.throttle.incoming().passedBytes()).isZero();
    }

    /** It may be about to join before it knows: the leader waits for it already. */
    @Test
    void shouldNotHoldBackWhatHasAllThatIsCommitted() {
        // given
        fetcher.openSession(P0);
        throttle(P0);
        fetcher.next();
        FetcherStep caughtUp = FetcherDriver.only(fetcher.answer(data(P0, 5 * RATE, 11)));
        fetcher.done(caughtUp, 11, 3);

        // when
        ReplicaFetch.Request request = fetcher.next();

        // then
        assertThat(request.changed()).extracting(FetchEntry::partition).containsExactly(P0);
    }

    @Test
    void shouldFollowChangesOfTheThrottle() {
        // given
        fetcher.openSession(P0, P1);
        throttle(P0);
        receive(P0, 5 * RATE, 11);
        fetcher.next();
        fetcher.answer();

        // when it is about another one
        throttle(P1);

        // then
        ReplicaFetch.Request request = fetcher.next();
        assertThat(request.changed()).extracting(FetchEntry::partition).containsExactly(P0);
        assertThat(request.forgotten()).containsExactly(P1);

        // when it is removed
        fetcher.answer();
        fetcher.throttle.lift();

        // then
        assertThat(fetcher.next().changed()).extracting(FetchEntry::partition).containsExactly(P1);
    }

    /** A pause after an error stays one, whatever the bucket holds. */
    @Test
    void shouldKeepPausesApart() {
        // given
        fetcher.openSession(P0);
        throttle(P0);
        fetcher.throttle.incoming().passed(RATE / 100, fetcher.nowNs);
        fetcher.nowNs += SECOND_NS;
        fetcher.next();
        fetcher.answer(FetcherDriver.error(P0, ErrorCode.FENCED_LEADER_EPOCH, -1));

        // when
        fetcher.throttle.incoming().passed(RATE / 100, fetcher.nowNs);

        // then
        assertThat(fetcher.tryNext()).isEmpty();
        assertThat(fetcher.wakeAtNs().orElseThrow() - fetcher.nowNs).isGreaterThan(SECOND_NS / 10);
        fetcher.state.remove(P0);
        assertThat(fetcher.wakeAtNs()).isEmpty();
    }

    /** Over a minute, and with another partition that never is without data. */
    @Test
    void shouldReachTheRateOverTimeBesideOthers() {
        // given
        fetcher.openSession(P0, P1);
        throttle(P0);
        long endNs = fetcher.nowNs + 60 * SECOND_NS;

        // when
        long bytes = 0;
        long offset = 10;
        while (fetcher.nowNs < endNs) {
            boolean asked = isAsked(fetcher.next());
            if (asked) {
                bytes += 50;
                offset++;
                fetcher.done(FetcherDriver.only(fetcher.answer(data(P0, 50, 1_000_000))), offset, 3);
            } else {
                fetcher.answer();
            }
            fetcher.nowNs += SECOND_NS / 200;
        }

        // then
        assertThat(bytes / 60).isBetween(RATE * 9L / 10, RATE * 101L / 100);
    }

    /** Whether P0 is in the leader's session once it has taken the request. */
    private boolean isAsked(ReplicaFetch.Request request) {
        if (request.forgotten().contains(P0)) {
            told = false;
        } else if (request.changed().stream()
                .anyMatch(entry -> entry.partition().equals(P0))) {
            told = true;
        }
        return told;
    }

    private void receive(TopicPartition partition, int sizeBytes, long newEnd) {
        fetcher.next();
        fetcher.done(FetcherDriver.only(fetcher.answer(data(partition, sizeBytes, 1_000_000))), newEnd, 3);
    }

    private static ReplicaFetch.Result data(TopicPartition partition, int sizeBytes, long highWatermark) {
        return new ReplicaFetch.Result(
                partition, ErrorCode.NONE, highWatermark, 0, ByteBuffer.allocate(sizeBytes), null);
    }

    private void throttle(TopicPartition partition) {
        SortedMap<TopicPartition, SortedSet<Integer>> replicas = new TreeMap<>();
        replicas.put(partition, new TreeSet<>(List.of(SELF.brokerId())));
        fetcher.throttle.limit(RATE, new ThrottledReplicas(replicas), fetcher.nowNs);
    }
}
