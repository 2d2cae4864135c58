package io.tidemark.core.runtime;

import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends what escaped a task to whoever decides about it:
 *
 * <ul>
 *   <li>a {@link KafkaStorageException}, also as a cause, to the {@link StorageFailureHandler};
 *   <li>a broken invariant or an {@link Error} to the fatal handler: the process is not to be trusted any more;
 *   <li>everything else to the log: one task failed, the others go on.
 * </ul>
 */
public final class FailureRouter implements TaskFailureHandler {
    private static final Logger LOG = LoggerFactory.getLogger(FailureRouter.class);
    private static final int MAX_CAUSES = 16;

    private final StorageFailureHandler storageFailures;
    private final Consumer<Throwable> fatal;

    /**
     * @param fatal ends the process; called after the failure was logged
     */
    public FailureRouter(StorageFailureHandler storageFailures, Consumer<Throwable> fatal) {
        this.storageFailures = storageFailures;
        this.fatal = fatal;
    }

    @Override
    public void onTaskFailure(String runner, Throwable failure) {
        Throwable decisive = decisive(failure);
        if (decisive instanceof KafkaStorageException storageFailure) {
            // Before a line is written: from now on nothing is acknowledged.
            storageFailures.onStorageFailure(storageFailure);
        }
        LOG.error("a task of {} failed", runner, failure);
        if (isFatal(decisive)) {
            fatal.accept(failure);
        }
    }

    /** The first in the chain of causes that says what is to be done, else the failure itself. */
    private static Throwable decisive(Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++) {
            if (cause instanceof KafkaStorageException || isFatal(cause)) {
                return cause;
            }
            cause = cause.getCause();
        }
        return failure;
    }

    private static boolean isFatal(Throwable failure) {
        return failure instanceof Error || failure instanceof Invariant.InvariantBrokenException;
    }
}
