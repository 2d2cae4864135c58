package io.tidemark.core.log;

import io.tidemark.core.config.FlushConfig;
import io.tidemark.core.config.FlushMode;
import io.tidemark.record.RecordBatch;
import io.tidemark.record.RecordBatches;
import io.tidemark.runtime.Cancellable;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a log asks to be forced. Guarded by the log's lock; asking and timers happen after it is released.
 *
 * <pre>
 * setting                      | the log asks
 * -----------------------------+------------------------------------------------------------------------
 * log.flush.mode=sync          | after every append; what is appended until the force begins is one request
 * flush.messages = n           | when n records were appended since the last force began
 * flush.ms = t                 | t after the first append since the last force began
 * none of them                 | never: the operating system writes back when it likes
 * </pre>
 *
 * <p>A log has at most one timer, and none while everything in it is forced or about to be: the cost follows the logs that are
 * written to.
 */
final class FlushTrigger {
    private final LogState state;
    private final Runnable ask;

    /** Whether there was an append since the last force began. */
    private boolean unforced;

    private long unforcedRecords;
    private boolean asked;
    private @Nullable Alarm armed;

    /** A timer that may be called off while it is being set. */
    private static final class Alarm {
        private volatile @Nullable Cancellable timer;
        private volatile boolean over;

        void set(Cancellable scheduled) {
            timer = scheduled;
            if (over) {
                scheduled.cancel();
            }
        }

        void cancel() {
            over = true;
            Cancellable scheduled = timer;
            if (scheduled != null) {
                scheduled.cancel();
            }
        }
    }

    /**
     * Of a log that is durable as it is.
     *
     * @param ask asks the flusher; called without the log's lock
     */
    FlushTrigger(LogState state, Runnable ask) {
        this.state = state;
        this.ask = ask;
    }

    /** Those batches were appended. */
    void onAppended(ByteBuffer batches) {
        FlushConfig flush = state.config().flush();
        unforced = true;
        if (flush.messages() != Long.MAX_VALUE) {
            for (RecordBatch batch : RecordBatches.of(batches)) {
                unforcedRecords += batch.recordCount();
            }
        }
        consider(flush);
    }

    /** Other settings are in force. */
    void onReconfigured() {
        if (unforced) {
            disarm();
            consider(state.config().flush());
        }
    }

    /** A force begins that covers everything appended so far, or the log is closed. */
    void onForcing() {
        unforced = false;
        unforcedRecords = 0;
        asked = false;
        disarm();
    }

    private void consider(FlushConfig flush) {
        if (asked) {
            return;
        }
        if (flush.mode() == FlushMode.SYNC || unforcedRecords >= flush.messages()) {
            asked = true;
            state.afterUnlock(ask);
        } else {
            flush.interval().ifPresent(this::arm);
        }
    }

    private void arm(Duration interval) {
        if (armed == null) {
            Alarm alarm = new Alarm();
            armed = alarm;
            state.afterUnlock(() -> alarm.set(state.scheduler.schedule(interval, () -> onDue(alarm))));
        }
    }

    private void disarm() {
        Alarm alarm = armed;
        if (alarm != null) {
            armed = null;
            state.afterUnlock(alarm::cancel);
        }
    }

    private void onDue(Alarm alarm) {
        state.lock();
        try {
            if (armed == alarm && !asked) {
                armed = null;
                asked = true;
                state.afterUnlock(ask);
            }
        } finally {
            state.unlock();
        }
    }
}
