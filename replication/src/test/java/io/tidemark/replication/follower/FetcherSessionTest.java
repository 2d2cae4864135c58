package io.tidemark.replication.follower;

import static io.tidemark.replication.follower.FetcherDriver.LONGEST_NS;
import static io.tidemark.replication.follower.FetcherDriver.P0;
import static io.tidemark.replication.follower.FetcherDriver.P1;
import static io.tidemark.replication.follower.FetcherDriver.P2;
import static io.tidemark.replication.follower.FetcherDriver.SELF;
import static io.tidemark.replication.follower.FetcherDriver.SESSION;
import static io.tidemark.replication.follower.FetcherDriver.TOPIC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.runtime.Invariant.InvariantBrokenException;
import io.tidemark.model.ErrorCode;
import io.tidemark.replication.fetch.FetchEntry;
import io.tidemark.replication.fetch.ReplicaFetch;
import io.tidemark.replication.partition.Follower;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The session of a fetcher, and what becomes of it when it or the channel fails. */
final class FetcherSessionTest {
    private final FetcherDriver fetcher = new FetcherDriver();

    @Test
    void shouldOpenASessionWithEveryPartition() {
        // given
        fetcher.state.add(FetcherDriver.at(P1, 4, 20, 3));
        fetcher.state.add(FetcherDriver.at(P0, 4, 10, -1));

        // when
        ReplicaFetch.Request request = fetcher.next();

        // then
        assertThat(request)
                .isEqualTo(new ReplicaFetch.Request(
                        SELF,
                        0,
                        0,
                        500,
                        1,
                        10_000,
                        List.of(
                                new FetchEntry(TOPIC, P0, 4, 10, -1, 0, 1_000),
                                new FetchEntry(TOPIC, P1, 4, 20, 3, 0, 1_000)),
                        List.of()));
    }

    @Test
    void shouldAskNothingWhileARequestIsOutOrWithoutPartitions() {
        assertThat(fetcher.tryNext()).isEmpty();
        fetcher.state.add(FetcherDriver.at(P0, 4, 10, 3));
        fetcher.next();
        assertThat(fetcher.tryNext()).isEmpty();
        assertThat(fetcher.wakeAtNs()).isEmpty();
    }

    /** Idle partitions cost nothing: only what moved is named. */
    @Test
    void shouldNameOnlyWhatChangedWithinTheSession() {
        // given
        fetcher.openSession(P0, P1, P2);

        // when
        fetcher.next();
        FetcherStep step = FetcherDriver.only(fetcher.answer(FetcherDriver.data(P1, 100)));
        fetcher.done(step, 15, 4);
        ReplicaFetch.Request request = fetcher.next();

        // then
        assertThat(request.sessionId()).isEqualTo(SESSION);
        assertThat(request.sessionEpoch()).isEqualTo(2);
        assertThat(request.changed()).containsExactly(new FetchEntry(TOPIC, P1, 4, 15, 4, 0, 1_000));
        assertThat(request.forgotten()).isEmpty();
    }

    @Test
    void shouldCountSessionEpochsFromZero() {
        fetcher.openSession(P0);
        for (int epoch = 1; epoch < 5; epoch++) {
            assertThat(fetcher.next().sessionEpoch()).isEqualTo(epoch);
            fetcher.answer();
        }
    }

    @Test
    void shouldForgetARemovedPartitionOnce() {
        // given
        fetcher.openSession(P0, P1);

        // when
        fetcher.state.remove(P1);
        fetcher.state.remove(P2);

        // then
        assertThat(fetcher.next().forgotten()).containsExactly(P1);
        fetcher.answer();
        assertThat(fetcher.next().forgotten()).isEmpty();
    }

    @Test
    void shouldAddAPartitionToARunningSession() {
        // given
        fetcher.openSession(P0);

        // when
        fetcher.state.add(FetcherDriver.at(P1, 4, 0, -1));

        // then
        assertThat(fetcher.next().changed()).extracting(FetchEntry::partition).containsExactly(P1);
    }

