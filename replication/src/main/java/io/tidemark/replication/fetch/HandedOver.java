package io.tidemark.replication.fetch;

import io.tidemark.runtime.Cancellable;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A fetch whose first pass runs elsewhere: may be called off before, while and after it does. Thread-safe; calls nobody under its
 * lock.
 */
final class HandedOver implements Cancellable {
    private final Runnable onCancel;
    private boolean cancelled;
    private @Nullable Cancellable started;

    /** @param onCancel runs once, on the thread that cancels */
    HandedOver(Runnable onCancel) {
        this.onCancel = onCancel;
    }

    /** Runs the pass unless it was called off; what still waits afterwards is called off with this. */
    void run(Supplier<Cancellable> pass) {
        if (isCancelled()) {
            return;
        }
        Cancellable waiting = pass.get();
        boolean late;
        synchronized (this) {
            late = cancelled;
            started = waiting;
        }
        if (late) {
            waiting.cancel();
        }
    }

    /** Passes an answer on unless the fetch was called off. */
    <T> Consumer<T> unlessCancelled(Consumer<T> answer) {
        return result -> {
            if (!isCancelled()) {
                answer.accept(result);
            }
        };
    }

    private synchronized boolean isCancelled() {
        return cancelled;
    }

    @Override
    public void cancel() {
        Cancellable waiting;
        synchronized (this) {
            if (cancelled) {
                return;
            }
            cancelled = true;
            waiting = started;
        }
        if (waiting != null) {
            waiting.cancel();
        }
        onCancel.run();
    }
}
