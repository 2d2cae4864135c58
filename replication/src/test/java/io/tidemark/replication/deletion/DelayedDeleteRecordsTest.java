package io.tidemark.replication.deletion;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemark.core.metrics.PurgatoryMetrics;
import io.tidemark.core.purgatory.DelayedOperation;
import io.tidemark.core.purgatory.Purgatory;
import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.ManualScheduler;
import io.tidemark.model.ErrorCode;
import io.tidemark.replication.deletion.DelayedDeleteRecords.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The table of {@link DelayedDeleteRecords}, in a purgatory on a test's time. */
final class DelayedDeleteRecordsTest {
    private static final String KEY = "partition";
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final ManualScheduler scheduler = new ManualScheduler(new ManualClock());
    private final List<Throwable> failures = new ArrayList<>();
    private final Purgatory<String, DelayedOperation> purgatory = new Purgatory<>(
            "delete-records",
            scheduler.clock(),
            scheduler,
            (runner, failure) -> failures.add(failure),
            new PurgatoryMetrics(new SimpleMeterRegistry(), "delete-records"));
    private final List<Outcome> outcomes = new ArrayList<>();
    private OptionalLong lowest = OptionalLong.of(3);

    @AfterEach
    void shouldLeaveNothingBehind() {
        assertThat(failures).isEmpty();
        assertThat(purgatory.watched()).isZero();
        assertThat(purgatory.delayed()).isZero();
    }

    @Test
    void shouldBeDoneAtOnceIfEveryReplicaIsThere() {
        lowest = OptionalLong.of(8);
        assertThat(watch(8)).isTrue();
        assertThat(outcomes).containsExactly(new Outcome(ErrorCode.NONE, 8));
    }

    @Test
    void shouldBeDoneWhenTheLastReplicaHasFollowed() {
        // given
        // Fails if: decide() compares with > or is satisfied by any log start
        assertThat(watch(8)).isFalse();

        // when
        lowest = OptionalLong.of(7);
        purgatory.signal(KEY);
        assertThat(outcomes).isEmpty();
        lowest = OptionalLong.of(9);
        purgatory.signal(KEY);

        // then
        assertThat(outcomes).containsExactly(new Outcome(ErrorCode.NONE, 9));
    }

    @Test
    void shouldTimeOut() {
        // given
        watch(8);

        // when
        scheduler.advance(TIMEOUT.plusMillis(10));

        // then
        assertThat(outcomes).containsExactly(new Outcome(ErrorCode.REQUEST_TIMED_OUT, -1));
    }

    /** S38: whoever waits is told when the leadership is over. */
    @Test
    void shouldEndWithTheLeadership() {
        // given
        // Fails if: an empty answer counts as undecided
        watch(8);

        // when
        lowest = OptionalLong.empty();
        purgatory.signal(KEY);

        // then
        assertThat(outcomes).containsExactly(new Outcome(ErrorCode.NOT_LEADER_OR_FOLLOWER, -1));
    }

    @Test
    void shouldEndWithTheErrorOfAFailure() {
        watch(8);
        purgatory.completeAll(KEY, ErrorCode.KAFKA_STORAGE_ERROR);
        assertThat(outcomes).containsExactly(new Outcome(ErrorCode.KAFKA_STORAGE_ERROR, -1));
    }

    @Test
    void shouldTellNobodyWhoIsGone() {
        DelayedDeleteRecords operation = operation(8);
        purgatory.checkAndMaybeWatch(operation, List.of(KEY));
        purgatory.cancel(operation);
        assertThat(outcomes).isEmpty();
    }

    private boolean watch(long offset) {
        return purgatory.checkAndMaybeWatch(operation(offset), List.of(KEY));
    }

    private DelayedDeleteRecords operation(long offset) {
        return new DelayedDeleteRecords(() -> lowest, offset, TIMEOUT, outcomes::add);
    }
}
