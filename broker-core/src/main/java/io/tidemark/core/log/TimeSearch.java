package io.tidemark.core.log;

import java.util.function.BooleanSupplier;

/**
 * A question for the first record at or after a time.
 *
 * @param timestampMs records whose timestamp is at least this, in milliseconds since 1970
 * @param boundOffset only records below this
 * @param isWanted asked now and then while the log is walked: the search is given up once it says no. Thread-safe, does
 *     not block
 */
public record TimeSearch(long timestampMs, long boundOffset, BooleanSupplier isWanted) {
    /** What a search came to. */
    public sealed interface Result {}

    /** The first record that qualifies. */
    public record Found(long offset) implements Result {}

    /** No record qualifies. */
    public record None() implements Result {}

    /** Nobody wanted the answer any more. */
    public record GivenUp() implements Result {}
}
