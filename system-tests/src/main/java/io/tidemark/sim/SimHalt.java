package io.tidemark.sim;

import io.tidemark.core.checkpoint.BrokerEpochFile;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.core.runtime.StorageFailureHandler;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Ends a simulated process after a storage failure as the real one ends (DESIGN section 5): the broker-epoch files go, the controller
 * is told, and the process halts, 200 ms later if there was somebody to tell. For that time the thread that met the failure does not come
 * back, and all others go on. Stands for {@code server.boot.StorageHalt}, behind the process's latch.
 */
final class SimHalt implements StorageFailureHandler {
    private static final Duration TELL_LIMIT = Duration.ofMillis(200);

    private final ProcessThreads threads;
    private final BooleanSupplier tell;
    private final Consumer<KafkaStorageException> end;
    private List<BrokerEpochFile> epochFiles = List.of();
    private boolean failed;

    /**
     * @param tell tells the controller; false if nobody is there to be told
     * @param end the process is gone when it returns
     */
    SimHalt(ProcessThreads threads, BooleanSupplier tell, Consumer<KafkaStorageException> end) {
        this.threads = threads;
        this.tell = tell;
        this.end = end;
    }

    /** The files that must not survive a failure. */
    void guard(List<BrokerEpochFile> files) {
        epochFiles = List.copyOf(files);
    }

    /** Does not come back but when the process has met a failure before. */
    @Override
    public void onStorageFailure(KafkaStorageException failure) {
        if (failed) {
            return;
        }
        failed = true;
        epochFiles.forEach(BrokerEpochFile::removeAfterFailure);
        if (tell.getAsBoolean()) {
            threads.schedule(TELL_LIMIT, () -> end.accept(failure));
        } else {
            end.accept(failure);
        }
        throw new ProcessEnd(threads);
    }
}
