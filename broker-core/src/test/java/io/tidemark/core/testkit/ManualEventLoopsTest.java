package io.tidemark.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.runtime.Cancellable;
import io.tidemark.runtime.EventLoops.Loop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ManualEventLoopsTest {
    private final ManualClock clock = new ManualClock(0, 0);
    private final ManualEventLoops loops = new ManualEventLoops(new ManualScheduler(clock));
    private final Loop first = loops.open("first");
    private final Loop second = loops.open("second");
    private final List<String> runs = new ArrayList<>();

    @Test
    void shouldRunTasksOfAllLoopsInTheOrderOfExecute() {
        // given
        first.execute(() -> {
            runs.add("a");
            first.execute(() -> runs.add("d"));
        });
        second.execute(() -> runs.add("b"));
        first.execute(() -> runs.add("c"));

        // when
        loops.runAll();

        // then
        assertThat(runs).containsExactly("a", "b", "c", "d");
    }

    @Test
    void shouldNeverRunATaskInline() {
        // when
        first.execute(() -> {
            first.execute(() -> runs.add("inner"));
            runs.add("outer");
        });
        assertThat(runs).isEmpty();
        loops.runAll();

        // then
        assertThat(runs).containsExactly("outer", "inner");
    }

    @Test
    void shouldKnowWhichLoopRuns() {
        // when
        List<Boolean> inside = new ArrayList<>();
        first.execute(() -> inside.addAll(List.of(first.inLoop(), second.inLoop())));
        loops.runAll();

        // then
        assertThat(inside).containsExactly(true, false);
        assertThat(first.inLoop()).isFalse();
    }

    @Test
    void shouldRunTimersOnTheirLoopAtTheirDueTime() {
        // given
        first.schedule(Duration.ofMillis(10), () -> {
            runs.add("timer@" + millis() + first.inLoop());
            second.execute(() -> runs.add("follow-up@" + millis()));
        });
        second.scheduleEvery(Duration.ofMillis(15), () -> runs.add("periodic@" + millis()));

        // when
        loops.advance(Duration.ofMillis(30));

        // then
        assertThat(runs).containsExactly("timer@10true", "follow-up@10", "periodic@15", "periodic@30");
        assertThat(millis()).isEqualTo(30);
    }

    @Test
    void shouldCallOffATimerWhoseTaskWaitsInTheQueue() {
        // given
        List<Cancellable> timer = new ArrayList<>();
        first.schedule(Duration.ofMillis(1), () -> timer.get(0).cancel());
        timer.add(first.schedule(Duration.ofMillis(1), () -> runs.add("cancelled")));

        // when
        loops.advance(Duration.ofMillis(5));

        // then
        assertThat(runs).isEmpty();
    }

    @Test
    void shouldDropTasksAndTimersOfAClosedLoop() {
        // given
        first.execute(() -> runs.add("task"));
        first.scheduleEvery(Duration.ofMillis(1), () -> runs.add("timer"));
        second.execute(() -> runs.add("other"));

        // when
        first.close();
        first.close();
        first.execute(() -> runs.add("late task"));
        first.schedule(Duration.ZERO, () -> runs.add("late timer"));
        loops.advance(Duration.ofSeconds(1));

        // then
        assertThat(runs).containsExactly("other");
        assertThat(loops.scheduler().size()).isZero();
    }

    @Test
    void shouldFinishTheRunningTaskOfALoopThatClosesItself() {
        // given
        first.execute(() -> {
            first.execute(() -> runs.add("never"));
            first.close();
            runs.add("finished");
        });

        // when
        loops.runAll();

        // then
        assertThat(runs).containsExactly("finished");
    }

    @Test
    void shouldRunTheOthersAndThenThrowWhenATaskFails() {
        // given
        first.execute(() -> {
            throw new IllegalStateException("broken");
        });
        first.execute(() -> runs.add("other"));

        // when, then
        assertThatThrownBy(loops::runAll).hasMessage("broken");
        assertThat(runs).containsExactly("other");
    }

    private long millis() {
        return clock.monotonicNs() / 1_000_000;
    }
}
