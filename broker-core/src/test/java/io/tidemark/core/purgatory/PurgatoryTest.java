package io.tidemark.core.purgatory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemark.core.metrics.PurgatoryMetrics;
import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.ManualScheduler;
import io.tidemark.model.ErrorCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

final class PurgatoryTest {
    private final ManualClock clock = new ManualClock(0, 0);
    private final ManualScheduler scheduler = new ManualScheduler(clock);
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final List<String> failures = new ArrayList<>();
    private final Purgatory<String, Waiter> purgatory = new Purgatory<>(
            "test",
            clock,
            scheduler,
            (runner, failure) -> failures.add(runner + ": " + failure.getMessage()),
            new PurgatoryMetrics(registry, "test"));

    private volatile long position;

    /** S39: satisfied just before registration is answered at once, and not added (S22). */
    @Test
    void shouldCompleteAtOnceWhatIsSatisfied() {
        // scenario 24. Fails if: checkAndMaybeWatch does not complete what it finds satisfied
        // given
        position = 10;
        Waiter waiter = waiterFor(10);

        // when
        boolean completed = purgatory.checkAndMaybeWatch(waiter, List.of("p"));

        // then
        assertThat(completed).isTrue();
        assertThat(waiter.completions).containsExactly(Completion.SATISFIED);
        assertEmpty();
    }

    @Test
    void shouldWaitForTheNumberAndCompleteOnTheSignal() {
        // S22, scenario 24. Fails if: Purgatory.signal completes whatever waits, or counts what others completed
        // given
        Waiter early = waiterFor(5);
        Waiter late = waiterFor(10);
        assertThat(purgatory.checkAndMaybeWatch(early, List.of("p"))).isFalse();
        assertThat(purgatory.checkAndMaybeWatch(late, List.of("p"))).isFalse();

        // when
        position = 7;
        int completed = purgatory.signal("p");

        // then
        assertThat(completed).isEqualTo(1);
        assertThat(early.completions).containsExactly(Completion.SATISFIED);
        assertThat(late.completions).isEmpty();
        assertThat(purgatory.watched()).isEqualTo(1);
        assertThat(purgatory.delayed()).isEqualTo(1);
        position = 10;
        assertThat(purgatory.signal("p")).isEqualTo(1);
        assertThat(purgatory.signal("p")).isZero();
        assertEmpty();
    }

    /** S24: satisfied midway, between two of its keys: once, and nothing stays behind. */
    @Test
    void shouldCompleteOnceWhenItIsSatisfiedWhileItIsBeingAdded() {
        // Fails if: watchAll goes on to the next key when one finds the operation satisfied
        // given: the test turns true at its third evaluation, that is under the second key
        int[] tests = {0};
        Waiter waiter = new Waiter(() -> ++tests[0] >= 3, Duration.ofSeconds(1));

        // when
        boolean completed = purgatory.checkAndMaybeWatch(waiter, List.of("a", "b", "c"));

        // then
        assertThat(completed).isTrue();
        assertThat(waiter.completions).containsExactly(Completion.SATISFIED);
        assertEmpty();
    }

    @Test
    void shouldLeaveAllKeysWhenOneIsSignalled() {
        // given
        Waiter waiter = waiterFor(1);
        purgatory.checkAndMaybeWatch(waiter, List.of("a", "b", "a", "c"));
        assertThat(purgatory.watched()).isEqualTo(3);

        // when
        position = 1;
        purgatory.signal("b");

        // then
        assertThat(waiter.completions).containsExactly(Completion.SATISFIED);
        assertEmpty();
    }

    /** S41: within one tick of the maximum wait, not before. */
    @Test
    void shouldExpireWithinOneTick() {
        // scenario 24. Fails if: checkAndMaybeWatch does not give the operation to the timer
        // given
        Waiter waiter = new Waiter(() -> false, Duration.ofMillis(500));
        purgatory.checkAndMaybeWatch(waiter, List.of("p"));

        // when, then
        scheduler.advance(Duration.ofMillis(499));
        assertThat(waiter.completions).isEmpty();
        scheduler.advance(Duration.ofMillis(2));
        assertThat(waiter.completions).containsExactly(Completion.EXPIRED);
        assertEmpty();
        assertThat(scheduler.size()).isZero();
    }

    /** KAFKA-4051. */
    @Test
    void shouldExpireByMonotonicTimeWhateverTheWallClockDoes() {
        // given
        Waiter waiter = new Waiter(() -> false, Duration.ofMillis(500));
        purgatory.checkAndMaybeWatch(waiter, List.of("p"));

        // when
        clock.shiftWall(Duration.ofHours(2));
        scheduler.runDue();
        assertThat(waiter.completions).isEmpty();
        clock.shiftWall(Duration.ofHours(-3));
        scheduler.advance(Duration.ofMillis(501));

        // then
        assertThat(waiter.completions).containsExactly(Completion.EXPIRED);
    }

