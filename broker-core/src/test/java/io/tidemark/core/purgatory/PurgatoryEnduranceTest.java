package io.tidemark.core.purgatory;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemark.core.metrics.PurgatoryMetrics;
import io.tidemark.core.testkit.ManualClock;
import io.tidemark.core.testkit.ManualScheduler;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A purgatory that has seen very many operations come and go. */
final class PurgatoryEnduranceTest {
    private static final int WAITS = 1_000_000;
    private static final int AT_ONCE = 100;
    private static final int WARM_UP = 20_000;
    /** The serial collector leaves some garbage where it lies, but not in every fourth collection. */
    private static final int COLLECTIONS = 4;
    /** One byte for each wait: a forgotten reference of each alone would take more. */
    private static final long HEAP_GROWTH_BOUND_BYTES = WAITS;

    private final ManualClock clock = new ManualClock(0, 0);
    private final ManualScheduler scheduler = new ManualScheduler(clock);
    private final List<Throwable> failures = new ArrayList<>();
    private final Purgatory<String, Wait> purgatory = new Purgatory<>(
            "endurance",
            clock,
            scheduler,
            (runner, failure) -> failures.add(failure),
            new PurgatoryMetrics(new SimpleMeterRegistry(), "endurance"));

    private volatile long position;
    private long completed;

    // S42, KAFKA-664 (bug 19): 10^6 satisfied waits leave no watcher, no timer entry and no heap behind, whether time
    // passes or not.
    // Fails if: Purgatory.release does not remove the operation from the timer.
    @Test
    void shouldKeepNothingOfAMillionSatisfiedWaits() {
        // given: whatever the test itself loads is there
        requireNothingKeptOf(WARM_UP);
        long before = usedHeapBytes();

        // when / then
        requireNothingKeptOf(WAITS);
        assertThat(usedHeapBytes() - before).isLessThan(HEAP_GROWTH_BOUND_BYTES);
    }

    private void requireNothingKeptOf(int waits) {
        completed = 0;
        waitAndSatisfy(waits);
        assertThat(completed).isEqualTo(waits);
        assertThat(failures).isEmpty();
        assertThat(purgatory.watched()).isZero();
        assertThat(purgatory.watchedKeys()).isZero();
        assertThat(purgatory.delayed()).isZero();
        assertThat(scheduler.size()).isLessThanOrEqualTo(1);
    }

    /** Each waits under a key that is signalled and one that never is, for longer than this lasts. */
    private void waitAndSatisfy(int waits) {
        for (int done = 0; done < waits; done += AT_ONCE) {
            long wanted = position + 1;
            for (int each = 0; each < AT_ONCE; each++) {
                purgatory.checkAndMaybeWatch(new Wait(wanted), List.of("hot", "cold-" + (done + each) % 1_000));
            }
            assertThat(purgatory.delayed()).isEqualTo(AT_ONCE);
            position = wanted;
            purgatory.signal("hot");
            if (done % (10 * AT_ONCE) == 0) {
                scheduler.advance(Duration.ofMillis(1));
            }
        }
    }

    /** What was there at the end of the last collection: the buffers that threads have taken since may be larger than the bound. */
    private static long usedHeapBytes() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP && pool.getCollectionUsage() != null)
                .mapToLong(pool -> pool.getCollectionUsage().getUsed())
                .sum();
    }

    private final class Wait extends DelayedOperation {
        private final long wanted;

        Wait(long wanted) {
            super(Duration.ofHours(1));
            this.wanted = wanted;
        }

        @Override
        protected boolean isSatisfied() {
            return position >= wanted;
        }

        @Override
        protected void onComplete(Completion completion) {
            completed += completion.equals(Completion.SATISFIED) ? 1 : 0;
        }
    }
}
