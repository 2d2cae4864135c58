package io.tidemark.replication.follower;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.log.LeaderEpochs.EpochEnd;
import io.tidemark.core.log.LogEnd;
import io.tidemark.core.runtime.Invariant.InvariantBrokenException;
import io.tidemark.core.testkit.SeededRandomness;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicId;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.fetch.FetchEntry;
import io.tidemark.replication.fetch.ReplicaFetch;
import io.tidemark.replication.partition.Follower;
import io.tidemark.replication.partition.FollowerPosition;
import io.tidemark.replication.partition.FollowerStep;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** S76, scenarios 39-42. */
final class FetcherStateTest {
    private static final TopicId TOPIC = new TopicId(1, 2);
    private static final TopicPartition P0 = new TopicPartition("t", 0);
    private static final TopicPartition P1 = new TopicPartition("t", 1);
    private static final TopicPartition P2 = new TopicPartition("t", 2);
    private static final Follower SELF = new Follower(3, 30);
    private static final long SESSION = 77;
    private static final long LONGEST_NS = Duration.ofSeconds(1).toNanos();
    private static final FetcherConfig CONFIG = new FetcherConfig(
            Duration.ofMillis(500), 1, 1_000, 10_000, Duration.ofMillis(20), Duration.ofSeconds(1), 1);

    private final SeededRandomness randomness = new SeededRandomness(5);
    private final FetcherState state = new FetcherState(CONFIG, randomness);
    private long nowNs = 1_000;

    @Test
    void shouldOpenASessionWithEveryPartition() {
        // given
        state.add(at(P1, 4, 20, 3));
        state.add(at(P0, 4, 10, -1));

        // when
        ReplicaFetch.Request request = next();

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
        assertThat(state.nextRequest(SELF, nowNs)).isEmpty();
        state.add(at(P0, 4, 10, 3));
        next();
        assertThat(state.nextRequest(SELF, nowNs)).isEmpty();
        assertThat(state.wakeAtNs()).isEmpty();
    }

    /** Idle partitions cost nothing: only what moved is named. */
    @Test
    void shouldNameOnlyWhatChangedWithinTheSession() {
        // given
        openSession(P0, P1, P2);

        // when
        next();
        FetcherStep step = only(answer(data(P1, 100)));
        done(step, 15, 4);
        ReplicaFetch.Request request = next();

        // then
        assertThat(request.sessionId()).isEqualTo(SESSION);
        assertThat(request.sessionEpoch()).isEqualTo(2);
        assertThat(request.changed()).containsExactly(new FetchEntry(TOPIC, P1, 4, 15, 4, 0, 1_000));
        assertThat(request.forgotten()).isEmpty();
    }

    @Test
    void shouldCountSessionEpochsFromZero() {
        openSession(P0);
        for (int epoch = 1; epoch < 5; epoch++) {
            assertThat(next().sessionEpoch()).isEqualTo(epoch);
            answer();
        }
    }

    @Test
    void shouldForgetARemovedPartitionOnce() {
        // given
        openSession(P0, P1);

        // when
        state.remove(P1);
        state.remove(P2);

        // then
        assertThat(next().forgotten()).containsExactly(P1);
        answer();
        assertThat(next().forgotten()).isEmpty();
    }

    @Test
    void shouldAddAPartitionToARunningSession() {
        // given
        openSession(P0);

        // when
        state.add(at(P1, 4, 0, -1));

        // then
        assertThat(next().changed()).extracting(FetchEntry::partition).containsExactly(P1);
    }

    /** A new life of this broker starts a session of its own. */
    @Test
    void shouldOpenANewSessionUnderANewBrokerEpoch() {
        // given
        openSession(P0, P1);

        // when
        ReplicaFetch.Request request =
                state.nextRequest(new Follower(3, 31), nowNs).orElseThrow();

        // then
        assertThat(request.sessionId()).isZero();
        assertThat(request.sessionEpoch()).isZero();
        assertThat(request.follower().brokerEpoch()).isEqualTo(31);
        assertThat(request.changed()).hasSize(2);
    }

    @Test
    void shouldAppendAlsoWhenOnlyTheHighWatermarkMoved() {
        // given
        openSession(P0);
        next();

        // when
        FetcherStep step = only(answer(data(P0, 0)));
        done(step, 10, 3);

        // then
        assertThat(step).isInstanceOf(FetcherStep.Append.class);
        assertThat(next().changed()).isEmpty();
    }

