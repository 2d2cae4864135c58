package io.tidemark.core.runtime;

/**
 * What a process does about a storage failure. In a broker: removes its broker-epoch file, tells the controller within
 * 200 ms, halts with status 3 and one line that names file and cause. Thread-safe; may be called more than once; in a
 * broker it does not return.
 */
@FunctionalInterface
public interface StorageFailureHandler {
    void onStorageFailure(KafkaStorageException failure);
}
