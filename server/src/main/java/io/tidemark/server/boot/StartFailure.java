package io.tidemark.server.boot;

/** Why a broker cannot start: one line for the operator, and the status to end with. */
final class StartFailure extends Exception {
    private static final long serialVersionUID = 1L;

    private final int status;

    StartFailure(int status, String message) {
        super(message);
        this.status = status;
    }

    int status() {
        return status;
    }
}
