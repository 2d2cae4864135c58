package io.tidemark.coordination.cluster;

import java.util.Comparator;

/**
 * How far a log goes; the greater one holds more of what was agreed on.
 *
 * @param lastEpoch leader epoch of the last batch, -1 for an empty or absent log
 * @param endOffset log end offset
 */
public record LogEnd(int lastEpoch, long endOffset) implements Comparable<LogEnd> {
    /** An empty or absent log. */
    public static final LogEnd EMPTY = new LogEnd(-1, 0);

    private static final Comparator<LogEnd> ORDER =
            Comparator.comparingInt(LogEnd::lastEpoch).thenComparingLong(LogEnd::endOffset);

    @Override
    public int compareTo(LogEnd other) {
        return ORDER.compare(this, other);
    }
}
