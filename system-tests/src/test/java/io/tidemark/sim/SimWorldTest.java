package io.tidemark.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.runtime.EventLoops;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A run follows from its seed and moves from event to event. */
final class SimWorldTest {
    private static final Duration MS = Duration.ofMillis(1);
    private static final long MS_NS = MS.toNanos();

    private final SimWorld world = new SimWorld(3, Trace.recording());
    private final EventLoops.Loop loop = world.loops().open("loop");
    private final List<String> seen = new ArrayList<>();

    // Fails if: SimWorld.step runs two timers, or leaves what a timer queued for the next step
    @Test
    void shouldRunOneTimerAndWhatItQueuesInAStep() {
        // given
        world.scheduler().schedule(MS, () -> {
            seen.add("first");
            loop.execute(() -> {
                seen.add("queued");
                loop.execute(() -> seen.add("queued by it"));
            });
        });
        world.scheduler().schedule(MS, () -> seen.add("second"));
        world.afterEach(() -> seen.add("check"));

        // when
        boolean stepped = world.step(MS_NS);

        // then
        assertThat(stepped).isTrue();
        assertThat(seen).containsExactly("first", "queued", "queued by it", "check");
        assertThat(world.step(MS_NS)).isTrue();
        assertThat(seen).endsWith("check", "second", "check");
        assertThat(world.events()).isEqualTo(2);
    }

    @Test
    void shouldLetNoTimePassWithoutAnEvent() {
        world.scheduler().schedule(MS.multipliedBy(2), () -> seen.add("late"));

        assertThat(world.step(MS_NS)).isFalse();
        assertThat(world.clock().monotonicNs()).isZero();
        assertThat(world.events()).isZero();
    }

    @Test
    void shouldRunWhatIsQueuedBeforeTimePasses() {
        world.scheduler().schedule(Duration.ZERO, () -> seen.add("timer"));
        loop.execute(() -> seen.add("queued"));

        world.run(MS);

        assertThat(seen).containsExactly("queued", "timer");
        assertThat(world.clock().monotonicNs()).isEqualTo(MS_NS);
    }

    @Test
    void shouldStopAtTheEventThatMakesAConditionTrue() {
        for (int i = 1; i <= 5; i++) {
            world.scheduler().schedule(MS.multipliedBy(i), () -> seen.add("event"));
        }

        boolean held = world.runUntil(() -> seen.size() == 3, Duration.ofSeconds(1));
        boolean never = world.runUntil(() -> false, Duration.ofSeconds(1));

        assertThat(held).isTrue();
        assertThat(never).isFalse();
        assertThat(world.clock().monotonicNs())
                .isEqualTo(3 * MS_NS + Duration.ofSeconds(1).toNanos());
    }

    // Fails if: SimWorld.onTaskFailure forgets what a task threw
    @Test
    void shouldEndTheRunWithWhatATaskThrows() {
        world.scheduler().schedule(MS, () -> {
            throw new IllegalStateException("broken");
        });
        world.scheduler().schedule(MS, () -> seen.add("next"));

        assertThatThrownBy(() -> world.run(MS))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("broken");
        world.run(MS);
        assertThat(seen).containsExactly("next");
    }

    @Test
    void shouldEndTheRunWithWhatACheckThrows() {
        world.afterEach(() -> {
            throw new IllegalStateException("violated");
        });
        loop.execute(() -> seen.add("event"));

        assertThatThrownBy(() -> world.run(MS)).hasMessage("violated");
    }

    @Test
    void shouldNoticeTasksThatQueueTasksWithoutEnd() {
        loop.execute(this::again);

        assertThatThrownBy(() -> world.run(MS)).hasMessageContaining("without end");
    }

    private void again() {
        loop.execute(this::again);
    }

    // DESIGN section 2, rule 3
    // Fails if: SimWorld.mark is left out of the digest, or the trace is part of it
    @Test
    void shouldDigestWhatHappensAndNotWhatIsNoted() {
        long digest = digest(Trace.OFF, 4, MS);

        assertThat(digest(Trace.OFF, 4, MS)).isEqualTo(digest);
        assertThat(digest(Trace.recording(), 4, MS)).isEqualTo(digest);
        assertThat(digest(Trace.OFF, 5, MS)).isNotEqualTo(digest);
        assertThat(digest(Trace.OFF, 4, MS.plusNanos(1))).isNotEqualTo(digest);
    }

    private static long digest(Trace trace, long mark, Duration delay) {
        SimWorld run = new SimWorld(9, trace);
        run.scheduler().schedule(delay, () -> {
            run.mark(mark);
            run.note(() -> "marked " + mark);
        });
        run.run(Duration.ofSeconds(1));
        return run.digest();
    }

    // Fails if: SimWorld.fork draws from the randomness that it forks
    @Test
    void shouldForkByNameWhateverOthersDraw() {
        SimWorld other = new SimWorld(3, Trace.OFF);
        other.fork("b").nextLong();

        long drawn = world.fork("a").nextLong();

        assertThat(other.fork("a").nextLong()).isEqualTo(drawn);
        assertThat(world.fork("b").nextLong()).isNotEqualTo(drawn);
    }

    @Test
    void shouldNoteTheTime() {
        world.run(Duration.ofNanos(1_234_567));
        world.note("here");

        assertThat(world.isTraced()).isTrue();
        assertThat(world.trace()).containsExactly("    1.234 ms  here");
    }

    @Test
    void shouldAskForNoTextThatNobodyKeeps() {
        SimWorld untraced = new SimWorld(3, Trace.OFF);

        untraced.note(() -> {
            throw new IllegalStateException("made for nothing");
        });
        untraced.note("nothing");

        assertThat(untraced.trace()).isEmpty();
        assertThat(untraced.isTraced()).isFalse();
    }

    @Test
    void shouldStreamAllLinesAndKeepTheLast() {
        List<String> streamed = new ArrayList<>();
        Trace trace = Trace.streaming(streamed::add, 2);

        for (int i = 0; i < 4; i++) {
            trace.note(0, "line " + i);
        }

        assertThat(streamed).hasSize(4);
        assertThat(trace.lines()).isEqualTo(streamed.subList(2, 4));
    }
}
