package io.tidemark.sim.run;

import io.tidemark.runtime.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/**
 * Runs seeds on several threads, and tells their results in the order of the seeds: what is told does not depend on the number of
 * threads. Runs share nothing. At most a window of seeds is under way.
 */
public final class SeedPool {
    private static final int WINDOW = 256;

    private final Clock clock;
    private final Limits limits;

    /**
     * When it ends before the last seed.
     *
     * @param threads that run seeds
     * @param violations after so many no further result is told
     * @param atMost time after which no further result is told, by the wall clock
     */
    public record Limits(int threads, int violations, Duration atMost) {
        private static final Duration EVER = Duration.ofDays(365);

        public Limits {
            if (threads < 1 || violations < 1) {
                throw new IllegalArgumentException(threads + " threads, " + violations + " violations");
            }
        }

        /** No matter how long it takes. */
        public Limits(int threads, int violations) {
            this(threads, violations, EVER);
        }
    }

    /** @param clock of the machine */
    public SeedPool(Clock clock, Limits limits) {
        this.clock = clock;
        this.limits = limits;
    }

    /**
     * Runs the seeds, and comes back when all were told or a limit is reached.
     *
     * @param one runs a seed, on any thread; what it throws is thrown here
     * @param inOrder is told each result, on the calling thread
     */
    public RunReport run(Seeds seeds, LongFunction<RunResult> one, Consumer<SeedResult> inOrder) {
        ExecutorService workers = Executors.newFixedThreadPool(limits.threads(), SeedPool::worker);
        try {
            return new Pass(workers, one, inOrder).over(seeds);
        } finally {
            workers.shutdownNow();
        }
    }

    private static Thread worker(Runnable task) {
        Thread thread = new Thread(task, "seeds");
        thread.setDaemon(true);
        return thread;
    }

    /** One pass over seeds. */
    private final class Pass {
        private final ExecutorService workers;
        private final LongFunction<RunResult> one;
        private final Consumer<SeedResult> inOrder;
        private final ArrayDeque<Future<SeedResult>> underWay = new ArrayDeque<>();
        private final List<SeedResult> violations = new ArrayList<>();
        private final long startNs = clock.monotonicNs();
        private RunCounts sum = RunCounts.NONE;
        private long runs;

        Pass(ExecutorService workers, LongFunction<RunResult> one, Consumer<SeedResult> inOrder) {
            this.workers = workers;
            this.one = one;
            this.inOrder = inOrder;
        }

        RunReport over(Seeds seeds) {
            long left = seeds.last() - seeds.first() + 1;
            long next = seeds.first();
            while (!isOver() && (left > 0 || !underWay.isEmpty())) {
                if (left > 0 && underWay.size() < WINDOW) {
                    submit(next);
                    next++;
                    left--;
                } else {
                    tell(taken(underWay.remove()));
                }
            }
            return new RunReport(runs, sum, violations, elapsed());
        }

        private void submit(long seed) {
            underWay.add(workers.submit(() -> new SeedResult(seed, one.apply(seed))));
        }

        private boolean isOver() {
            return violations.size() >= limits.violations() || elapsed().compareTo(limits.atMost()) >= 0;
        }

        private Duration elapsed() {
            return Duration.ofNanos(clock.monotonicNs() - startNs);
        }

        private void tell(SeedResult told) {
            runs++;
            sum = sum.plus(told.result().counts());
            if (told.result().violated().isPresent()) {
                violations.add(told);
            }
            inOrder.accept(told);
        }

        private SeedResult taken(Future<SeedResult> future) {
            try {
                return future.get();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted between two seeds", e);
            } catch (ExecutionException e) {
                throw new IllegalStateException("a seed could not be run: " + e.getCause(), e.getCause());
            }
        }
    }
}
