package io.tidemark.replication.follower;

import static io.tidemark.replication.follower.FetcherDriver.LONGEST_NS;
import static io.tidemark.replication.follower.FetcherDriver.P0;
import static io.tidemark.replication.follower.FetcherDriver.P1;
import static io.tidemark.replication.follower.FetcherDriver.P2;
import static io.tidemark.replication.follower.FetcherDriver.TOPIC;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.log.LeaderEpochs.EpochEnd;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.TopicPartition;
import io.tidemark.replication.fetch.FetchEntry;
import io.tidemark.replication.fetch.ReplicaFetch;
import io.tidemark.replication.partition.FollowerStep;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What each partition's part of an answer leads to: S76, scenarios 39-42. */
final class FetcherStateTest {
    private final FetcherDriver fetcher = new FetcherDriver();

    @Test
    void shouldAppendAlsoWhenOnlyTheHighWatermarkMoved() {
        // given
        fetcher.openSession(P0);
        fetcher.next();

        // when
        FetcherStep step = FetcherDriver.only(fetcher.answer(FetcherDriver.data(P0, 0)));
        fetcher.done(step, 10, 3);

        // then
        assertThat(step).isInstanceOf(FetcherStep.Append.class);
        assertThat(fetcher.next().changed()).isEmpty();
    }

    /** KAFKA-14704: a divergence is handled first, whatever else the result says. */
    @Test
    void shouldTruncateOnADivergenceAndUseNothingElse() {
        // scenario 40
        // given
        // Fails if: FetcherState appends before it looks at the divergence
        fetcher.openSession(P0);
        fetcher.next();
        EpochEnd end = new EpochEnd(2, 3);

        // when
        FetcherStep step = FetcherDriver.only(
                fetcher.answer(new ReplicaFetch.Result(P0, ErrorCode.NONE, 5, 0, ByteBuffer.allocate(9), end)));

        // then
        assertThat(step).isInstanceOfSatisfying(FetcherStep.Truncate.class, truncate -> {
            assertThat(truncate.diverging()).isEqualTo(end);
            assertThat(truncate.asked().fetchOffset()).isEqualTo(10);
        });
        fetcher.done(step, 3, 2);
        assertThat(fetcher.next().changed()).containsExactly(new FetchEntry(TOPIC, P0, 4, 3, 2, 0, 1_000));
    }

    /** What the leader answered while nobody listened it would not say again by itself. */
    @Test
    void shouldNameAPartitionAgainThatItDroppedAndTookUpAtTheSamePlace() {
        // given P0's data on its way
        fetcher.openSession(P0, P1);
        fetcher.next();

        // when
        fetcher.state.remove(P0);
        assertThat(fetcher.answer(FetcherDriver.data(P0, 9))).isEmpty();
        fetcher.state.add(FetcherDriver.at(P0, 4, 10, 3));

        // then
        assertThat(fetcher.next().changed()).containsExactly(new FetchEntry(TOPIC, P0, 4, 10, 3, 0, 1_000));
    }

    /** Somebody else, an earlier fetcher that was just ending, appended meanwhile. */
    @Test
    void shouldGoOnFromWhereTheReplicaStandsAfterARefusal() {
        // given
        fetcher.openSession(P0);
        fetcher.next();
        FetcherStep step = FetcherDriver.only(fetcher.answer(FetcherDriver.data(P0, 9)));

        // when
        fetcher.state.onStep(step, new FollowerStep.Refused(ErrorCode.INVALID_RECORD, "below the end"), fetcher.nowNs);
        fetcher.state.standsAt(FetcherDriver.at(P0, 4, 15, 4));
        fetcher.nowNs += LONGEST_NS;

        // then
        assertThat(fetcher.next().changed()).containsExactly(new FetchEntry(TOPIC, P0, 4, 15, 4, 0, 1_000));
    }

    @Test
    void shouldLeaveAPositionOfAnotherEpochToWhoeverChangesTheRole() {
        fetcher.openSession(P0);
        fetcher.state.standsAt(FetcherDriver.at(P0, 5, 15, 4));
        assertThat(fetcher.next().changed()).isEmpty();
    }

    /** A leader that says the same again and again does not make a tight loop. */
    @Test
    void shouldPauseWhenATruncationMovedNothing() {
        // given
        fetcher.openSession(P0);
        fetcher.next();
        FetcherStep step = FetcherDriver.only(fetcher.answer(
                new ReplicaFetch.Result(P0, ErrorCode.NONE, 5, 0, FetcherDriver.empty(), new EpochEnd(3, 10))));

        // when
        Optional<FetcherStep.Pause> pause = fetcher.done(step, 10, 3);

        // then
        assertThat(pause).isPresent();
        assertThat(fetcher.tryNext()).isEmpty();
    }

