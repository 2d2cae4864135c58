package io.tidemark.sim;

/**
 * Thrown by a fault that ends a process in the middle of what it does: nothing of the process goes on. An error, so that no code of
 * the process takes it for a failure it can handle. The process is dead before it is thrown.
 */
public final class ProcessEnd extends Error {
    private static final long serialVersionUID = 1L;

    private final transient ProcessThreads process;

    public ProcessEnd(ProcessThreads process) {
        super("process " + process + " ends here", null, false, false);
        this.process = process;
    }

    /** Whose end it is. */
    ProcessThreads process() {
        return process;
    }
}
