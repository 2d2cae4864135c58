package io.tidemark.sim;

import io.tidemark.runtime.Cancellable;
import io.tidemark.runtime.EventLoops;
import io.tidemark.runtime.Randomness;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Loops for flushers: a force takes its time, in which the process may die. What waits runs one by one only if whoever feeds the
 * loop has one task out at a time, as a flusher does.
 */
final class SlowDiskLoops implements EventLoops {
    private static final int LONGEST_FORCE_US = 20_000;

    private final EventLoops loops;
    private final Randomness randomness;
    private final Supplier<Duration> slowness;

    /** @param slowness how much longer each force takes, at the moment */
    SlowDiskLoops(EventLoops loops, Randomness randomness, Supplier<Duration> slowness) {
        this.loops = loops;
        this.randomness = randomness;
        this.slowness = slowness;
    }

    @Override
    public Loop open(String name) {
        return new SlowLoop(loops.open(name));
    }

    private final class SlowLoop implements Loop {
        private final Loop loop;

        SlowLoop(Loop loop) {
            this.loop = loop;
        }

        @Override
        public void execute(Runnable task) {
            Duration ordinary = Duration.ofNanos(1_000L * (1 + randomness.nextInt(LONGEST_FORCE_US)));
            loop.schedule(ordinary.plus(slowness.get()), task);
        }

        @Override
        public boolean inLoop() {
            return loop.inLoop();
        }

        @Override
        public Cancellable schedule(Duration delay, Runnable task) {
            return loop.schedule(delay, task);
        }

        @Override
        public Cancellable scheduleEvery(Duration period, Runnable task) {
            return loop.scheduleEvery(period, task);
        }

        @Override
        public void close() {
            loop.close();
        }
    }
}
