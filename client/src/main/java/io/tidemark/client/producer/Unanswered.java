package io.tidemark.client.producer;

import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Records without an answer, by the number of flushes that had begun when they were sent. Whoever shares it guards it. */
final class Unanswered {
    private final NavigableMap<Long, Integer> counts = new TreeMap<>();
    private long flushesBegun;

    /** Counts a record in; answers what {@link #remove} is to be told. */
    long add() {
        counts.merge(flushesBegun, 1, Integer::sum);
        return flushesBegun;
    }

    /** Whether that was the last one of its number. */
    boolean remove(long flushesBefore) {
        return counts.merge(flushesBefore, -1, Unanswered::sumOrNone) == null;
    }

    private static @Nullable Integer sumOrNone(Integer count, Integer change) {
        int sum = count + change;
        return sum == 0 ? null : Integer.valueOf(sum);
    }

    /** A flush that begins now waits for what {@link #anyFromBefore} tells of this number. */
    long beginFlush() {
        return flushesBegun++;
    }

    boolean anyFromBefore(long flush) {
        return any() && counts.firstKey() <= flush;
    }

    boolean any() {
        return !counts.isEmpty();
    }
}
