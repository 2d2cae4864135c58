package io.tidemark.sim;

import io.tidemark.sim.check.Violation;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** The oracle: each acknowledged record with the offset that it was acknowledged at. A disaster may excuse that another takes its place. */
public final class AckedRecords {
    private final Excused excused;
    private final SortedMap<Long, String> byOffset = new TreeMap<>();

    /** Which records a disaster took in a way that nobody promised to prevent. */
    @FunctionalInterface
    interface Excused {
        boolean isExcused(long offset, String value);
    }

    AckedRecords(Excused excused) {
        this.excused = excused;
    }

    void add(long offset, String value) {
        String before = byOffset.get(offset);
        if (before == null || before.equals(value) || excused.isExcused(offset, before)) {
            byOffset.put(offset, value);
        } else if (!excused.isExcused(offset, value)) {
            throw new Violation(
                    "AckedOnce", "offset " + offset + " was acknowledged for " + before + " and for " + value);
        }
    }

    public SortedMap<Long, String> all() {
        return Collections.unmodifiableSortedMap(byOffset);
    }
}
