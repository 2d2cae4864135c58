package io.tidemark.runtime;

/** A task that may be called off. */
@FunctionalInterface
public interface Cancellable {
    /** Calls the task off if it has not started, and releases what it holds at once. Idempotent, thread-safe. */
    void cancel();
}
