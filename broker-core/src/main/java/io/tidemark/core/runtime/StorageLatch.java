package io.tidemark.core.runtime;

/**
 * Whether this process has met a storage failure, on whatever thread: the one {@link StorageFailureHandler} that a broker's
 * parts are given. It is set before anything else is done about the failure, which takes its time, and never reset. Whoever
 * is about to acknowledge something asks first: no acknowledgement leaves a broker after the failure (S15, DESIGN section 5).
 *
 * <p>Thread-safe; asking costs a volatile read.
 */
public final class StorageLatch implements StorageFailureHandler {
    private final StorageFailureHandler next;
    private volatile boolean tripped;

    /** @param next what is done about a failure once nothing is acknowledged any more */
    public StorageLatch(StorageFailureHandler next) {
        this.next = next;
    }

    /** Sets the latch, then hands the failure on; each time it is called. */
    @Override
    public void onStorageFailure(KafkaStorageException failure) {
        tripped = true;
        next.onStorageFailure(failure);
    }

    /** Whether nothing is to be acknowledged any more. */
    public boolean isTripped() {
        return tripped;
    }
}
