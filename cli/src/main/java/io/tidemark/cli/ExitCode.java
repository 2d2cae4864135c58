package io.tidemark.cli;

/** Exit codes are a contract: scripts rely on them. */
public final class ExitCode {
    /** Done, or the answer is yes. */
    public static final int OK = 0;

    /** Failed. */
    public static final int FAILED = 1;

    /** Asked fine, and the answer is no: unhealthy, still running, differs. */
    public static final int ANSWER_IS_NO = 2;

    /** The time ran out; the work goes on. */
    public static final int TIMED_OUT = 3;

    /** Refused by a safety check, or not confirmed. */
    public static final int REFUSED = 4;

    /** Cannot connect. */
    public static final int CANNOT_CONNECT = 5;

    /** The command line is wrong. */
    public static final int USAGE = 64;

    /** Interrupted. */
    public static final int INTERRUPTED = 130;

    private ExitCode() {}
}
