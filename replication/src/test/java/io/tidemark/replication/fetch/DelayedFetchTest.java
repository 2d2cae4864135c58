package io.tidemark.replication.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemark.core.metrics.PurgatoryMetrics;
import io.tidemark.core.purgatory.DelayedOperation;
import io.tidemark.core.purgatory.Purgatory;
import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.ManualScheduler;
import io.tidemark.replication.partition.PartitionView;
import io.tidemark.replication.partition.PartitionView.Role;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Scenario 26, S31-S33, S36, S38, S40, S41. */
final class DelayedFetchTest {
    private static final PartitionView BEFORE = view(1_000);

    private final List<Throwable> failures = new ArrayList<>();
    private final ManualScheduler scheduler = new ManualScheduler(new ManualClock(0, 0));
    private final Purgatory<String, DelayedOperation> purgatory = new Purgatory<>(
            "test",
            scheduler.clock(),
            scheduler,
            (runner, failure) -> failures.add(failure),
            new PurgatoryMetrics(new SimpleMeterRegistry(), "test"));
    private final PartitionView[] views = new PartitionView[3];
    private long logStartOffset;
    private int completions;

    @AfterEach
    void shouldNotHaveFailed() {
        assertThat(failures).isEmpty();
    }

    @BeforeEach
    void start() {
        views[0] = BEFORE;
        views[1] = BEFORE;
        views[2] = BEFORE;
    }

    @ParameterizedTest
    @CsvSource({
        // high watermark positions of three partitions, of which the fetch is at 1000 in each -> done for 100 bytes
        "1000, 1000, 1000, false",
        "1099, 1000, 1000, false",
        "1100, 1000, 1000, true",
        "1050, 1050, 1000, true",
        "1033, 1033, 1033, false",
        "1033, 1033, 1034, true",
        // a position beyond the high watermark contributes nothing, and takes nothing away (I16)
        "900,  1000, 1100, true",
        "900,  1000, 1099, false",
        // high watermarks that are known as offsets only (scenario 26)
        "-1, -1, -1, false",
        // more than 2^31 (S35)
        "8589934592, 1000, 1000, true",
    })
    void shouldSumWhatIsReadable(long first, long second, long third, boolean done) {
        // S31, S33, scenario 26. Fails if: isSatisfied lets a negative difference count
        // given
        watch(100);

        // when
        views[0] = view(first);
        views[1] = view(second);
        views[2] = view(third);
        purgatory.signal("p");

        // then
        assertThat(completions).isEqualTo(done ? 1 : 0);
    }

    /** S40: neither at append time nor one move late. */
    @Test
    void shouldCompleteOnTheMoveThatMakesTheBytesReadable() {
        // Fails if: isSatisfied wants more than the minimum
        // given
        watch(10_000);

        for (long position = 2_000; position < 11_000; position += 1_000) {
            // when
            views[0] = view(position);
            purgatory.signal("p");

            // then
            assertThat(completions).isZero();
        }
        views[0] = view(11_000);
        purgatory.signal("p");
        assertThat(completions).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"LEADER, 5, 0", "FOLLOWER, 5, 0", "FOLLOWER, 4, 0", "NONE, -1, 0", "LEADER, 4, 1"})
    void shouldEndWhenTheRoleOrTheLogIsNoLongerTheSame(Role role, int epoch, long truncations) {
        // scenario 26, S38. Fails if: DelayedFetch.Wait.isOver forgets the epoch, the role or the truncations
        // given
        watch(100);

        // when
        views[1] = new PartitionView(role, epoch, 1, 10, 1_000, true, truncations);
        purgatory.signal("p");

        // then
        assertThat(completions).isEqualTo(1);
    }

    /** S36. */
    @Test
    void shouldEndWhenTheOffsetIsDeleted() {
        // given
        watch(100);

        // when
        logStartOffset = 10;
        purgatory.signal("p");
        assertThat(completions).isZero();
        logStartOffset = 11;
        purgatory.signal("p");

        // then
        assertThat(completions).isEqualTo(1);
    }

    /** S41. */
    @Test
    void shouldEndAtTheMaximumWait() {
        // Fails if: onComplete answers satisfied fetches alone
        // given
        watch(100);

        // when
        scheduler.advance(Duration.ofMillis(499));
        assertThat(completions).isZero();
        scheduler.advance(Duration.ofMillis(1));

        // then
        assertThat(completions).isEqualTo(1);
    }

    /** S39. */
    @Test
    void shouldEndAtOnceWhenEnoughIsThereByNow() {
        // Fails if: isSatisfied looks at the first partition alone
        // given
        views[2] = view(1_100);

        // when
        watch(100);

        // then
        assertThat(completions).isEqualTo(1);
        assertThat(scheduler.size()).isZero();
    }

    @Test
    void shouldNotAnswerACallerThatIsGone() {
        // given
        DelayedFetch operation = watch(100);

        // when
        purgatory.cancel(operation);
        views[0] = view(9_999);
        purgatory.signal("p");
        scheduler.advance(Duration.ofSeconds(9));

        // then
        assertThat(completions).isZero();
    }

    private DelayedFetch watch(long minBytes) {
        List<DelayedFetch.Wait> waits = List.of(waitOn(0), waitOn(1), waitOn(2));
        DelayedFetch operation = new DelayedFetch(waits, minBytes, Duration.ofMillis(500), () -> completions++);
        purgatory.checkAndMaybeWatch(operation, List.of("p"));
        return operation;
    }

    private DelayedFetch.Wait waitOn(int view) {
        return new DelayedFetch.Wait(() -> views[view], () -> logStartOffset, 4, 0, 10, 1_000);
    }

    private static PartitionView view(long highWatermarkPosition) {
        return new PartitionView(Role.LEADER, 4, 1, 10, highWatermarkPosition, true, 0);
    }
}
