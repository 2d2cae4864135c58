package io.tidemark.record;

/** The bytes are not a valid batch; the message says what is wrong and where. Never raised for a disk error. */
public final class InvalidBatchException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public InvalidBatchException(String message) {
        super(message);
    }

    public InvalidBatchException(String message, Throwable cause) {
        super(message, cause);
    }
}
