package io.tidemark.replication.produce;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemark.core.metrics.PurgatoryMetrics;
import io.tidemark.core.purgatory.DelayedOperation;
import io.tidemark.core.purgatory.Purgatory;
import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.ManualScheduler;
import io.tidemark.model.ErrorCode;
import io.tidemark.replication.partition.PartitionView;
import io.tidemark.replication.partition.PartitionView.Role;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Scenario 28, S25, S38, I13. */
final class DelayedProduceTest {
    private static final int EPOCH = 4;
    private static final PartitionView BEFORE = new PartitionView(Role.LEADER, EPOCH, 1, 10, 1_000, true, 2);

    private final List<Throwable> failures = new ArrayList<>();
    private final ManualScheduler scheduler = new ManualScheduler(new ManualClock(0, 0));
    private final Purgatory<String, DelayedOperation> purgatory = new Purgatory<>(
            "test",
            scheduler.clock(),
            scheduler,
            (runner, failure) -> failures.add(failure),
            new PurgatoryMetrics(new SimpleMeterRegistry(), "test"));
    private final PartitionView[] views = new PartitionView[2];
    private final List<List<ErrorCode>> outcomes = new ArrayList<>();

    @AfterEach
    void shouldNotHaveFailed() {
        assertThat(failures).isEmpty();
    }

    @BeforeEach
    void start() {
        views[0] = BEFORE;
        views[1] = BEFORE;
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "open",
            value = {
                // role, epoch, high watermark, gate open, truncations -> outcome for last offset 10
                "LEADER,   4, 10, true,  2, open",
                "LEADER,   4, 11, true,  2, NONE",
                "LEADER,   4, 99, true,  2, NONE",
                "LEADER,   4, 11, false, 2, NOT_ENOUGH_REPLICAS_AFTER_APPEND",
                "LEADER,   4, 10, false, 2, NOT_ENOUGH_REPLICAS_AFTER_APPEND",
                "LEADER,   5, 11, true,  2, NOT_LEADER_OR_FOLLOWER",
                "LEADER,   4, 11, true,  3, NOT_LEADER_OR_FOLLOWER",
                "FOLLOWER, 5, 11, true,  2, NOT_LEADER_OR_FOLLOWER",
                "FOLLOWER, 4, 11, true,  2, NOT_LEADER_OR_FOLLOWER",
                "NONE,    -1, 11, true,  2, NOT_LEADER_OR_FOLLOWER",
            })
    void shouldDecideByThePublishedView(
            Role role, int epoch, long highWatermark, boolean gateOpen, long truncations, @Nullable ErrorCode outcome) {
        // given
        views[0] = new PartitionView(role, epoch, 1, highWatermark, 0, gateOpen, truncations);

        // when
        ErrorCode decided = waitFor(0, 10).decide();

        // then
        assertThat(decided).isEqualTo(outcome);
    }

    @Test
    void shouldCompleteOnceWhenTheHighWatermarkPasses() {
        // given
        watch(waitFor(0, 10));

        // when
        views[0] = highWatermark(10);
        purgatory.signal("p0");
        assertThat(outcomes).isEmpty();
        views[0] = highWatermark(11);
        purgatory.signal("p0");
        purgatory.signal("p0");
        scheduler.advance(Duration.ofHours(1));

        // then
        assertThat(outcomes).containsExactly(List.of(ErrorCode.NONE));
    }

    /** S39: satisfied just before it registers. */
    @Test
    void shouldCompleteAtOnceWhenItIsCommittedAlready() {
        // Fails if: DelayedProduce wants the high watermark beyond the offset behind the last record
        // given
        views[0] = highWatermark(11);

        // when
        watch(waitFor(0, 10));

        // then
        assertThat(outcomes).containsExactly(List.of(ErrorCode.NONE));
        assertThat(scheduler.size()).as("no timer is left").isZero();
    }

    @Test
    void shouldTimeOutWithAnUnknownOutcome() {
        // given
        watch(waitFor(0, 10));

        // when
        scheduler.advance(Duration.ofMillis(999));
        assertThat(outcomes).isEmpty();
        scheduler.advance(Duration.ofMillis(1));

        // then
        assertThat(outcomes).containsExactly(List.of(ErrorCode.REQUEST_TIMED_OUT));
        assertThat(ErrorCode.REQUEST_TIMED_OUT.outcome()).isEqualTo(ErrorCode.Outcome.UNKNOWN);
    }

    /** What was committed stays so, whatever happens to the partition while another part waits. */
    @Test
    void shouldKeepWhatIsDecidedWhileOtherPartsWait() {
        // given
        watch(waitFor(0, 10), waitFor(1, 10));

        // when
        views[0] = highWatermark(11);
        purgatory.signal("p0");
        views[0] = new PartitionView(Role.FOLLOWER, 5, 2, 11, 0, false, 3);
        purgatory.signal("p0");
        views[1] = new PartitionView(Role.NONE, -1, -1, 10, 0, false, 2);
        purgatory.signal("p1");

        // then
        assertThat(outcomes).containsExactly(List.of(ErrorCode.NONE, ErrorCode.NOT_LEADER_OR_FOLLOWER));
    }

    @Test
    void shouldTimeOutOnlyThePartsThatAreOpen() {
        // given
        watch(waitFor(0, 10), waitFor(1, 10));

        // when
        views[1] = highWatermark(20);
        purgatory.signal("p1");
        scheduler.advance(Duration.ofSeconds(1));

        // then
        assertThat(outcomes).containsExactly(List.of(ErrorCode.REQUEST_TIMED_OUT, ErrorCode.NONE));
    }

    private DelayedProduce.Wait waitFor(int view, long lastOffset) {
        return new DelayedProduce.Wait(() -> views[view], lastOffset, EPOCH, BEFORE.truncations());
    }

    private void watch(DelayedProduce.Wait... waits) {
        DelayedProduce operation = new DelayedProduce(List.of(waits), Duration.ofSeconds(1), outcomes::add);
        List<String> keys = waits.length == 1 ? List.of("p0") : List.of("p0", "p1");
        purgatory.checkAndMaybeWatch(operation, keys);
    }

    private static PartitionView highWatermark(long offset) {
        return new PartitionView(Role.LEADER, EPOCH, 1, offset, offset * 100, true, BEFORE.truncations());
    }
}