    @Test
    void shouldExpireWithoutAnyKey() {
        Waiter waiter = new Waiter(() -> false, Duration.ofMillis(10));
        assertThat(purgatory.checkAndMaybeWatch(waiter, List.of())).isFalse();
        scheduler.advance(Duration.ofMillis(11));
        assertThat(waiter.completions).containsExactly(Completion.EXPIRED);
    }

    @Test
    void shouldSurviveTheLongestTimeout() {
        Waiter waiter = new Waiter(() -> false, Duration.ofNanos(Long.MAX_VALUE));
        purgatory.checkAndMaybeWatch(waiter, List.of("p"));
        scheduler.advance(Duration.ofDays(365));
        assertThat(waiter.completions).isEmpty();
        assertThat(purgatory.cancel(waiter)).isTrue();
        assertEmpty();
    }

    /** A vanished caller's operation leaves every list. */
    @Test
    void shouldCancelOneOperation() {
        // given
        Waiter waiter = waiterFor(1);
        purgatory.checkAndMaybeWatch(waiter, List.of("a", "b"));

        // when
        assertThat(purgatory.cancel(waiter)).isTrue();
        assertThat(purgatory.cancel(waiter)).isFalse();

        // then
        assertThat(waiter.completions).containsExactly(Completion.CANCELLED);
        assertEmpty();
    }

    @Test
    void shouldNotWatchWhatWasCancelledBefore() {
        Waiter waiter = waiterFor(1);
        purgatory.cancel(waiter);
        assertThat(purgatory.checkAndMaybeWatch(waiter, List.of("a"))).isTrue();
        assertThat(waiter.completions).containsExactly(Completion.CANCELLED);
        assertEmpty();
    }

    /** S38, KNOWN_BUGS 20. */
    @Test
    void shouldFailAllWaitersOfAKey() {
        // scenario 24. Fails if: completeAll completes only what is satisfied
        // given
        Waiter here = waiterFor(1);
        Waiter both = waiterFor(1);
        Waiter elsewhere = waiterFor(1);
        purgatory.checkAndMaybeWatch(here, List.of("p"));
        purgatory.checkAndMaybeWatch(both, List.of("p", "q"));
        purgatory.checkAndMaybeWatch(elsewhere, List.of("q"));

        // when
        int completed = purgatory.completeAll("p", ErrorCode.NOT_LEADER_OR_FOLLOWER);

        // then
        Completion notLeader = Completion.failed(ErrorCode.NOT_LEADER_OR_FOLLOWER);
        assertThat(completed).isEqualTo(2);
        assertThat(here.completions).containsExactly(notLeader);
        assertThat(both.completions).containsExactly(notLeader);
        assertThat(elsewhere.completions).isEmpty();
        assertThat(purgatory.watchedKeys()).isEqualTo(1);
    }

    /** Callbacks run outside all locks: they may use the purgatory, under the same key too. */
    @Test
    void shouldLetACallbackUseThePurgatory() {
        // scenario 25. Fails if: Purgatory.signal completes under the lock of its list
        // given
        Waiter followUp = waiterFor(2);
        Waiter waiter = new Waiter(() -> position >= 1, Duration.ofSeconds(1)) {
            @Override
            protected void onComplete(Completion completion) {
                super.onComplete(completion);
                purgatory.checkAndMaybeWatch(followUp, List.of("p"));
                position = 2;
                purgatory.signal("p");
            }
        };
        purgatory.checkAndMaybeWatch(waiter, List.of("p"));

        // when
        position = 1;
        purgatory.signal("p");

        // then
        assertThat(waiter.completions).hasSize(1);
        assertThat(followUp.completions).containsExactly(Completion.SATISFIED);
        assertEmpty();
    }

    @Test
    void shouldNotLetABrokenCallbackHarmTheOthers() {
        // given
        Waiter broken = new Waiter(() -> position >= 1, Duration.ofSeconds(1)) {
            @Override
            protected void onComplete(Completion completion) {
                throw new IllegalStateException("broken callback");
            }
        };
        Waiter sound = waiterFor(1);
        purgatory.checkAndMaybeWatch(broken, List.of("p"));
        purgatory.checkAndMaybeWatch(sound, List.of("p"));

        // when
        position = 1;
        assertThat(purgatory.signal("p")).isEqualTo(2);

        // then
        assertThat(failures).containsExactly("test: broken callback");
        assertThat(sound.completions).containsExactly(Completion.SATISFIED);
        assertEmpty();
    }

