package io.tidemark.core.runtime;

import java.nio.file.Path;

/**
 * A disk failed under a log, index or checkpoint: the broker ends rather than lie (S13-S15, DESIGN section 5).
 *
 * <p>Whoever meets it acknowledges nothing more; the process hands it to its {@link StorageFailureHandler}.
 */
public final class KafkaStorageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public KafkaStorageException(String action, Path path, Throwable cause) {
        super("storage failure: cannot " + action + " " + path + ": " + cause, cause);
    }

    public KafkaStorageException(String message) {
        super(message);
    }
}
