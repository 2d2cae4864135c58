package io.tidemark.core.purgatory;

import io.tidemark.core.metrics.PurgatoryMetrics;
import io.tidemark.core.runtime.Invariant;
import io.tidemark.core.runtime.TaskFailureHandler;
import io.tidemark.model.ErrorCode;
import io.tidemark.runtime.Clock;
import io.tidemark.runtime.Scheduler;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * Where operations wait until a number is reached (DESIGN section 4).
 *
 * <p>No wake-up is lost (S23, I19): a waiter tests its numbers and enters the watch list in one step under the list's
 * lock; a signaller first writes the number, which is volatile, and then calls {@link #signal}, which takes the lock.
 * Whichever comes second sees the other. Each operation completes exactly once (S25), with {@link
 * DelayedOperation#onComplete} called outside all locks, and leaves every list and the timer at once (S42, KNOWN_BUGS
 * 19). A key that nobody watches uses no memory.
 *
 * <p>Thread-safe; nothing here blocks. A callback that throws is handed to the {@link TaskFailureHandler} and stops
 * neither the signaller nor the other waiters.
 *
 * @param <K> what operations watch, with equals and hashCode: a partition, a fetch session
 * @param <O> the operations
 */
public final class Purgatory<K, O extends DelayedOperation> {
    private final String name;
    private final TaskFailureHandler failures;
    private final PurgatoryMetrics metrics;
    private final ExpiryTimer timer;
    private final ConcurrentHashMap<K, WatchList> lists = new ConcurrentHashMap<>();
    private final AtomicInteger watched = new AtomicInteger();

    /**
     * @param name for failures that are handed on
     */
    public Purgatory(
            String name, Clock clock, Scheduler scheduler, TaskFailureHandler failures, PurgatoryMetrics metrics) {
        this.name = name;
        this.failures = failures;
        this.metrics = metrics;
        this.timer = new ExpiryTimer(clock, scheduler, operation -> complete(operation, Completion.EXPIRED));
        metrics.watch(this::watched, this::delayed);
    }

    /**
     * Completes the operation at once if it is satisfied, else lets it wait under all {@code keys}, each distinct, and
     * for no longer than its timeout (S22). With no keys it waits for its timeout or its cancellation alone.
     *
     * @return whether it was completed before this returned, by this call or by somebody else
     */
    public boolean checkAndMaybeWatch(O operation, Collection<? extends K> keys) {
        Invariant.check(operation.watches().isEmpty(), "an operation waits once");
        List<K> distinct = List.copyOf(new LinkedHashSet<>(keys));
        List<WatchList.Watch> watches = new ArrayList<>(distinct.size());
        distinct.forEach(key -> watches.add(new WatchList.Watch(operation, () -> drop(key))));
        operation.watches(watches);
        if (!operation.isSatisfiedOrBroken() && watchAll(distinct, watches)) {
            timer.add(operation);
            // Somebody who completed it while it was being added may have missed a place that was taken later.
            if (operation.isCompleted()) {
                release(operation);
            }
        } else {
            complete(operation, Completion.SATISFIED);
            release(operation);
        }
        return operation.isCompleted();
    }

    /** Takes all places; false if the operation turned out to be satisfied on the way (S24). */
    private boolean watchAll(List<K> keys, List<WatchList.Watch> watches) {
        for (int i = 0; i < keys.size(); i++) {
            WatchList.Outcome outcome = watch(keys.get(i), watches.get(i));
            if (outcome == WatchList.Outcome.SATISFIED) {
                return false;
            }
            if (outcome == WatchList.Outcome.COMPLETED) {
                break;
            }
        }
        return true;
    }

    private WatchList.Outcome watch(K key, WatchList.Watch watch) {
        while (true) {
            WatchList list = lists.computeIfAbsent(key, missing -> new WatchList());
            WatchList.Outcome outcome = list.addUnlessSatisfied(watch);
            if (outcome == WatchList.Outcome.ADDED) {
                watched.incrementAndGet();
                return outcome;
            }
            if (list.isDead()) {
                lists.remove(key, list);
            }
            if (outcome != WatchList.Outcome.DEAD) {
                return outcome;
            }
        }
    }

    /**
     * Completes the operations under {@code key} that are satisfied now. The caller has written the number before, and
     * holds no lock that {@link DelayedOperation#onComplete} might need.
     *
     * @return how many this call completed
     */
    public int signal(K key) {
        return completeSelected(key, DelayedOperation::isSatisfiedOrBroken, Completion.SATISFIED);
    }

    /**
     * Fails all operations under {@code key}: leadership lost, partition stopped, log failed (S38, KNOWN_BUGS 20). The
     * caller has made {@link DelayedOperation#isSatisfied()} true for those that come later, or refuses them before.
     *
     * @return how many this call completed
     */
    public int completeAll(K key, ErrorCode error) {
        return completeSelected(key, operation -> true, Completion.failed(error));
    }

    /**
     * Ends the waiting of an operation whose caller has vanished.
     *
     * @return whether this call completed it
     */
    public boolean cancel(O operation) {
        return complete(operation, Completion.CANCELLED);
    }

    /** Places in watch lists. */
    public int watched() {
        return watched.get();
    }

    /** Operations that wait. */
    public int delayed() {
        return timer.size();
    }

    /** Keys that are watched. */
    public int watchedKeys() {
        return lists.size();
    }

    private int completeSelected(K key, Predicate<DelayedOperation> test, Completion completion) {
        WatchList list = lists.get(key);
        if (list == null) {
            return 0;
        }
        int count = 0;
        for (DelayedOperation operation : list.select(test)) {
            count += complete(operation, completion) ? 1 : 0;
        }
        return count;
    }

    private boolean complete(DelayedOperation operation, Completion completion) {
        if (!operation.claimCompletion()) {
            return false;
        }
        release(operation);
        Throwable broken = operation.testFailure();
        Completion actual = broken == null ? completion : Completion.failed(ErrorCode.UNKNOWN_SERVER_ERROR);
        count(actual.ending());
        try {
            operation.onComplete(actual);
        } catch (RuntimeException | Error failure) {
            failures.onTaskFailure(name, failure);
        }
        if (broken != null) {
            failures.onTaskFailure(name, broken);
        }
        return true;
    }

    private void count(Completion.Ending ending) {
        switch (ending) {
            case SATISFIED -> metrics.satisfied();
            case EXPIRED -> metrics.expired();
            case CANCELLED -> metrics.cancelled();
            case FAILED -> metrics.failed();
        }
    }

    private void release(DelayedOperation operation) {
        timer.remove(operation);
        for (WatchList.Watch watch : operation.watches()) {
            if (watch.leave()) {
                watched.decrementAndGet();
            }
        }
    }

    private void drop(K key) {
        lists.computeIfPresent(key, (same, list) -> list.isDead() ? null : list);
    }
}
