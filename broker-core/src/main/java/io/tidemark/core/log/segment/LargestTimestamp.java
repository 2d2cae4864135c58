package io.tidemark.core.log.segment;

/**
 * An upper bound of the timestamps in one segment, so that a search by time can pass it: what was appended since it was
 * opened is counted, what it held before is learned by the first walk over it. Kept in memory only.
 *
 * <p>A truncation leaves it: a bound may be too high, never too low. Appends come from one writer, all else from any
 * thread. A walk that runs beside appends and truncations teaches no wrong thing, for it covers whatever is left of the
 * bytes that were there at the opening.
 */
final class LargestTimestamp {
    private static final long UNKNOWN = Long.MAX_VALUE;
    private static final long NONE = Long.MIN_VALUE;

    private volatile long heldMs;
    private volatile long appendedMs = NONE;

    private LargestTimestamp(long heldMs) {
        this.heldMs = heldMs;
    }

    /** Of a segment without a batch. */
    static LargestTimestamp ofNothing() {
        return new LargestTimestamp(NONE);
    }

    /** Of a segment whose batches nobody has looked at. */
    static LargestTimestamp unknown() {
        return new LargestTimestamp(UNKNOWN);
    }

    /** Whether a record at or after {@code timestampMs} may be there. */
    boolean mayReach(long timestampMs) {
        return heldMs >= timestampMs || appendedMs >= timestampMs;
    }

    /** Whether no batch is left that nobody has looked at. */
    boolean isKnown() {
        return heldMs != UNKNOWN;
    }

    /** The bound itself, once it {@linkplain #isKnown is known}; -1 if no batch has a time. */
    long ms() {
        return Math.max(-1, Math.max(heldMs, appendedMs));
    }

    /** Batches up to {@code timestampMs} are about to be published. */
    void appended(long timestampMs) {
        if (timestampMs > appendedMs) {
            appendedMs = timestampMs;
        }
    }

    /** A walk over all published batches found none above {@code timestampMs}. */
    void walked(long timestampMs) {
        if (timestampMs < heldMs) {
            heldMs = timestampMs;
        }
    }
}
