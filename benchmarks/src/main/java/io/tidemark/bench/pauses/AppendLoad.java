package io.tidemark.bench.pauses;

import io.tidemark.runtime.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Appends at a fixed rate on the calling thread, beside nothing or beside something. */
final class AppendLoad {
    /** Appends before a measured stretch begins, so that it does not begin cold. */
    private static final Duration RUN_UP = Duration.ofSeconds(1);

    private final Clock clock;
    private final int perSecond;
    private final Duration limit;

    /** @param limit of any stretch */
    AppendLoad(Clock clock, int perSecond, Duration limit) {
        this.clock = clock;
        this.perSecond = perSecond;
        this.limit = limit;
    }

    /** Appends for so long. */
    Latencies idle(AppendedLog log, Duration length) {
        stretch(log, until(RUN_UP));
        return stretch(log, until(length));
    }

    /**
     * Appends as long as it takes to do something.
     *
     * @throws IllegalStateException if it is not over within the limit
     */
    Latencies beside(Disturbance disturbance, Executor others) {
        stretch(disturbance.log(), until(RUN_UP));
        CompletableFuture<Void> over = new CompletableFuture<>();
        others.execute(() -> {
            try {
                disturbance.run();
                over.complete(null);
            } catch (Exception e) {
                over.completeExceptionally(e);
            }
        });
        BooleanSupplier inTime = until(limit);
        Latencies latencies = stretch(disturbance.log(), () -> !over.isDone() && inTime.getAsBoolean());
        if (!over.isDone()) {
            throw new IllegalStateException("not over within " + limit.toSeconds() + " s: " + disturbance.what());
        }
        over.join();
        return latencies;
    }

    private BooleanSupplier until(Duration length) {
        long startNs = clock.monotonicNs();
        return () -> clock.monotonicNs() - startNs < length.toNanos();
    }

    private Latencies stretch(AppendedLog log, BooleanSupplier goesOn) {
        Latencies latencies = new Latencies();
        Pacer pacer = new Pacer(clock, LockSupport::parkNanos, perSecond);
        while (goesOn.getAsBoolean()) {
            long dueNs = pacer.awaitNext();
            long startNs = clock.monotonicNs();
            log.append();
            long endNs = clock.monotonicNs();
            latencies.record(endNs - dueNs, endNs - startNs);
        }
        return latencies;
    }
}
