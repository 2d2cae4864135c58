package io.tidemark.bench.pauses;

import io.tidemark.runtime.Clock;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * Due times at a fixed rate. Whoever is late finds the next ones due at once, until he has caught up: nothing is left out because
 * what came before it took long. It sleeps in between, as a thread that waits for requests does: one that spun would have a core
 * for itself as long as nothing else runs, and none of the scheduler's favour as soon as something does. For one thread.
 */
final class Pacer {
    private final Clock clock;
    private final LongConsumer park;
    private final double periodNs;
    private final long startNs;
    private long count;

    /**
     * The first is due at once.
     *
     * @param park waits for about so many nanoseconds
     */
    Pacer(Clock clock, LongConsumer park, int perSecond) {
        this.clock = clock;
        this.park = park;
        this.periodNs = (double) TimeUnit.SECONDS.toNanos(1) / perSecond;
        this.startNs = clock.monotonicNs();
    }

    /** Waits until the next is due, and answers when that was. */
    long awaitNext() {
        long dueNs = startNs + (long) (count * periodNs);
        count++;
        long leftNs = dueNs - clock.monotonicNs();
        while (leftNs > 0) {
            park.accept(leftNs);
            leftNs = dueNs - clock.monotonicNs();
        }
        return dueNs;
    }
}
