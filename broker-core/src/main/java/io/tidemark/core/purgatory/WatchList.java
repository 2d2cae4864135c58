package io.tidemark.core.purgatory;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The operations that watch one key: a doubly linked list, so that a finished one leaves in O(1). Everything in it is
 * guarded by its monitor; it calls nothing but {@link DelayedOperation#isSatisfied()}.
 *
 * <p>A list that has become empty is dead for good: its owner drops it, and whoever still holds it asks for a new one.
 */
final class WatchList {
    /** What became of an attempt to watch. */
    enum Outcome {
        /** The operation is in the list. */
        ADDED,
        /** It is satisfied, and was not added. */
        SATISFIED,
        /** Somebody completed it in the meantime. */
        COMPLETED,
        /** The list is dead. */
        DEAD
    }

    private @Nullable Watch first;
    private @Nullable Watch last;
    private int size;
    private boolean dead;

    /** One operation's place in one list. */
    static final class Watch {
        final DelayedOperation operation;
        private final Runnable onListEmpty;

        /** Set when the place is taken; whoever finishes the operation reads it without a lock. */
        private volatile @Nullable WatchList list;

        private boolean linked;
        private @Nullable Watch previous;
        private @Nullable Watch following;

        /**
         * @param onListEmpty called without a lock when the removal of this place has emptied its list
         */
        Watch(DelayedOperation operation, Runnable onListEmpty) {
            this.operation = operation;
            this.onListEmpty = onListEmpty;
        }

        /**
         * Leaves the list. Idempotent.
         *
         * @return whether it was in one
         */
        boolean leave() {
            WatchList current = list;
            if (current == null) {
                return false;
            }
            boolean emptied;
            synchronized (current) {
                if (!linked) {
                    return false;
                }
                current.unlink(this);
                emptied = current.dead;
            }
            if (emptied) {
                onListEmpty.run();
            }
            return true;
        }
    }

    /** Tests and adds in one step: no signal can fall between the two (S23). */
    synchronized Outcome addUnlessSatisfied(Watch watch) {
        if (dead) {
            return Outcome.DEAD;
        }
        if (watch.operation.isCompleted()) {
            return dieIfEmpty(Outcome.COMPLETED);
        }
        if (watch.operation.isSatisfiedOrBroken()) {
            return dieIfEmpty(Outcome.SATISFIED);
        }
        watch.previous = last;
        if (last == null) {
            first = watch;
        } else {
            last.following = watch;
        }
        last = watch;
        watch.linked = true;
        watch.list = this;
        size++;
        return Outcome.ADDED;
    }

    private Outcome dieIfEmpty(Outcome outcome) {
        dead = size == 0;
        return outcome;
    }

    /** The watching operations that {@code test} picks, in the order in which they came. */
    synchronized List<DelayedOperation> select(Predicate<DelayedOperation> test) {
        List<DelayedOperation> selected = new ArrayList<>();
        for (Watch watch = first; watch != null; watch = watch.following) {
            if (test.test(watch.operation)) {
                selected.add(watch.operation);
            }
        }
        return selected;
    }

    synchronized boolean isDead() {
        return dead;
    }

    private void unlink(Watch watch) {
        if (watch.previous == null) {
            first = watch.following;
        } else {
            watch.previous.following = watch.following;
        }
        if (watch.following == null) {
            last = watch.previous;
        } else {
            watch.following.previous = watch.previous;
        }
        watch.previous = null;
        watch.following = null;
        watch.linked = false;
        size--;
        dead = size == 0;
    }
}
