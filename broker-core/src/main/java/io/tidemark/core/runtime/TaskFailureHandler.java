package io.tidemark.core.runtime;

/** What a process does about an exception that escaped a task of a loop or scheduler. Thread-safe. */
@FunctionalInterface
public interface TaskFailureHandler {
    /**
     * Called on the thread of the failed task, which goes on with the next task when this returns.
     *
     * @param runner name of the loop or scheduler that ran the task
     */
    void onTaskFailure(String runner, Throwable failure);
}
