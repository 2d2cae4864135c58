package io.tidemark.core.testkit;

import io.tidemark.core.runtime.TaskFailureHandler;
import org.jspecify.annotations.Nullable;

/** Keeps what escaped the tasks of a run, so that the run's caller gets it: a test never swallows a failure. */
final class FailureCollector implements TaskFailureHandler {
    private @Nullable Throwable first;

    @Override
    public synchronized void onTaskFailure(String runner, Throwable failure) {
        if (first == null) {
            first = failure;
        } else if (first != failure) {
            first.addSuppressed(failure);
        }
    }

    /** Throws the first failure since the last call, the others suppressed in it. */
    synchronized void rethrow() {
        Throwable failure = first;
        first = null;
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof RuntimeException exception) {
            throw exception;
        }
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
    }
}
