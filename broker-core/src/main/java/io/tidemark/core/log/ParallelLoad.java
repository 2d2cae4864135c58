package io.tidemark.core.log;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Loads logs on an executor and waits for all of them. */
final class ParallelLoad {
    private final Executor executor;
    private final LoadProgress progress;

    ParallelLoad(Executor executor, LoadProgress progress) {
        this.executor = executor;
        this.progress = progress;
    }

    /** Runs {@code load} for each; after all have ended, throws what the first failed one threw. */
    void run(List<FoundLog> found, Consumer<FoundLog> load) {
        AtomicInteger done = new AtomicInteger();
        CompletableFuture<?>[] loads = found.stream()
                .map(log -> CompletableFuture.runAsync(
                        () -> {
                            load.accept(log);
                            progress.onLoaded(log.partition(), done.incrementAndGet(), found.size());
                        },
                        executor))
                .toArray(CompletableFuture<?>[]::new);
        try {
            CompletableFuture.allOf(loads).join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }
}