    /** KAFKA-14704: a divergence is handled first, whatever else the result says. */
    @Test
    void shouldTruncateOnADivergenceAndUseNothingElse() {
        // given
        openSession(P0);
        next();
        EpochEnd end = new EpochEnd(2, 3);

        // when
        FetcherStep step = only(answer(new ReplicaFetch.Result(P0, ErrorCode.NONE, 5, 0, ByteBuffer.allocate(9), end)));

        // then
        assertThat(step).isInstanceOfSatisfying(FetcherStep.Truncate.class, truncate -> {
            assertThat(truncate.diverging()).isEqualTo(end);
            assertThat(truncate.asked().fetchOffset()).isEqualTo(10);
        });
        done(step, 3, 2);
        assertThat(next().changed()).containsExactly(new FetchEntry(TOPIC, P0, 4, 3, 2, 0, 1_000));
    }

    /** A leader that says the same again and again does not make a tight loop. */
    @Test
    void shouldPauseWhenATruncationMovedNothing() {
        // given
        openSession(P0);
        next();
        FetcherStep step =
                only(answer(new ReplicaFetch.Result(P0, ErrorCode.NONE, 5, 0, empty(), new EpochEnd(3, 10))));

        // when
        Optional<FetcherStep.Pause> pause = done(step, 10, 3);

        // then
        assertThat(pause).isPresent();
        assertThat(state.nextRequest(SELF, nowNs)).isEmpty();
    }

    /** Scenario 41: the leader has deleted what comes next. */
    @Test
    void shouldRestartBelowTheLeadersLogStart() {
        // given
        openSession(P0);
        next();

        // when
        FetcherStep step = only(answer(error(P0, ErrorCode.OFFSET_OUT_OF_RANGE, 50)));

        // then
        assertThat(step)
                .isInstanceOfSatisfying(
                        FetcherStep.Restart.class,
                        restart -> assertThat(restart.logStartOffset()).isEqualTo(50));
    }

    /** An empty log that starts beyond a shorter leader has nothing to lose. */
    @Test
    void shouldRestartAnEmptyLogThatLiesBeyondTheLeader() {
        // given
        state.add(at(P0, 4, 100, -1));
        next();

        // when
        FetcherStep step = only(answer(error(P0, ErrorCode.OFFSET_OUT_OF_RANGE, 0)));

        // then
        assertThat(step).isInstanceOf(FetcherStep.Restart.class);
    }

    /** A log with records is cut by epochs only, never on the word that its end is out of range (I1). */
    @Test
    void shouldNotDropRecordsBecauseTheLeaderIsShorter() {
        // given
        openSession(P0);
        next();

        // when
        FetcherStep step = only(answer(error(P0, ErrorCode.OFFSET_OUT_OF_RANGE, 10)));

        // then
        assertThat(step).isInstanceOf(FetcherStep.Pause.class);
    }

