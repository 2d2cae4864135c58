package io.tidemark.checker;

/** Some ranks of a log, and how many of them lie between two others, in constant time. Immutable. */
final class RankCounts {
    static final RankCounts NONE = new RankCounts(new boolean[0]);

    private final int[] before;

    /** For each rank whether it counts. */
    RankCounts(boolean[] counted) {
        before = new int[counted.length + 1];
        for (int rank = 0; rank < counted.length; rank++) {
            before[rank + 1] = before[rank] + (counted[rank] ? 1 : 0);
        }
    }

    /** How many ranks count from {@code from} on and below {@code to}. */
    int between(int from, int to) {
        return to <= from ? 0 : before[to] - before[from];
    }
}
