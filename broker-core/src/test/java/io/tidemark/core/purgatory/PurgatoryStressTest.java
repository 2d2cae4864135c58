package io.tidemark.core.purgatory;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemark.core.metrics.PurgatoryMetrics;
import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.ManualScheduler;
import io.tidemark.core.testkit.SeededRandomness;
import io.tidemark.model.ErrorCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Test;

/** Real threads against the purgatory; time stands still, so whoever is forgotten waits for ever. */
final class PurgatoryStressTest {
    private static final int ROUNDS = 100_000;
    private static final int KEYS = 4;

    private final ManualClock clock = new ManualClock(0, 0);
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final Purgatory<Integer, Waiter> purgatory = new Purgatory<>(
            "stress",
            clock,
            new ManualScheduler(clock),
            (runner, failure) -> failures.add(failure),
            new PurgatoryMetrics(new SimpleMeterRegistry(), "stress"));

    /** S23, I19: one thread registers, one moves the number and signals, 10^5 times; nobody waits for a time-out. */
    @Test
    void shouldNeverLoseAWakeUpBetweenCheckAndWatch() throws InterruptedException {
        // Fails if: WatchList.addUnlessSatisfied adds without a test under its lock
        // given
        AtomicLongArray number = new AtomicLongArray(1);
        List<Waiter> waiters = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            waiters.add(new SlowWaiter(number, 0, i + 1));
        }
        AtomicInteger registering = new AtomicInteger(-1);
        AtomicInteger signalled = new AtomicInteger(-1);

        // when
        Thread signaller = new Thread(() -> {
            SeededRandomness random = new SeededRandomness(1);
            for (int i = 0; i < ROUNDS; i++) {
                awaitAtLeast(registering, i);
                linger(random.nextInt(50));
                number.set(0, i + 1);
                purgatory.signal(0);
                signalled.set(i);
            }
        });
        signaller.start();
        SeededRandomness random = new SeededRandomness(2);
        int forgotten = 0;
        for (int i = 0; i < ROUNDS; i++) {
            registering.set(i);
            linger(random.nextInt(50));
            purgatory.checkAndMaybeWatch(waiters.get(i), List.of(0));
            awaitAtLeast(signalled, i);
            // Both have returned. The next round's signal would rescue whoever is still waiting.
            forgotten += waiters.get(i).isCompleted() ? 0 : 1;
        }
        signaller.join();

