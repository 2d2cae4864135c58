package io.tidemark.history;

/**
 * An operation from its beginning to its end.
 *
 * @param outcome {@link Phase#OK}, {@link Phase#FAIL} or {@link Phase#INFO}, the last also where no end is on record
 * @param invokedAt the index of the event that began it
 * @param completedAt the index of the event that ended it, or {@link #NEVER}
 * @param action what it did as the end tells it, or as the beginning does where there is no end
 */
public record Operation(int process, Phase outcome, long invokedAt, long completedAt, Action action) {
    /** Later than every index. */
    public static final long NEVER = Long.MAX_VALUE;

    public boolean isOk() {
        return outcome == Phase.OK;
    }

    /** The index by which verdicts name it: that of its end, or of its beginning where there is no end. */
    public long index() {
        return completedAt == NEVER ? invokedAt : completedAt;
    }
}