    @Test
    void shouldAnswerWithAnErrorWhenATestThrows() {
        // given
        Waiter broken = new Waiter(
                () -> {
                    if (position > 0) {
                        throw new IllegalStateException("broken test");
                    }
                    return false;
                },
                Duration.ofSeconds(1));
        Waiter sound = waiterFor(1);
        purgatory.checkAndMaybeWatch(broken, List.of("p"));
        purgatory.checkAndMaybeWatch(sound, List.of("p"));

        // when
        position = 1;
        purgatory.signal("p");

        // then
        assertThat(broken.completions).containsExactly(Completion.failed(ErrorCode.UNKNOWN_SERVER_ERROR));
        assertThat(sound.completions).containsExactly(Completion.SATISFIED);
        assertThat(failures).containsExactly("test: broken test");
        assertEmpty();
    }

    /** KNOWN_BUGS 19: finished requests do not stay behind in the lists of quiet partitions, nor in the timer. */
    @Test
    void shouldHoldNothingOfFinishedOperations() {
        // KAFKA-664, S42, scenario 25. Fails if: Purgatory.release leaves the places under the other keys
        for (int i = 1; i <= 100_000; i++) {
            // given
            purgatory.checkAndMaybeWatch(waiterFor(i), List.of("hot", "cold"));

            // when
            position = i;
            purgatory.signal("hot");

            // then
            assertThat(purgatory.watched()).isZero();
        }
        assertEmpty();
        assertThat(scheduler.size()).isLessThanOrEqualTo(1);
    }

    /** KNOWN_BUGS 19: keys that were watched once. */
    @Test
    void shouldForgetKeysThatNobodyWatches() {
        // KAFKA-664, S42. Fails if: Purgatory.drop keeps lists that are empty
        // given
        for (int i = 0; i < 10_000; i++) {
            purgatory.checkAndMaybeWatch(waiterFor(1), List.of("key-" + i));
        }
        assertThat(purgatory.watchedKeys()).isEqualTo(10_000);

        // when
        position = 1;
        for (int i = 0; i < 10_000; i++) {
            purgatory.signal("key-" + i);
        }

        // then
        assertEmpty();
    }

    @Test
    void shouldScheduleOneWakeUpHoweverManyOperationsComeAndGo() {
        // given: a long wait, and short ones in turn
        purgatory.checkAndMaybeWatch(new Waiter(() -> false, Duration.ofSeconds(30)), List.of("p"));
        for (int i = 0; i < 5_000; i++) {
            purgatory.checkAndMaybeWatch(new Waiter(() -> false, Duration.ofMillis(1 + i % 7)), List.of("p"));

            // when
            scheduler.advance(Duration.ofMillis(1));

            // then
            assertThat(scheduler.size()).isLessThanOrEqualTo(1);
        }
        scheduler.advance(Duration.ofSeconds(31));
        assertEmpty();
        assertThat(scheduler.size()).isZero();
    }

    @Test
    void shouldCountSizesAndEndings() {
        // given
        purgatory.checkAndMaybeWatch(waiterFor(1), List.of("a", "b"));
        Waiter expiring = new Waiter(() -> false, Duration.ofMillis(5));
        purgatory.checkAndMaybeWatch(expiring, List.of("c"));
        assertThat(registry.get("tidemark.purgatory.watched").gauge().value()).isEqualTo(3);
        assertThat(registry.get("tidemark.purgatory.size").gauge().value()).isEqualTo(2);

        // when
        position = 1;
        purgatory.signal("a");
        scheduler.advance(Duration.ofMillis(10));

        // then
        assertThat(registry.get("tidemark.purgatory.watched").gauge().value()).isZero();
        assertThat(ended("satisfied")).isEqualTo(1);
        assertThat(ended("expired")).isEqualTo(1);
        assertThat(ended("failed")).isZero();
    }

    @Test
    void shouldTieErrorsToFailures() {
        assertThatThrownBy(() -> Completion.failed(ErrorCode.NONE)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Completion(Completion.Ending.EXPIRED, ErrorCode.REQUEST_TIMED_OUT))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private double ended(String ending) {
        return registry.get("tidemark.purgatory.completed")
                .tag("ending", ending)
                .counter()
                .count();
    }

    private void assertEmpty() {
        assertThat(purgatory.watched()).isZero();
        assertThat(purgatory.watchedKeys()).isZero();
        assertThat(purgatory.delayed()).isZero();
    }

    private Waiter waiterFor(long required) {
        Waiter waiter = new Waiter(() -> position >= required, Duration.ofSeconds(30));
        waiter.required = required;
        return waiter;
    }

    private static class Waiter extends DelayedOperation {
        private final List<Completion> completions = new ArrayList<>();
        private final BooleanSupplier test;
        private long required;

        private Waiter(BooleanSupplier test, Duration timeout) {
            super(timeout);
            this.test = test;
        }

        @Override
        protected boolean isSatisfied() {
            return test.getAsBoolean();
        }

        @Override
        protected void onComplete(Completion completion) {
            completions.add(completion);
        }
    }
}
