package io.tidemark.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.runtime.Cancellable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ManualSchedulerTest {
    private final ManualClock clock = new ManualClock(0, 0);
    private final ManualScheduler scheduler = new ManualScheduler(clock);
    private final List<String> runs = new ArrayList<>();

    /** S53. */
    @Test
    void shouldRunInOrderOfDueTimeAndTiesInOrderOfInsertion() {
        // given
        // Fails if: ManualScheduler breaks ties the other way
        scheduler.schedule(Duration.ofMillis(20), () -> runs.add("late"));
        scheduler.schedule(Duration.ofMillis(10), () -> runs.add("first"));
        scheduler.schedule(Duration.ofMillis(10), () -> runs.add("second"));
        scheduler.schedule(Duration.ofMillis(5), () -> runs.add("early"));

        // when
        scheduler.advance(Duration.ofMillis(100));

        // then
        assertThat(runs).containsExactly("early", "first", "second", "late");
    }

    /** S53: a task due exactly at the new time runs, one due a nanosecond later does not. */
    @Test
    void shouldRunWhatIsDueExactlyAtTheNewTime() {
        // given
        // Fails if: ManualScheduler leaves what is due at the limit (`>` made `>=`)
        scheduler.schedule(Duration.ofNanos(100), () -> runs.add("at"));
        scheduler.schedule(Duration.ofNanos(101), () -> runs.add("after"));

        // when
        scheduler.advance(Duration.ofNanos(100));

        // then
        assertThat(runs).containsExactly("at");
        assertThat(scheduler.nextDueNs()).hasValue(101);
    }

    /** S52. */
    @Test
    void shouldRunTasksScheduledByTasksInTheSameTick() {
        // given
        // Fails if: ManualScheduler runs one task per call
        scheduler.schedule(Duration.ofMillis(1), () -> {
            runs.add("outer");
            scheduler.schedule(Duration.ZERO, () -> runs.add("inner"));
        });
        scheduler.schedule(Duration.ofMillis(1), () -> runs.add("neighbour"));

        // when
        scheduler.advance(Duration.ofMillis(1));

        // then
        assertThat(runs).containsExactly("outer", "neighbour", "inner");
    }

    /** S53: due + period, not now + period; a jump interleaves the runs in time order. */
    @Test
    void shouldRunPeriodicTasksOncePerPeriodInAJump() {
        // given
        // Fails if: ManualScheduler counts a period from the clock instead of from the due time
        scheduler.scheduleEvery(Duration.ofMillis(10), () -> runs.add("ten@" + millis()));
        scheduler.scheduleEvery(Duration.ofMillis(15), () -> runs.add("fifteen@" + millis()));

        // when
        scheduler.advance(Duration.ofMillis(30));

        // then
        assertThat(runs).containsExactly("ten@10", "fifteen@15", "ten@20", "fifteen@30", "ten@30");
    }

    @Test
    void shouldShowEachTaskItsOwnDueTime() {
        // given
        scheduler.schedule(Duration.ofMillis(3), () -> runs.add("@" + millis()));
        scheduler.schedule(Duration.ofMillis(7), () -> runs.add("@" + millis()));

        // when
        scheduler.advance(Duration.ofMillis(50));

        // then
        assertThat(runs).containsExactly("@3", "@7");
        assertThat(millis()).isEqualTo(50);
    }

    @Test
    void shouldForgetCancelledTasksAtOnce() {
        // given
        Cancellable once = scheduler.schedule(Duration.ofMillis(1), () -> runs.add("once"));
        Cancellable periodic = scheduler.scheduleEvery(Duration.ofMillis(1), () -> runs.add("periodic"));

        // when
        once.cancel();
        periodic.cancel();
        periodic.cancel();

        // then
        assertThat(scheduler.size()).isZero();
        scheduler.advance(Duration.ofSeconds(1));
        assertThat(runs).isEmpty();
    }

    @Test
    void shouldLetAPeriodicTaskCancelItself() {
        // given
        List<Cancellable> handle = new ArrayList<>();
        handle.add(scheduler.scheduleEvery(Duration.ofMillis(1), () -> {
            runs.add("ran");
            handle.get(0).cancel();
        }));

        // when
        scheduler.advance(Duration.ofMillis(10));

        // then
        assertThat(runs).containsExactly("ran");
        assertThat(scheduler.size()).isZero();
    }

    /** KAFKA-4051: the wall clock decides nothing. */
    @Test
    void shouldIgnoreTheWallClock() {
        // given
        // Fails if: ManualScheduler.runDue goes by the wall clock
        scheduler.schedule(Duration.ofMillis(500), () -> runs.add("ran"));

        // when
        clock.shiftWall(Duration.ofHours(2));
        scheduler.runDue();
        clock.shiftWall(Duration.ofHours(-3));
        scheduler.advance(Duration.ofMillis(499));

        // then
        assertThat(runs).isEmpty();
        scheduler.advance(Duration.ofMillis(1));
        assertThat(runs).containsExactly("ran");
    }

    @Test
    void shouldRunTheOthersAndThenThrowWhenATaskFails() {
        // given
        scheduler.schedule(Duration.ofMillis(1), () -> {
            throw new IllegalStateException("broken");
        });
        scheduler.schedule(Duration.ofMillis(2), () -> runs.add("other"));

        // when
        assertThatThrownBy(() -> scheduler.advance(Duration.ofMillis(5))).hasMessage("broken");

        // then
        assertThat(runs).containsExactly("other");
        assertThat(millis()).isEqualTo(5);
    }

    @Test
    void shouldHandFailuresToTheHandlerThatWasPassedIn() {
        // given
        ManualScheduler handled = new ManualScheduler(clock, (runner, failure) -> runs.add(failure.getMessage()));
        handled.schedule(Duration.ZERO, () -> {
            throw new IllegalStateException("broken");
        });

        // when
        handled.runDue();

        // then
        assertThat(runs).containsExactly("broken");
    }

    private long millis() {
        return clock.monotonicNs() / 1_000_000;
    }
}
