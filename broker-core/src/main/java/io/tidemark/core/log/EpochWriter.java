package io.tidemark.core.log;

import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.runtime.Cancellable;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the epoch file up with the history: whole, coalesced, on the scheduler; and at once when a recovery point is about to
 * pass what the file does not say (DESIGN section 3). Thread-safe.
 */
final class EpochWriter {
    private static final Duration COALESCING_DELAY = Duration.ofMillis(200);

    private final LogState state;
    private final LeaderEpochCheckpoint file;
    private final AtomicBoolean queued = new AtomicBoolean();
    private LeaderEpochHistory written;
    private boolean closed;
    private volatile @Nullable Cancellable task;

    /**
     * @param written what the file holds
     */
    EpochWriter(LogState state, LeaderEpochCheckpoint file, LeaderEpochHistory written) {
        this.state = state;
        this.file = file;
        this.written = written;
    }

    /** The published history is another one; under the log's lock. */
    void onChanged() {
        if (queued.compareAndSet(false, true)) {
            state.afterUnlock(() -> task = state.scheduler.schedule(COALESCING_DELAY, this::writePending));
        }
    }

    /** Makes {@code history} durable, unless it is {@linkplain #close() closed}. */
    synchronized void write(LeaderEpochHistory history) {
        if (!closed && !history.equals(written)) {
            file.write(history);
            written = history;
        }
    }

    /** Writes nothing more, and waits for a write that runs: the directory may soon be another log's. */
    void close() {
        Cancellable pending = task;
        if (pending != null) {
            pending.cancel();
        }
        synchronized (this) {
            closed = true;
        }
    }

    private void writePending() {
        queued.set(false);
        if (state.isClosed()) {
            return;
        }
        try {
            write(state.view().epochs());
        } catch (KafkaStorageException e) {
            throw state.fenceUnlocked("write the epochs of", e);
        }
    }
}