    /** Scenario 41: the leader has deleted what comes next. */
    @Test
    void shouldRestartBelowTheLeadersLogStart() {
        // Fails if: outOfRange() always pauses
        // given
        fetcher.openSession(P0);
        fetcher.next();

        // when
        FetcherStep step =
                FetcherDriver.only(fetcher.answer(FetcherDriver.error(P0, ErrorCode.OFFSET_OUT_OF_RANGE, 50)));

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
        fetcher.state.add(FetcherDriver.at(P0, 4, 100, -1));
        fetcher.next();

        // when
        FetcherStep step =
                FetcherDriver.only(fetcher.answer(FetcherDriver.error(P0, ErrorCode.OFFSET_OUT_OF_RANGE, 0)));

        // then
        assertThat(step).isInstanceOf(FetcherStep.Restart.class);
    }

    /** A log with records is cut by epochs only, never on the word that its end is out of range (I1). */
    @Test
    void shouldNotDropRecordsBecauseTheLeaderIsShorter() {
        // scenario 41. Fails if: outOfRange() restarts whatever the log holds
        // given
        fetcher.openSession(P0);
        fetcher.next();

        // when
        FetcherStep step =
                FetcherDriver.only(fetcher.answer(FetcherDriver.error(P0, ErrorCode.OFFSET_OUT_OF_RANGE, 10)));

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
        // S76, scenario 39. Fails if: FetcherState.pause leaves the partition in its requests
        // given
        fetcher.openSession(P0, P1);
        fetcher.next();

        // when
        List<FetcherStep> steps = fetcher.answer(FetcherDriver.error(P0, error, 0), FetcherDriver.data(P1, 100));

        // then
        assertThat(steps.get(0)).isInstanceOfSatisfying(FetcherStep.Pause.class, pause -> {
            assertThat(pause.reason()).isEqualTo(error);
            assertThat(pause.untilNs())
                    .as(fetcher.randomness.toString())
                    .isBetween(fetcher.nowNs + 10_000_000, fetcher.nowNs + LONGEST_NS);
        });
        assertThat(steps.get(1)).isInstanceOf(FetcherStep.Append.class);
        fetcher.done(steps.get(1), 11, 4);
        ReplicaFetch.Request request = fetcher.next();
        assertThat(request.forgotten()).containsExactly(P0);
        assertThat(request.changed()).extracting(FetchEntry::partition).containsExactly(P1);
    }

    /** Only the controller's next state helps: no tight loop until it comes. */
    @ParameterizedTest
    @EnumSource(
            value = ErrorCode.class,
            names = {"FENCED_LEADER_EPOCH", "INCONSISTENT_TOPIC_ID"})
    void shouldWaitLongWhenOnlyTheControllerCanHelp(ErrorCode error) {
        // scenario 40. Fails if: a fenced partition is asked for again after the shortest pause
        // given
        fetcher.openSession(P0);
        fetcher.next();

        // when
        FetcherStep.Pause pause =
                (FetcherStep.Pause) FetcherDriver.only(fetcher.answer(FetcherDriver.error(P0, error, 0)));

        // then
        assertThat(pause.untilNs() - fetcher.nowNs).isBetween(LONGEST_NS / 2, LONGEST_NS);
        fetcher.state.add(FetcherDriver.at(P0, 5, 10, 3));
        assertThat(fetcher.next().changed())
                .extracting(FetchEntry::currentLeaderEpoch)
                .containsExactly(5);
    }

    @Test
    void shouldComeBackAfterThePauseAndStretchItWithEachFailure() {
        // scenario 39, scenario 40. Fails if: pauseAfterFailure does not count failures
        // given
        fetcher.openSession(P0);
        fetcher.next();
        long shortest = 0;

        for (int failures = 1; failures < 12; failures++) {
            // when
            FetcherDriver.only(fetcher.answer(FetcherDriver.error(P0, ErrorCode.UNKNOWN_LEADER_EPOCH, 0)));
            long wakeAtNs = fetcher.wakeAtNs().orElseThrow();

            // then
            assertThat(wakeAtNs - fetcher.nowNs)
                    .as(fetcher.randomness.toString())
                    .isGreaterThanOrEqualTo(shortest);
            shortest = Math.min(10_000_000L << (failures - 1), LONGEST_NS / 2);
            assertThat(wakeAtNs - fetcher.nowNs)
                    .as(fetcher.randomness.toString())
                    .isGreaterThanOrEqualTo(shortest);
            fetcher.nowNs = wakeAtNs - 1;
            assertThat(fetcher.tryNext()).isEmpty();
            fetcher.nowNs = wakeAtNs;
            assertThat(fetcher.next().changed())
                    .extracting(FetchEntry::partition)
                    .containsExactly(P0);
        }
    }

