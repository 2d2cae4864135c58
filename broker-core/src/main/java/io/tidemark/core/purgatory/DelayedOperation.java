package io.tidemark.core.purgatory;

import io.tidemark.core.runtime.TimingWheel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Something that waits until a number is reached, a time has passed, or there is no point in waiting any more. It holds
 * the numbers that it waits for, never the objects that move them.
 *
 * <p>It completes exactly once, whoever comes first (S25), and is used for one waiting only.
 */
public abstract class DelayedOperation {
    /** Three centuries of nanoseconds overflow when they are added to a clock. */
    private static final long MAX_TIMEOUT_NS = Long.MAX_VALUE / 4;

    private final long timeoutNs;
    private final AtomicBoolean completed = new AtomicBoolean();

    /** Its places in watch lists; set once, before the first is entered. */
    private volatile List<WatchList.Watch> watches = List.of();

    /** What its test threw, if it did. */
    private volatile @Nullable Throwable testFailure;

    /** Its place in the timer; guarded by the timer's lock. */
    TimingWheel.@Nullable Entry<DelayedOperation> timerEntry;

    /**
     * @param timeout longest time to wait, by the monotonic clock
     */
    protected DelayedOperation(Duration timeout) {
        this.timeoutNs = Math.max(0, Math.min(MAX_TIMEOUT_NS, timeout.toNanos()));
    }

    /**
     * Whether there is nothing to wait for any more. Called under a watch list's lock, by any thread, several times: it
     * compares its numbers with volatiles and does nothing else.
     */
    protected abstract boolean isSatisfied();

    /**
     * Called exactly once, outside every lock of the purgatory, on the thread that ended the waiting: a signaller's, the
     * timer's, or the one that called {@code checkAndMaybeWatch}. Does not block.
     */
    protected abstract void onComplete(Completion completion);

    /** Whether the waiting is over. */
    public final boolean isCompleted() {
        return completed.get();
    }

    final long timeoutNs() {
        return timeoutNs;
    }

    /** A test that throws cannot be waited for: the operation counts as satisfied, and completes with an error. */
    final boolean isSatisfiedOrBroken() {
        try {
            return isSatisfied();
        } catch (RuntimeException | Error failure) {
            testFailure = failure;
            return true;
        }
    }

    final @Nullable Throwable testFailure() {
        return testFailure;
    }

    /** True for the one caller that ends the waiting. */
    final boolean claimCompletion() {
        return completed.compareAndSet(false, true);
    }

    final List<WatchList.Watch> watches() {
        return watches;
    }

    final void watches(List<WatchList.Watch> places) {
        watches = places;
    }
}
