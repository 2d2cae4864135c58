package io.tidemark.bench.compare;

/** A job, or what it needs, did not work; the message says why. The comparison goes on with the next one. */
final class JobFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    JobFailure(String message) {
        super(message);
    }
}
