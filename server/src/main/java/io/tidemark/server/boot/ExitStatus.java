package io.tidemark.server.boot;

/** How a broker process ends; a service manager tells by these whether a restart can help. */
final class ExitStatus {
    /** Stopped as asked. */
    static final int STOPPED = 0;

    /** Could not start, or met a broken invariant. */
    static final int FAILED = 1;

    /** A disk failed: the last line on standard error names file and cause (S15). A restart needs an operator first. */
    static final int STORAGE_FAILURE = 3;

    /** The command line is wrong. */
    static final int USAGE = 64;

    /** The configuration is wrong, or is not this cluster's or broker's. */
    static final int CONFIGURATION = 78;

    private ExitStatus() {}
}
