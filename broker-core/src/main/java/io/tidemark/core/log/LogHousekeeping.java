package io.tidemark.core.log;

import io.tidemark.core.log.LogRetention.Reason;
import io.tidemark.core.metrics.HousekeepingMetrics;
import io.tidemark.core.runtime.Invariant.InvariantBrokenException;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.model.TopicPartition;
import io.tidemark.runtime.Cancellable;
import io.tidemark.runtime.Clock;
import io.tidemark.runtime.Scheduler;
import java.time.Duration;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is done to every log now and then: retention, and the expiry of silent producers. Runs on the scheduler, one log after
 * the other.
 *
 * <p>A log that cannot be tended for whatever reason is reported, counted and passed over. A storage failure is not: it ends
 * the pass and goes to the scheduler, which knows whom to tell (DESIGN section 5). A log that is deleted meanwhile is no failure.
 */
public final class LogHousekeeping implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LogHousekeeping.class);

    private final LogRegistry logs;
    private final Clock clock;
    private final HousekeepingMetrics metrics;
    private final Consumer<TopicPartition> startMoved;
    private final Cancellable task;
    private volatile boolean closed;

    /**
     * Tends the logs from now on.
     *
     * @param startMoved told of each log whose start offset rose, for those who wait for an offset that is gone (S36); called
     *     without any lock
     * @param interval between two passes ({@code log.retention.check.interval.ms})
     */
    public LogHousekeeping(
            LogRegistry logs,
            Clock clock,
            HousekeepingMetrics metrics,
            Consumer<TopicPartition> startMoved,
            Scheduler scheduler,
            Duration interval) {
        this.logs = logs;
        this.clock = clock;
        this.metrics = metrics;
        this.startMoved = startMoved;
        this.task = scheduler.scheduleEvery(interval, this::tendAll);
    }

    /** Begins no further log; one that is being tended is finished. Idempotent; does not wait. */
    @Override
    public void close() {
        closed = true;
        task.cancel();
    }

    private void tendAll() {
        for (Log log : logs.logs()) {
            if (closed) {
                return;
            }
            tend(log);
        }
    }

    private void tend(Log log) {
        try {
            shorten(log);
            metrics.expired(log.expireProducers(clock.monotonicNs() / 1_000_000));
        } catch (KafkaStorageException | InvariantBrokenException e) {
            throw e;
        } catch (LogClosedException e) {
            LOG.debug("{} was closed meanwhile", log.partition());
        } catch (RuntimeException e) {
            metrics.failed();
            LOG.error("retention and expiry of {} failed; the next pass tries again", log.partition(), e);
        }
    }

    private void shorten(Log log) {
        RetentionResult result = log.applyRetention(clock.wallMs());
        if (result.isNothing()) {
            return;
        }
        for (Reason reason : Reason.values()) {
            RetentionResult.Removed removed = result.removed(reason);
            metrics.removed(reason.label(), removed.segments(), removed.sizeBytes());
        }
        LOG.info("{} begins at {} now: {}", log.partition(), log.startOffset(), result);
        startMoved.accept(log.partition());
    }
}
