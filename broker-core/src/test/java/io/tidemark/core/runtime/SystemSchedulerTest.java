package io.tidemark.core.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.runtime.Cancellable;
import io.tidemark.runtime.Clock;
import io.tidemark.runtime.SystemClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Real threads; every wait ends with the event that it waits for. */
final class SystemSchedulerTest {
    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    private final SystemScheduler scheduler =
            new SystemScheduler("test", 1, (runner, failure) -> events.add(runner + ": " + failure.getMessage()));

    @AfterEach
    void stopScheduler() throws InterruptedException {
        scheduler.close();
        assertThat(scheduler.awaitStopped(Duration.ofSeconds(30))).isTrue();
    }

    @Test
    void shouldRunTiesInOrderAndOnItsOwnDaemonThread() throws InterruptedException {
        // when
        scheduler.schedule(Duration.ZERO, () -> {
            events.add(Thread.currentThread().getName() + " "
                    + Thread.currentThread().isDaemon());
            scheduler.schedule(Duration.ZERO, () -> events.add("nested"));
            scheduler.schedule(Duration.ZERO, () -> events.add("nested next"));
        });

        // then
        assertThat(nextEvent()).isEqualTo("test-1 true");
        assertThat(nextEvent()).isEqualTo("nested");
        assertThat(nextEvent()).isEqualTo("nested next");
    }

    @Test
    void shouldRunATaskNoEarlierThanItsDelay() throws InterruptedException {
        // given
        Clock clock = new SystemClock();
        Duration delay = Duration.ofMillis(20);
        AtomicLong ranAtNs = new AtomicLong();
        long earliestNs = clock.monotonicNs() + delay.toNanos();

        // when
        scheduler.schedule(delay, () -> {
            ranAtNs.set(clock.monotonicNs());
            events.add("late");
        });

        // then
        assertThat(nextEvent()).isEqualTo("late");
        assertThat(ranAtNs.get()).isGreaterThanOrEqualTo(earliestNs);
    }

    @Test
    void shouldReportFailuresAndRepeatThePeriodicTask() throws InterruptedException {
        // given
        List<Cancellable> handle = new ArrayList<>();
        handle.add(scheduler.scheduleEvery(Duration.ofMillis(1), () -> {
            throw new IllegalStateException("again");
        }));

        // when, then
        assertThat(nextEvent()).isEqualTo("test: again");
        assertThat(nextEvent()).isEqualTo("test: again");
        handle.get(0).cancel();
    }

    @Test
    void shouldForgetCancelledTasksAtOnce() {
        // given
        Cancellable once = scheduler.schedule(Duration.ofHours(1), () -> events.add("never"));
        Cancellable periodic = scheduler.scheduleEvery(Duration.ofHours(1), () -> events.add("never"));
        assertThat(scheduler.size()).isEqualTo(2);

        // when
        once.cancel();
        periodic.cancel();

        // then
        assertThat(scheduler.size()).isZero();
    }

    @Test
    void shouldDropTasksWhenItCloses() throws InterruptedException {
        // given
        scheduler.schedule(Duration.ofHours(1), () -> events.add("dropped"));

        // when
        scheduler.close();
        scheduler.schedule(Duration.ZERO, () -> events.add("too late")).cancel();

        // then
        assertThat(scheduler.awaitStopped(Duration.ofSeconds(30))).isTrue();
        assertThat(events).isEmpty();
    }

    private String nextEvent() throws InterruptedException {
        return events.poll(30, TimeUnit.SECONDS);
    }
}
