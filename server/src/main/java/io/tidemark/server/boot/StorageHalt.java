package io.tidemark.server.boot;

import io.tidemark.core.checkpoint.BrokerEpochFile;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.core.runtime.StorageFailureHandler;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the process after a storage failure (DESIGN section 5): the broker-epoch files go, so that the next process cannot
 * claim that its logs are what they were; the controller is told, which takes 200 ms at most; one line names file and
 * cause; the process halts with status 3. Nothing is closed in an orderly way: that could acknowledge something.
 */
final class StorageHalt implements StorageFailureHandler {
    private static final Logger LOG = LoggerFactory.getLogger(StorageHalt.class);
    private static final long TELL_LIMIT_MS = 200;

    private final IntConsumer halt;
    private final AtomicBoolean failed = new AtomicBoolean();
    private volatile List<BrokerEpochFile> epochFiles = List.of();
    private volatile IntSupplier tellController = () -> 0;

    /** @param halt ends the process at once with a status */
    StorageHalt(IntConsumer halt) {
        this.halt = halt;
    }

    /** The files that must not survive a failure. */
    void guard(List<BrokerEpochFile> files) {
        epochFiles = List.copyOf(files);
    }

    /** How the controller hears of it: answers how many streams carry the news, and returns soon. */
    void tellBy(IntSupplier tell) {
        tellController = tell;
    }

    @Override
    public void onStorageFailure(KafkaStorageException failure) {
        if (failed.compareAndSet(false, true)) {
            LOG.error("storage failure: the broker halts", failure);
            epochFiles.forEach(BrokerEpochFile::removeAfterFailure);
            tell();
            System.err.println(
                    "tidemark-server: " + failure.getMessage() + "; halting with status " + ExitStatus.STORAGE_FAILURE);
            halt.accept(ExitStatus.STORAGE_FAILURE);
        }
    }

    /** The news is only queued when the supplier returns: what carries it gets the rest of the time to send it. */
    private void tell() {
        CountDownLatch nothingToSend = new CountDownLatch(1);
        Thread teller = new Thread(
                () -> {
                    if (tellController.getAsInt() == 0) {
                        nothingToSend.countDown();
                    }
                },
                "tidemark-storage-failure");
        teller.setDaemon(true);
        teller.start();
        try {
            boolean nobodyListens = nothingToSend.await(TELL_LIMIT_MS, TimeUnit.MILLISECONDS);
            LOG.info("the controller {} of the storage failure", nobodyListens ? "could not be told" : "is told");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