    /** Every error that is about one partition pauses that one, and the others go on. */
    @ParameterizedTest
    @EnumSource(
            value = ErrorCode.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"NONE", "OFFSET_OUT_OF_RANGE"})
    void shouldPauseOnlyThePartitionThatFailed(ErrorCode error) {
        // given
        openSession(P0, P1);
        next();

        // when
        List<FetcherStep> steps = answer(error(P0, error, 0), data(P1, 100));

        // then
        assertThat(steps.get(0)).isInstanceOfSatisfying(FetcherStep.Pause.class, pause -> {
            assertThat(pause.reason()).isEqualTo(error);
            assertThat(pause.untilNs()).as(randomness.toString()).isBetween(nowNs + 10_000_000, nowNs + LONGEST_NS);
        });
        assertThat(steps.get(1)).isInstanceOf(FetcherStep.Append.class);
        done(steps.get(1), 11, 4);
        ReplicaFetch.Request request = next();
        assertThat(request.forgotten()).containsExactly(P0);
        assertThat(request.changed()).extracting(FetchEntry::partition).containsExactly(P1);
    }

    /** Only the controller's next state helps: no tight loop until it comes. */
    @ParameterizedTest
    @EnumSource(
            value = ErrorCode.class,
            names = {"FENCED_LEADER_EPOCH", "INCONSISTENT_TOPIC_ID"})
    void shouldWaitLongWhenOnlyTheControllerCanHelp(ErrorCode error) {
        // given
        openSession(P0);
        next();

        // when
        FetcherStep.Pause pause = (FetcherStep.Pause) only(answer(error(P0, error, 0)));

        // then
        assertThat(pause.untilNs() - nowNs).isBetween(LONGEST_NS / 2, LONGEST_NS);
        state.add(at(P0, 5, 10, 3));
        assertThat(next().changed()).extracting(FetchEntry::currentLeaderEpoch).containsExactly(5);
    }

    @Test
    void shouldComeBackAfterThePauseAndStretchItWithEachFailure() {
        // given
        openSession(P0);
        next();
        long shortest = 0;

        for (int failures = 1; failures < 12; failures++) {
            // when
            only(answer(error(P0, ErrorCode.UNKNOWN_LEADER_EPOCH, 0)));
            long wakeAtNs = state.wakeAtNs().orElseThrow();

            // then
            assertThat(wakeAtNs - nowNs).as(randomness.toString()).isGreaterThanOrEqualTo(shortest);
            shortest = Math.min(10_000_000L << (failures - 1), LONGEST_NS / 2);
            assertThat(wakeAtNs - nowNs).as(randomness.toString()).isGreaterThanOrEqualTo(shortest);
            nowNs = wakeAtNs - 1;
            assertThat(state.nextRequest(SELF, nowNs)).isEmpty();
            nowNs = wakeAtNs;
            assertThat(next().changed()).extracting(FetchEntry::partition).containsExactly(P0);
        }
    }

    @Test
    void shouldStartWithShortPausesAgainAfterASuccess() {
        // given
        openSession(P0);
        for (int i = 0; i < 8; i++) {
            next();
            only(answer(error(P0, ErrorCode.NOT_LEADER_OR_FOLLOWER, 0)));
            nowNs = state.wakeAtNs().orElseThrow();
        }

        // when
        next();
        done(only(answer(data(P0, 50))), 11, 4);
        next();
        FetcherStep.Pause pause = (FetcherStep.Pause) only(answer(error(P0, ErrorCode.NOT_LEADER_OR_FOLLOWER, 0)));

        // then
        assertThat(pause.untilNs() - nowNs).isLessThanOrEqualTo(20_000_000);
    }

    /** The position moves only after a successful append (DESIGN section 5). */
    @Test
    void shouldAskFromTheSamePlaceAfterARefusedAppend() {
        // given
        openSession(P0);
        next();
        FetcherStep step = only(answer(data(P0, 100)));

        // when
        Optional<FetcherStep.Pause> pause =
                state.onStep(step, new FollowerStep.Refused(ErrorCode.CORRUPT_MESSAGE, "bad crc"), nowNs);

        // then
        assertThat(pause).hasValueSatisfying(p -> assertThat(p.reason()).isEqualTo(ErrorCode.CORRUPT_MESSAGE));
        nowNs = state.wakeAtNs().orElseThrow();
        assertThat(next().changed()).extracting(FetchEntry::fetchOffset).containsExactly(10L);
    }

    @Test
    void shouldDropAPartitionThatNoLongerFollows() {
        // given
        openSession(P0, P1);
        next();
        FetcherStep step = only(answer(data(P0, 100)));

        // when
        state.onStep(step, new FollowerStep.Fenced(), nowNs);

        // then
        assertThat(next().forgotten()).containsExactly(P0);
    }

    /** Scenarios 39, 40: what changed while a request was out ignores its answer. */
    @Test
    void shouldIgnoreAnswersAboutPartitionsThatChangedMeanwhile() {
        // given
        openSession(P0, P1, P2);
        next();

        // when
        state.remove(P0);
        state.add(at(P1, 5, 10, 3));
        state.add(at(P2, 4, 8, 3));
        List<FetcherStep> steps = answer(
                data(P0, 10),
                error(P1, ErrorCode.FENCED_LEADER_EPOCH, 0),
                data(P2, 10),
                data(new TopicPartition("x", 0), 1));

        // then
        assertThat(steps).isEmpty();
        ReplicaFetch.Request request = next();
        assertThat(request.forgotten()).containsExactly(P0);
        assertThat(request.changed()).extracting(FetchEntry::partition).containsExactly(P1, P2);
    }

    @Test
    void shouldIgnoreTheOutcomeOfAStepWhosePartitionChangedMeanwhile() {
        // given
        openSession(P0);
        next();
        FetcherStep step = only(answer(data(P0, 10)));

        // when
        state.add(at(P0, 5, 10, 3));
        done(step, 11, 4);

        // then
        assertThat(next().changed()).containsExactly(new FetchEntry(TOPIC, P0, 5, 10, 3, 0, 1_000));
    }

    @Test
    void shouldTakeOneResultForEachPartition() {
        openSession(P0);
        next();
        assertThat(answer(data(P0, 10), data(P0, 10))).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(
            value = ErrorCode.class,
            names = {"FETCH_SESSION_ID_NOT_FOUND", "INVALID_FETCH_SESSION_EPOCH"})
    void shouldOpenANewSessionAtOnceWhenTheLeaderHasLostIt(ErrorCode error) {
        // given
        openSession(P0, P1);
        next();

        // when
        state.onAnswer(ReplicaFetch.Answer.failed(error), nowNs);

        // then
        ReplicaFetch.Request request = next();
        assertThat(request.sessionId()).isZero();
        assertThat(request.changed()).hasSize(2);

        // and when the new one is refused too
        state.onAnswer(ReplicaFetch.Answer.failed(error), nowNs);

        // then
        assertThat(state.nextRequest(SELF, nowNs)).isEmpty();
        assertThat(state.wakeAtNs().orElseThrow()).isGreaterThan(nowNs);
    }

    @ParameterizedTest
    @EnumSource(
            value = ErrorCode.class,
            names = {"BROKER_NOT_AVAILABLE", "REQUEST_TIMED_OUT", "STALE_BROKER_EPOCH", "UNKNOWN_SERVER_ERROR"})
    void shouldBackOffAsAWholeWhenTheChannelFails(ErrorCode error) {
        // given
        openSession(P0, P1);
        next();

        // when
        List<FetcherStep> steps = state.onAnswer(ReplicaFetch.Answer.failed(error), nowNs);

        // then
        assertThat(steps).isEmpty();
        assertThat(state.nextRequest(SELF, nowNs)).isEmpty();
        nowNs = state.wakeAtNs().orElseThrow();
        assertThat(next().sessionId()).isZero();
    }

    /** grpc-java#6473: the backoff is capped and forgotten on the news that the leader is back. */
    @Test
    void shouldAskAtOnceWhenTheLeaderIsKnownToBeBack() {
        // given
        openSession(P0);
        for (int i = 0; i < 50; i++) {
            next();
            state.onAnswer(ReplicaFetch.Answer.failed(ErrorCode.BROKER_NOT_AVAILABLE), nowNs);
            assertThat(state.wakeAtNs().orElseThrow() - nowNs).isLessThanOrEqualTo(LONGEST_NS);
            nowNs = state.wakeAtNs().orElseThrow();
        }
        next();
        state.onAnswer(ReplicaFetch.Answer.failed(ErrorCode.BROKER_NOT_AVAILABLE), nowNs);

        // when
        state.endPauses();

        // then
        assertThat(state.nextRequest(SELF, nowNs)).isPresent();
    }

    @Test
    void shouldNotWaitForAnAnswerOfAReplacedConnection() {
        // given
        openSession(P0);
        next();

        // when
        state.forgetConnection();

        // then
        assertThat(next().sessionId()).isZero();
    }

    @Test
    void shouldRefuseAnAnswerWithoutARequest() {
        assertThatThrownBy(() -> state.onAnswer(ReplicaFetch.Answer.failed(ErrorCode.NONE), nowNs))
                .isInstanceOf(InvariantBrokenException.class);
    }

    private void openSession(TopicPartition... partitions) {
        for (TopicPartition partition : partitions) {
            state.add(at(partition, 4, 10, 3));
        }
        next();
        answer();
    }

    private ReplicaFetch.Request next() {
        return state.nextRequest(SELF, nowNs).orElseThrow();
    }

    private List<FetcherStep> answer(ReplicaFetch.Result... results) {
        return state.onAnswer(new ReplicaFetch.Answer(ErrorCode.NONE, SESSION, Arrays.asList(results)), nowNs);
    }

    private Optional<FetcherStep.Pause> done(FetcherStep step, long endOffset, int lastEpoch) {
        return state.onStep(step, new FollowerStep.Done(new LogEnd(endOffset, 999, lastEpoch), 0, 0), nowNs);
    }

    private static FetcherStep only(List<FetcherStep> steps) {
        assertThat(steps).hasSize(1);
        return steps.get(0);
    }

    private static FollowerPosition at(TopicPartition partition, int leaderEpoch, long fetchOffset, int lastEpoch) {
        return new FollowerPosition(TOPIC, partition, leaderEpoch, 1, fetchOffset, lastEpoch, 0);
    }

    private static ReplicaFetch.Result data(TopicPartition partition, int sizeBytes) {
        return new ReplicaFetch.Result(partition, ErrorCode.NONE, 7, 0, ByteBuffer.allocate(sizeBytes), null);
    }

    private static ReplicaFetch.Result error(TopicPartition partition, ErrorCode error, long logStartOffset) {
        return new ReplicaFetch.Result(partition, error, -1, logStartOffset, empty(), null);
    }

    private static ByteBuffer empty() {
        return ByteBuffer.allocate(0);
    }
}