    @Test
    void shouldStartWithShortPausesAgainAfterASuccess() {
        // given
        fetcher.openSession(P0);
        for (int i = 0; i < 8; i++) {
            fetcher.next();
            FetcherDriver.only(fetcher.answer(FetcherDriver.error(P0, ErrorCode.NOT_LEADER_OR_FOLLOWER, 0)));
            fetcher.nowNs = fetcher.wakeAtNs().orElseThrow();
        }

        // when
        fetcher.next();
        fetcher.done(FetcherDriver.only(fetcher.answer(FetcherDriver.data(P0, 50))), 11, 4);
        fetcher.next();
        FetcherStep.Pause pause = (FetcherStep.Pause)
                FetcherDriver.only(fetcher.answer(FetcherDriver.error(P0, ErrorCode.NOT_LEADER_OR_FOLLOWER, 0)));

        // then
        assertThat(pause.untilNs() - fetcher.nowNs).isLessThanOrEqualTo(20_000_000);
    }

    /** The position moves only after a successful append (DESIGN section 5). */
    @Test
    void shouldAskFromTheSamePlaceAfterARefusedAppend() {
        // scenario 41. Fails if: onStep moves the position whatever came of the step
        // given
        fetcher.openSession(P0);
        fetcher.next();
        FetcherStep step = FetcherDriver.only(fetcher.answer(FetcherDriver.data(P0, 100)));

        // when
        Optional<FetcherStep.Pause> pause = fetcher.state.onStep(
                step, new FollowerStep.Refused(ErrorCode.CORRUPT_MESSAGE, "bad crc"), fetcher.nowNs);

        // then
        assertThat(pause).hasValueSatisfying(p -> assertThat(p.reason()).isEqualTo(ErrorCode.CORRUPT_MESSAGE));
        fetcher.nowNs = fetcher.wakeAtNs().orElseThrow();
        assertThat(fetcher.next().changed()).extracting(FetchEntry::fetchOffset).containsExactly(10L);
    }

    @Test
    void shouldDropAPartitionThatNoLongerFollows() {
        // given
        fetcher.openSession(P0, P1);
        fetcher.next();
        FetcherStep step = FetcherDriver.only(fetcher.answer(FetcherDriver.data(P0, 100)));

        // when
        fetcher.state.onStep(step, new FollowerStep.Fenced(), fetcher.nowNs);

        // then
        assertThat(fetcher.next().forgotten()).containsExactly(P0);
    }

    /** Scenario 39, scenario 40: what changed while a request was out ignores its answer. */
    @Test
    void shouldIgnoreAnswersAboutPartitionsThatChangedMeanwhile() {
        // Fails if: FetcherState.steps takes every result whose partition it has
        // given
        fetcher.openSession(P0, P1, P2);
        fetcher.next();

        // when
        fetcher.state.remove(P0);
        fetcher.state.add(FetcherDriver.at(P1, 5, 10, 3));
        fetcher.state.add(FetcherDriver.at(P2, 4, 8, 3));
        List<FetcherStep> steps = fetcher.answer(
                FetcherDriver.data(P0, 10),
                FetcherDriver.error(P1, ErrorCode.FENCED_LEADER_EPOCH, 0),
                FetcherDriver.data(P2, 10),
                FetcherDriver.data(new TopicPartition("x", 0), 1));

        // then
        assertThat(steps).isEmpty();
        ReplicaFetch.Request request = fetcher.next();
        assertThat(request.forgotten()).containsExactly(P0);
        assertThat(request.changed()).extracting(FetchEntry::partition).containsExactly(P1, P2);
    }

    @Test
    void shouldIgnoreTheOutcomeOfAStepWhosePartitionChangedMeanwhile() {
        // given
        fetcher.openSession(P0);
        fetcher.next();
        FetcherStep step = FetcherDriver.only(fetcher.answer(FetcherDriver.data(P0, 10)));

        // when
        fetcher.state.add(FetcherDriver.at(P0, 5, 10, 3));
        fetcher.done(step, 11, 4);

        // then
        assertThat(fetcher.next().changed()).containsExactly(new FetchEntry(TOPIC, P0, 5, 10, 3, 0, 1_000));
    }

    @Test
    void shouldTakeOneResultForEachPartition() {
        fetcher.openSession(P0);
        fetcher.next();
        assertThat(fetcher.answer(FetcherDriver.data(P0, 10), FetcherDriver.data(P0, 10)))
                .hasSize(1);
    }
}
