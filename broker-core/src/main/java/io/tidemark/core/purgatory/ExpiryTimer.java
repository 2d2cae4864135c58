package io.tidemark.core.purgatory;

import io.tidemark.core.runtime.TimingWheel;
import io.tidemark.runtime.Cancellable;
import io.tidemark.runtime.Clock;
import io.tidemark.runtime.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Ends waitings whose time is up, within one tick. Thread-safe; calls nothing while its lock is held.
 *
 * <p>One wake-up is scheduled, for when the wheel has something to do next, and none when the wheel is empty: an idle
 * purgatory costs nothing. One that comes too early, because the operation that asked for it has left, does no harm.
 */
final class ExpiryTimer {
    private static final long TICK_NS = Duration.ofMillis(1).toNanos();
    private static final long NEVER = Long.MAX_VALUE;

    private final Clock clock;
    private final Scheduler scheduler;
    private final Consumer<DelayedOperation> onExpired;
    private final Object lock = new Object();
    private final TimingWheel<DelayedOperation> wheel;

    /** Monotonic time of the wake-up that is scheduled, or about to be by the thread that claimed it. */
    private long wakeNs = NEVER;

    private @Nullable Cancellable wakeUp;

    ExpiryTimer(Clock clock, Scheduler scheduler, Consumer<DelayedOperation> onExpired) {
        this.clock = clock;
        this.scheduler = scheduler;
        this.onExpired = onExpired;
        this.wheel = new TimingWheel<>(TICK_NS, clock.monotonicNs());
    }

    /** Adds an operation unless it has completed. */
    void add(DelayedOperation operation) {
        long nowNs = clock.monotonicNs();
        long wake;
        synchronized (lock) {
            if (operation.isCompleted()) {
                return;
            }
            operation.timerEntry = wheel.add(nowNs + operation.timeoutNs(), operation);
            wake = claimEarlierWakeUp();
        }
        schedule(wake, nowNs);
    }

    /** Takes a completed operation out. */
    void remove(DelayedOperation operation) {
        synchronized (lock) {
            if (operation.timerEntry != null) {
                wheel.cancel(operation.timerEntry);
                operation.timerEntry = null;
            }
        }
    }

    int size() {
        synchronized (lock) {
            return wheel.size();
        }
    }

    private void wakeUp(long scheduledNs) {
        long nowNs = clock.monotonicNs();
        List<DelayedOperation> expired = new ArrayList<>();
        long wake;
        synchronized (lock) {
            wheel.advanceTo(nowNs, expired::add);
            if (wakeNs == scheduledNs) {
                wakeNs = NEVER;
                wakeUp = null;
            }
            wake = claimEarlierWakeUp();
        }
        schedule(wake, nowNs);
        expired.forEach(onExpired);
    }

    /** The time of a wake-up that the caller has to schedule, or {@link #NEVER}. */
    private long claimEarlierWakeUp() {
        OptionalLong next = wheel.nextNs();
        if (next.isEmpty() || (wakeNs != NEVER && next.getAsLong() >= wakeNs)) {
            return NEVER;
        }
        wakeNs = next.getAsLong();
        return wakeNs;
    }

    private void schedule(long wake, long nowNs) {
        if (wake == NEVER) {
            return;
        }
        Cancellable scheduled = scheduler.schedule(Duration.ofNanos(Math.max(0, wake - nowNs)), () -> wakeUp(wake));
        Cancellable obsolete = scheduled;
        synchronized (lock) {
            // Another thread may have claimed an earlier time since, or this wake-up may be over already.
            if (wakeNs == wake) {
                obsolete = wakeUp;
                wakeUp = scheduled;
            }
        }
        if (obsolete != null) {
            obsolete.cancel();
        }
    }
}
