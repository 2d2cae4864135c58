package io.tidemark.core.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemark.core.metrics.LoopMetrics;
import io.tidemark.runtime.Cancellable;
import io.tidemark.runtime.Clock;
import io.tidemark.runtime.EventLoops.Loop;
import io.tidemark.runtime.SystemClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Real threads; every wait ends with the event that it waits for. */
final class SystemEventLoopsTest {
    private static final long PATIENCE_S = 30;

    /** The system's clock, which can be held, so that what is scheduled meanwhile is scheduled at one moment. */
    private static final class HeldClock implements Clock {
        private final Clock system = new SystemClock();
        private volatile long heldAtNs;
        private volatile boolean held;

        void hold() {
            heldAtNs = system.monotonicNs();
            held = true;
        }

        void goOn() {
            held = false;
        }

        @Override
        public long wallMs() {
            return system.wallMs();
        }

        @Override
        public long monotonicNs() {
            return held ? heldAtNs : system.monotonicNs();
        }
    }

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final BlockingQueue<String> failures = new LinkedBlockingQueue<>();
    private final HeldClock clock = new HeldClock();
    private final SystemEventLoops loops = new SystemEventLoops(
            clock, (runner, failure) -> failures.add(runner + ": " + failure.getMessage()), new LoopMetrics(registry));
    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

    @AfterEach
    void stopLoops() throws InterruptedException {
        loops.close();
        assertThat(loops.awaitStopped(Duration.ofSeconds(PATIENCE_S))).isTrue();
    }

    @Test
    void shouldRunTasksOfAllThreadsEachInItsOrder() throws InterruptedException {
        // given
        Loop loop = loops.open("orderly");
        List<String> runs = new ArrayList<>();
        int each = 10_000;
        List<Thread> feeders = new ArrayList<>();

        // when
        for (String feeder : List.of("a", "b", "c")) {
            Thread thread = new Thread(() -> {
                for (int i = 0; i < each; i++) {
                    String task = feeder + i;
                    loop.execute(() -> runs.add(task));
                }
            });
            thread.start();
            feeders.add(thread);
        }
        for (Thread feeder : feeders) {
            feeder.join();
        }
        loop.execute(() -> events.add("all " + runs.size()));

        // then
        assertThat(nextEvent()).isEqualTo("all " + 3 * each);
        for (String feeder : List.of("a", "b", "c")) {
            List<String> own =
                    runs.stream().filter(run -> run.startsWith(feeder)).toList();
            for (int i = 0; i < each; i++) {
                assertThat(own.get(i)).isEqualTo(feeder + i);
            }
        }
    }

    @Test
    void shouldKnowItsThreadAndNeverRunInline() throws InterruptedException {
        // given
        Loop loop = loops.open("known");
        Loop other = loops.open("other");

        // when
        loop.execute(() -> {
            loop.execute(() -> events.add("inner"));
            events.add(loop.inLoop() + " " + other.inLoop() + " "
                    + Thread.currentThread().getName());
            Invariant.onLoop(loop);
        });

        // then
        assertThat(nextEvent()).isEqualTo("true false known");
        assertThat(nextEvent()).isEqualTo("inner");
        assertThat(loop.inLoop()).isFalse();
        assertThatThrownBy(() -> Invariant.onLoop(loop))
                .isInstanceOf(Invariant.InvariantBrokenException.class)
                .hasMessageContaining("known");
    }

    @Test
    void shouldReportAFailureAndGoOn() throws InterruptedException {
        // given
        Loop loop = loops.open("failing");

        // when
        loop.execute(() -> {
            throw new AssertionError("broken");
        });
        loop.execute(() -> events.add("next"));

        // then
        assertThat(nextEvent()).isEqualTo("next");
        assertThat(failures).containsExactly("failing: broken");
    }

    @Test
    void shouldRunTimersInOrderOfDueTimeOnTheLoop() throws InterruptedException {
        // given
        Loop loop = loops.open("timers");

        // when
        loop.execute(() -> {
            clock.hold();
            loop.schedule(Duration.ofMillis(30), () -> events.add("late " + loop.inLoop()));
            loop.schedule(Duration.ofMillis(1), () -> events.add("early"));
            loop.schedule(Duration.ofMillis(-5), () -> events.add("now"));
            clock.goOn();
        });

        // then
        assertThat(nextEvent()).isEqualTo("now");
        assertThat(nextEvent()).isEqualTo("early");
        assertThat(nextEvent()).isEqualTo("late true");
    }

    @Test
    void shouldRepeatUntilCancelled() throws InterruptedException {
        // given
        Loop loop = loops.open("periodic");
        List<Cancellable> timer = new ArrayList<>();
        int[] runs = {0};

        // when
        loop.execute(() -> timer.add(loop.scheduleEvery(Duration.ofMillis(1), () -> {
            runs[0]++;
            if (runs[0] == 5) {
                timer.get(0).cancel();
                loop.schedule(Duration.ofMillis(20), () -> events.add("runs " + runs[0]));
            }
        })));

        // then
        assertThat(nextEvent()).isEqualTo("runs 5");
    }

    @Test
    void shouldNotRunACancelledTimer() throws InterruptedException {
        // given
        Loop loop = loops.open("cancelled");

        // when
        loop.execute(() -> {
            loop.schedule(Duration.ofMillis(1), () -> events.add("cancelled")).cancel();
            loop.schedule(Duration.ofMillis(20), () -> events.add("kept"));
        });

        // then
        assertThat(nextEvent()).isEqualTo("kept");
    }

    @Test
    void shouldRunNothingAfterClose() throws InterruptedException {
        // given
        Loop loop = loops.open("closing");
        CountDownLatch closed = new CountDownLatch(1);
        loop.execute(() -> {
            await(closed);
            events.add("finished");
        });
        loop.execute(() -> events.add("queued"));
        loop.schedule(Duration.ofMillis(1), () -> events.add("timer"));

        // when
        loop.close();
        loop.close();
        loop.execute(() -> events.add("late"));
        closed.countDown();

        // then
        assertThat(loops.awaitStopped(Duration.ofSeconds(PATIENCE_S))).isTrue();
        assertThat(events).isSubsetOf("finished");
        assertThat(registry.find("tidemark.executor.queue.size").gauge()).isNull();
    }

    @Test
    void shouldShowHowManyTasksWait() throws InterruptedException {
        // given
        Loop loop = loops.open("busy");
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        loop.execute(() -> {
            started.countDown();
            await(go);
        });
        started.await();

        // when
        loop.execute(() -> {});
        loop.execute(() -> events.add("done"));

        // then
        assertThat(registry.get("tidemark.executor.queue.size")
                        .tag("pool", "busy")
                        .gauge()
                        .value())
                .isEqualTo(2);
        go.countDown();
        assertThat(nextEvent()).isEqualTo("done");
    }

    @Test
    void shouldIgnoreInterrupts() throws InterruptedException {
        // given
        Loop loop = loops.open("interrupted");

        // when
        loop.execute(() -> Thread.currentThread().interrupt());
        loop.schedule(Duration.ofMillis(5), () -> events.add("alive"));

        // then
        assertThat(nextEvent()).isEqualTo("alive");
    }

    private String nextEvent() throws InterruptedException {
        return events.poll(PATIENCE_S, TimeUnit.SECONDS);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
