package io.tidemark.checker;

import io.tidemark.history.Operation;
import java.util.List;

/**
 * Two values of a key that somebody sent or polled one behind the other, both with a place in the log.
 *
 * @param before the operation of the first, the same as {@code after} inside one operation
 */
record Pair(KeyLog log, Operation before, int beforeId, Operation after, int afterId) {
    /** How many skipped values a case names; there may be millions. */
    static final int MAX_NAMED = 100;

    /** The distance in the log: 1 for neighbours, below 1 for back or again. */
    int delta() {
        return log.lastRank(afterId) - log.lastRank(beforeId);
    }

    boolean isSkip() {
        return delta() > 1;
    }

    boolean isBack() {
        return delta() < 1;
    }

    /** What is between the two. */
    Facts skipped() {
        Facts place = isOfOneOperation() ? place().with("values", values()) : place();
        return place.with("skipped", log.valuesBetween(log.lastRank(beforeId) + 1, log.lastRank(afterId), MAX_NAMED));
    }

    /** Which two clash, and by how much. */
    Facts back() {
        return place().with("values", values()).with("delta", delta());
    }

    private boolean isOfOneOperation() {
        return before.index() == after.index();
    }

    private Facts place() {
        Facts key = Facts.of("key", log.key());
        return isOfOneOperation()
                ? key.with("op", after.index())
                : key.with("ops", List.of(before.index(), after.index()));
    }

    private List<Long> values() {
        return List.of(log.value(beforeId), log.value(afterId));
    }
}
