package io.tidemark.sim;

/**
 * Thrown where a thread of a process never comes back: in the middle of what the process does when it dies, and where it halts
 * after a storage failure and others go on for a moment. An error, so that no code of the process takes it for a failure it can handle.
 */
public final class ProcessEnd extends Error {
    private static final long serialVersionUID = 1L;

    private final transient ProcessThreads process;

    public ProcessEnd(ProcessThreads process) {
        super("a thread of " + process + " ends here", null, false, false);
        this.process = process;
    }

    /** Whose end it is. */
    ProcessThreads process() {
        return process;
    }
}
