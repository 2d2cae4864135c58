package io.tidemark.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.runtime.Cancellable;
import io.tidemark.runtime.EventLoops;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A simulated process dies, stops and goes on, and lives by a clock of its own. */
final class ProcessThreadsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final long SECOND_NS = SECOND.toNanos();

    private final SimWorld world = new SimWorld(5, Trace.OFF);
    private final ProcessThreads process = new ProcessThreads(world, 1, "process/1/1");
    private final EventLoops.Loop loop = process.open("loop");
    private final List<String> ran = new ArrayList<>();

    private void run(String name) {
        ran.add(name);
    }

    // Fails if: Timer.fire asks nothing
    @Test
    void shouldRunNothingAfterItsDeath() {
        // given
        loop.execute(() -> run("queued"));
        loop.schedule(SECOND, () -> run("timer of the loop"));
        process.schedule(SECOND, () -> run("timer"));
        process.scheduleEvery(SECOND, () -> run("periodic"));

        // when
        process.die();
        process.enter(() -> run("message"));
        world.run(SECOND.multipliedBy(5));

        // then
        assertThat(ran).isEmpty();
        assertThat(process.isAlive()).isFalse();
        assertThat(world.scheduler().size()).as("timers that are left").isZero();
    }

    @Test
    void shouldRunTimersInOrderAndTasksOnTheirLoop() {
        List<Boolean> inLoop = new ArrayList<>();
        process.schedule(SECOND, () -> inLoop.add(loop.inLoop()));
        loop.schedule(SECOND, () -> inLoop.add(loop.inLoop()));
        loop.schedule(SECOND.minusNanos(1), () -> run("earlier"));
        loop.schedule(SECOND, () -> run("later"));

        world.run(SECOND);

        assertThat(ran).containsExactly("earlier", "later");
        assertThat(inLoop).containsExactly(false, true);
    }

    @Test
    void shouldCancelATimerAlsoWhileItWaitsForTheEndOfAPause() {
        // given
        Cancellable early = loop.schedule(SECOND, () -> run("cancelled before it was due"));
        Cancellable late = loop.schedule(SECOND, () -> run("cancelled while it waited"));
        loop.schedule(SECOND, () -> run("other"));
        early.cancel();
        process.pause();
        world.run(SECOND);

        // when
        late.cancel();
        process.resume();
        world.run(SECOND);

        // then
        assertThat(ran).containsExactly("other");
    }

    @Test
    void shouldRepeatUntilCancelledOrClosed() {
        // given
        List<Cancellable> timers = new ArrayList<>();
        timers.add(process.scheduleEvery(SECOND, () -> {
            run("scheduler");
            if (ran.size() > 3) {
                timers.get(0).cancel();
            }
        }));
        timers.add(loop.scheduleEvery(SECOND, () -> run("loop")));

        // when
        world.run(SECOND.multipliedBy(3));
        loop.close();
        world.run(SECOND.multipliedBy(3));

        // then
        assertThat(ran).containsExactly("scheduler", "loop", "scheduler", "loop", "scheduler", "loop");
        assertThat(world.scheduler().size()).isZero();
    }

    // Fails if: ProcessLoop.runHere runs while the process is paused
    @Test
    void shouldKeepEverythingWaitingWhilePaused() {
        // given
        process.pause();
        loop.execute(() -> run("queued"));
        process.schedule(SECOND, () -> run("timer"));
        loop.schedule(SECOND.multipliedBy(2), () -> run("timer of the loop"));
        world.run(SECOND.multipliedBy(3));
        process.enter(() -> run("message"));
        world.run(SECOND);
        List<String> before = List.copyOf(ran);

        // when
        process.resume();
        world.run(Duration.ZERO);

        // then
        assertThat(before).isEmpty();
        assertThat(ran).containsExactlyInAnyOrder("queued", "timer", "timer of the loop", "message");
        assertThat(process.clock().monotonicNs()).isEqualTo(4 * SECOND_NS);
    }

    // S53
    // Fails if: a paused Timer counts its next period from the end of the pause
    @Test
    void shouldMakeUpForThePeriodsOfAPause() {
        process.scheduleEvery(SECOND, () -> run("tick"));
        process.pause();
        world.run(SECOND.multipliedBy(3));

        process.resume();
        world.run(Duration.ofMillis(1));
        int made = ran.size();
        world.run(SECOND);

        assertThat(made).isEqualTo(3);
        assertThat(ran).hasSize(4);
    }

    @Test
    void shouldDieWhilePaused() {
        process.pause();
        process.enter(() -> run("message"));

        process.die();
        process.resume();
        world.run(SECOND);

        assertThat(ran).isEmpty();
    }

    // Fails if: Timer.arm takes the world's delay for the process's
    @Test
    void shouldFireByAFastClock() {
        process.driftPpm(100_000);
        process.schedule(Duration.ofMillis(1_100), () -> run("timer"));

        world.run(Duration.ofMillis(999));
        List<String> before = List.copyOf(ran);
        world.run(Duration.ofMillis(1));

        assertThat(before).isEmpty();
        assertThat(ran).containsExactly("timer");
        assertThat(process.clock().monotonicNs()).isEqualTo(1_100_000_000L);
    }

    // Fails if: Timer.fire strikes without looking at the clock
    @Test
    void shouldNotFireEarlyWhenTheClockBecomesSlowAfterwards() {
        // given
        List<Long> times = new ArrayList<>();
        process.schedule(SECOND, () -> times.add(process.clock().monotonicNs()));
        process.scheduleEvery(SECOND, () -> times.add(process.clock().monotonicNs()));

        // when
        process.driftPpm(-200_000);
        world.run(Duration.ofMillis(2_500));

        // then
        assertThat(times)
                .hasSize(3)
                .allSatisfy(time -> assertThat(time % SECOND_NS).isBetween(0L, 1L));
        assertThat(process.clock().monotonicNs()).isEqualTo(2 * SECOND_NS);
    }

    @Test
    void shouldNeverGoBackWhateverTheDrift() {
        long lastNs = process.clock().monotonicNs();
        for (int i = 0; i < 1_000; i++) {
            process.driftPpm(world.fork("drift" + i).nextInt(1_000_000) - 500_000);
            world.run(Duration.ofNanos(world.fork("step" + i).nextInt(3_000)));
            long nowNs = process.clock().monotonicNs();
            assertThat(nowNs).as("seed 5, step %d", i).isGreaterThanOrEqualTo(lastNs);
            lastNs = nowNs;
        }
    }

    // KAFKA-4051
    // Fails if: ProcessClock.jumpWall moves the monotonic hand
    @Test
    void shouldJumpWithTheWallHandAlone() {
        long wallMs = process.clock().wallMs();
        long monotonicNs = process.clock().monotonicNs();

        process.jumpWall(Duration.ofHours(-3));

        assertThat(process.clock().wallMs())
                .isEqualTo(wallMs - Duration.ofHours(3).toMillis());
        assertThat(process.clock().monotonicNs()).isEqualTo(monotonicNs);
    }

    @Test
    void shouldRefuseAClockThatIsNone() {
        assertThatThrownBy(() -> process.driftPpm(1_000_000)).isInstanceOf(IllegalArgumentException.class);
    }

    // Fails if: ProcessThreads.run lets the end of its own process through
    @Test
    void shouldEndInTheMiddleOfATaskAndLeaveOthersAlone() {
        // given
        ProcessThreads other = new ProcessThreads(world, 2, "process/2/1");
        loop.execute(() -> {
            run("before");
            process.die();
            throw new ProcessEnd(process);
        });
        loop.execute(() -> run("after"));
        other.schedule(SECOND, () -> run("other"));

        // when
        world.run(SECOND);

        // then
        assertThat(ran).containsExactly("before", "other");
    }

    // Fails if: ProcessThreads.run ends the inner task alone
    @Test
    void shouldEndTheTaskAroundTheOneThatItEndsIn() {
        loop.execute(() -> {
            process.enter(() -> {
                throw new ProcessEnd(process);
            });
            run("behind it");
        });
        loop.execute(() -> run("another"));

        world.run(SECOND);

        assertThat(ran).containsExactly("another");
    }

    // Fails if: ProcessThreads.run does not go back to what it was
    @Test
    void shouldKnowWhatIsATaskOfIts() {
        // given
        List<Boolean> inTask = new ArrayList<>();
        loop.execute(() -> inTask.add(process.isInTask()));
        process.schedule(SECOND, () -> process.enter(() -> inTask.add(process.isInTask())));
        world.scheduler().schedule(SECOND, () -> inTask.add(process.isInTask()));

        // when
        world.run(SECOND);

        // then
        assertThat(inTask).containsExactly(true, true, false);
        assertThat(process.isInTask()).isFalse();
    }

    @Test
    void shouldHandFailuresToWhoeverAskedForThem() {
        // given
        List<RuntimeException> failures = new ArrayList<>();
        RuntimeException failure = new IllegalStateException("as told");
        process.onTaskFailure(failures::add);
        loop.execute(() -> {
            throw failure;
        });
        loop.execute(() -> run("next"));

        // when
        world.run(SECOND);

        // then
        assertThat(failures).containsExactly(failure);
        assertThat(ran).containsExactly("next");
    }

    @Test
    void shouldLetTheEndOfAnotherProcessThrough() {
        ProcessThreads other = new ProcessThreads(world, 2, "process/2/1");

        assertThatThrownBy(() -> process.enter(() -> {
                    throw new ProcessEnd(other);
                }))
                .isInstanceOf(ProcessEnd.class);
    }

    @Test
    void shouldDrawFromItsOwnRandomness() {
        ProcessThreads same = new ProcessThreads(new SimWorld(5, Trace.OFF), 7, "process/1/1");
        ProcessThreads next = new ProcessThreads(world, 1, "process/1/2");

        long drawn = process.randomness().nextLong();

        assertThat(same.randomness().nextLong()).isEqualTo(drawn);
        assertThat(next.randomness().nextLong()).isNotEqualTo(drawn);
    }
}
