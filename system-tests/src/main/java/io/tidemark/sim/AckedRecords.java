package io.tidemark.sim;

import io.tidemark.sim.check.Violation;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** The oracle: each acknowledged record with the offset that it was acknowledged at. */
public final class AckedRecords {
    private final SortedMap<Long, String> byOffset = new TreeMap<>();

    void add(long offset, String value) {
        String before = byOffset.put(offset, value);
        if (before != null && !before.equals(value)) {
            throw new Violation(
                    "AckedOnce", "offset " + offset + " was acknowledged for " + before + " and for " + value);
        }
    }

    public SortedMap<Long, String> all() {
        return Collections.unmodifiableSortedMap(byOffset);
    }
}
