package io.tidemark.checker;

/** What a case means for the verdict. */
public enum Standing {
    /** It breaks a promise: the history is invalid. */
    BAD,
    /** It is worth a line, and was allowed: by the options, or by what the producer chose. */
    REPORTED;

    /** {@link #REPORTED} if it is allowed. */
    static Standing badUnless(boolean isAllowed) {
        return isAllowed ? REPORTED : BAD;
    }
}
