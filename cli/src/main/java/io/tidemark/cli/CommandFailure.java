package io.tidemark.cli;

/** A command cannot go on: a message for a person, the next step where there is one, and the exit code. */
public final class CommandFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int exitCode;
    private final String next;

    public CommandFailure(int exitCode, String message) {
        this(exitCode, message, "");
    }

    /** @param next what the person can do now */
    public CommandFailure(int exitCode, String message, String next) {
        super(message);
        this.exitCode = exitCode;
        this.next = next;
    }

    public int exitCode() {
        return exitCode;
    }

    /** What the person can do now; may be empty. */
    public String next() {
        return next;
    }
}
