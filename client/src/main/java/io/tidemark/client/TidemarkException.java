package io.tidemark.client;

import io.tidemark.model.ErrorCode;

/**
 * Why a client's request failed. {@link #outcome()} says whether a write may have been done all the same: {@link
 * ErrorCode.Outcome#UNKNOWN} means that it may.
 */
public class TidemarkException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode error;
    private final ErrorCode.Outcome outcome;

    public TidemarkException(ErrorCode error, String message) {
        this(error, error.outcome(), message);
    }

    /** An error whose outcome the sender knows better than the code says. */
    public TidemarkException(ErrorCode error, ErrorCode.Outcome outcome, String message) {
        super(error + ": " + message);
        this.error = error;
        this.outcome = outcome;
    }

    public ErrorCode error() {
        return error;
    }

    public ErrorCode.Outcome outcome() {
        return outcome;
    }
}