    /** A new life of this broker starts a session of its own. */
    @Test
    void shouldOpenANewSessionUnderANewBrokerEpoch() {
        // given
        fetcher.openSession(P0, P1);

        // when
        ReplicaFetch.Request request =
                fetcher.state.nextRequest(new Follower(3, 31), fetcher.nowNs).orElseThrow();

        // then
        assertThat(request.sessionId()).isZero();
        assertThat(request.sessionEpoch()).isZero();
        assertThat(request.follower().brokerEpoch()).isEqualTo(31);
        assertThat(request.changed()).hasSize(2);
    }

    @ParameterizedTest
    @EnumSource(
            value = ErrorCode.class,
            names = {"FETCH_SESSION_ID_NOT_FOUND", "INVALID_FETCH_SESSION_EPOCH"})
    void shouldOpenANewSessionAtOnceWhenTheLeaderHasLostIt(ErrorCode error) {
        // given
        fetcher.openSession(P0, P1);
        fetcher.next();

        // when
        fetcher.state.onAnswer(ReplicaFetch.Answer.failed(error), fetcher.nowNs);

        // then
        ReplicaFetch.Request request = fetcher.next();
        assertThat(request.sessionId()).isZero();
        assertThat(request.changed()).hasSize(2);

        // and when the new one is refused too
        fetcher.state.onAnswer(ReplicaFetch.Answer.failed(error), fetcher.nowNs);

        // then
        assertThat(fetcher.tryNext()).isEmpty();
        assertThat(fetcher.wakeAtNs().orElseThrow()).isGreaterThan(fetcher.nowNs);
    }

    @ParameterizedTest
    @EnumSource(
            value = ErrorCode.class,
            names = {"BROKER_NOT_AVAILABLE", "REQUEST_TIMED_OUT", "STALE_BROKER_EPOCH", "UNKNOWN_SERVER_ERROR"})
    void shouldBackOffAsAWholeWhenTheChannelFails(ErrorCode error) {
        // given
        fetcher.openSession(P0, P1);
        fetcher.next();

        // when
        List<FetcherStep> steps = fetcher.state.onAnswer(ReplicaFetch.Answer.failed(error), fetcher.nowNs);

        // then
        assertThat(steps).isEmpty();
        assertThat(fetcher.tryNext()).isEmpty();
        fetcher.nowNs = fetcher.wakeAtNs().orElseThrow();
        assertThat(fetcher.next().sessionId()).isZero();
    }

    /** grpc-java#6473: the backoff is capped and forgotten on the news that the leader is back. */
    @Test
    void shouldAskAtOnceWhenTheLeaderIsKnownToBeBack() {
        // given
        fetcher.openSession(P0);
        for (int i = 0; i < 50; i++) {
            fetcher.next();
            fetcher.state.onAnswer(ReplicaFetch.Answer.failed(ErrorCode.BROKER_NOT_AVAILABLE), fetcher.nowNs);
            assertThat(fetcher.wakeAtNs().orElseThrow() - fetcher.nowNs).isLessThanOrEqualTo(LONGEST_NS);
            fetcher.nowNs = fetcher.wakeAtNs().orElseThrow();
        }
        fetcher.next();
        fetcher.state.onAnswer(ReplicaFetch.Answer.failed(ErrorCode.BROKER_NOT_AVAILABLE), fetcher.nowNs);

        // when
        fetcher.state.endPauses();

        // then
        assertThat(fetcher.tryNext()).isPresent();
    }

    @Test
    void shouldNotWaitForAnAnswerOfAReplacedConnection() {
        // given
        fetcher.openSession(P0);
        fetcher.next();

        // when
        fetcher.state.forgetConnection();

        // then
        assertThat(fetcher.next().sessionId()).isZero();
    }

    @Test
    void shouldRefuseAnAnswerWithoutARequest() {
        assertThatThrownBy(() -> fetcher.state.onAnswer(ReplicaFetch.Answer.failed(ErrorCode.NONE), fetcher.nowNs))
                .isInstanceOf(InvariantBrokenException.class);
    }
}