        // then
        assertThat(forgotten).isZero();
        assertThat(waiters).allMatch(waiter -> waiter.completions.get() == 1);
        assertThat(failures).isEmpty();
        assertEmpty();
    }

    /** KNOWN_BUGS 18 (KAFKA-6653): the condition comes true while the waiter's test has said "not yet". */
    @Test
    void shouldCompleteWhenTheConditionComesTrueDuringTheCheck() throws InterruptedException {
        // Fails if: WatchList.select does not wait for the lock of whoever adds
        // given: the first test that runs under the lock is held up after it has read the number
        AtomicLongArray number = new AtomicLongArray(1);
        CountDownLatch hasRead = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger tests = new AtomicInteger();
        Waiter waiter = new Waiter(number, 0, 1) {
            @Override
            protected boolean isSatisfied() {
                boolean satisfied = super.isSatisfied();
                if (tests.incrementAndGet() == 2) {
                    hasRead.countDown();
                    await(goOn);
                }
                return satisfied;
            }
        };
        Thread registrar = new Thread(() -> purgatory.checkAndMaybeWatch(waiter, List.of(0)));
        registrar.start();
        hasRead.await();

        // when
        number.set(0, 1);
        Thread signaller = new Thread(() -> purgatory.signal(0));
        signaller.start();
        awaitStandstill(signaller);
        goOn.countDown();
        registrar.join();
        signaller.join();

        // then
        assertThat(waiter.completions).hasValue(1);
        assertEmpty();
    }

    /** S25: satisfaction, failure, cancellation and registration race; each operation ends exactly once. */
    @Test
    void shouldCompleteEachOperationExactlyOnceUnderEightThreads() throws Exception {
        // scenario 24. Fails if: DelayedOperation.claimCompletion lets everybody have it
        // given
        AtomicLongArray numbers = new AtomicLongArray(KEYS);
        Queue<Waiter> all = new ConcurrentLinkedQueue<>();
        CyclicBarrier start = new CyclicBarrier(8);
        List<Thread> threads = new ArrayList<>();

        // when
        for (int t = 0; t < 8; t++) {
            SeededRandomness random = new SeededRandomness(t);
            Thread thread = new Thread(() -> {
                awaitStart(start);
                useAtRandom(random, numbers, all);
            });
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        for (int key = 0; key < KEYS; key++) {
            numbers.addAndGet(key, 10);
            purgatory.signal(key);
        }

        // then
        assertThat(all).hasSizeGreaterThan(10_000).allMatch(waiter -> waiter.completions.get() == 1);
        assertThat(failures).isEmpty();
        assertEmpty();
    }

    private void useAtRandom(SeededRandomness random, AtomicLongArray numbers, Queue<Waiter> all) {
        Waiter last = null;
        for (int i = 0; i < 5_000; i++) {
            int key = random.nextInt(KEYS);
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> {
                    last = new Waiter(numbers, key, numbers.get(key) + random.nextInt(3));
                    all.add(last);
                    purgatory.checkAndMaybeWatch(last, List.of(key, (key + 1) % KEYS, random.nextInt(KEYS)));
                }
                case 3 -> purgatory.completeAll(key, ErrorCode.NOT_LEADER_OR_FOLLOWER);
                case 4 -> {
                    if (last != null) {
                        purgatory.cancel(last);
                    }
                }
                default -> {
                    numbers.incrementAndGet(key);
                    purgatory.signal(key);
                }
            }
        }
    }

    private void assertEmpty() {
        assertThat(purgatory.watched()).isZero();
        assertThat(purgatory.watchedKeys()).isZero();
        assertThat(purgatory.delayed()).isZero();
    }

    /** Until the thread has ended or is kept out by a lock: both are final as long as the lock's holder is held up. */
    @SuppressWarnings("ThreadPriorityCheck") // spinning alone would hold the core that the other thread needs
    private static void awaitStandstill(Thread thread) {
        while (thread.getState() != Thread.State.BLOCKED && thread.getState() != Thread.State.TERMINATED) {
            Thread.yield();
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // spinning alone would hold the core that the other thread needs
    private static void awaitAtLeast(AtomicInteger round, int wanted) {
        for (int spins = 1; round.get() < wanted; spins++) {
            if (spins % 1_000 == 0) {
                Thread.yield();
            } else {
                Thread.onSpinWait();
            }
        }
    }

    /** Moves the two threads against each other by up to some microseconds. */
    private static void linger(int spins) {
        for (int i = 0; i < spins; i++) {
            Thread.onSpinWait();
        }
    }

    private static void awaitStart(CyclicBarrier barrier) {
        try {
            barrier.await(30, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Its test takes its time after it has read the number: a window for whoever does not hold the lock. */
    private static final class SlowWaiter extends Waiter {
        private SlowWaiter(AtomicLongArray numbers, int key, long required) {
            super(numbers, key, required);
        }

        @Override
        protected boolean isSatisfied() {
            boolean satisfied = super.isSatisfied();
            linger(20);
            return satisfied;
        }
    }

    private static class Waiter extends DelayedOperation {
        private final AtomicLongArray numbers;
        private final int key;
        private final long required;
        private final AtomicInteger completions = new AtomicInteger();

        private Waiter(AtomicLongArray numbers, int key, long required) {
            super(Duration.ofHours(1));
            this.numbers = numbers;
            this.key = key;
            this.required = required;
        }

        @Override
        protected boolean isSatisfied() {
            return numbers.get(key) >= required;
        }

        @Override
        protected void onComplete(Completion completion) {
            completions.incrementAndGet();
        }
    }
}
