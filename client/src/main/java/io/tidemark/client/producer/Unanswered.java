package io.tidemark.client.producer;

import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Records without an answer, by the number of flushes that had begun when they were sent. Whoever shares it guards it. Those
 * since the last flush, which are nearly all, are one number, for they are counted twice per record.
 */
final class Unanswered {
    private final NavigableMap<Long, Integer> beforeFlushes = new TreeMap<>();
    private int sinceLastFlush;
    private long flushesBegun;

    /** Counts a record in; answers what {@link #remove} is to be told. */
    long add() {
        sinceLastFlush++;
        return flushesBegun;
    }

    /** Whether that was the last one of its number. */
    boolean remove(long flushesBefore) {
        if (flushesBefore == flushesBegun) {
            sinceLastFlush--;
            return sinceLastFlush == 0;
        }
        return beforeFlushes.merge(flushesBefore, -1, Unanswered::sumOrNone) == null;
    }

    private static @Nullable Integer sumOrNone(Integer count, Integer change) {
        int sum = count + change;
        return sum == 0 ? null : Integer.valueOf(sum);
    }

    /** A flush that begins now waits for what {@link #anyFromBefore} tells of this number. */
    long beginFlush() {
        if (sinceLastFlush > 0) {
            beforeFlushes.put(flushesBegun, sinceLastFlush);
            sinceLastFlush = 0;
        }
        return flushesBegun++;
    }

    boolean anyFromBefore(long flush) {
        return !beforeFlushes.isEmpty() && beforeFlushes.firstKey() <= flush;
    }

    boolean any() {
        return sinceLastFlush > 0 || !beforeFlushes.isEmpty();
    }
}
