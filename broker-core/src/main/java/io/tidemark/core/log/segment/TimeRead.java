package io.tidemark.core.log.segment;

/**
 * What a search by time came to in one segment.
 *
 * @param offset of the first record that qualifies; -1 unless one was found
 */
public record TimeRead(Outcome outcome, long offset) {
    static final TimeRead NOT_HERE = new TimeRead(Outcome.NOT_HERE, -1);
    static final TimeRead AT_BOUND = new TimeRead(Outcome.AT_BOUND, -1);
    static final TimeRead GIVEN_UP = new TimeRead(Outcome.GIVEN_UP, -1);

    /** How it ended. */
    public enum Outcome {
        FOUND,
        /** No record of this segment qualifies; one of the next may. */
        NOT_HERE,
        /** The bound was reached: no record below it qualifies. */
        AT_BOUND,
        /** Nobody wanted the answer any more. */
        GIVEN_UP
    }

    static TimeRead found(long offset) {
        return new TimeRead(Outcome.FOUND, offset);
    }
}
