package io.tidemark.history;

/**
 * One line of a history.
 *
 * @param index rises from line to line; verdicts name operations by the index of their completion
 * @param timeNs since the start of the run, never falling
 * @param process a single-threaded client, which has one operation at a time; one whose operation ended
 *     {@link Phase#INFO} never comes back. {@link #NEMESIS} for faults
 * @param error why it failed or is unknown, or empty
 */
public record HistoryEvent(long index, long timeNs, Phase phase, int process, Action action, String error) {
    /** The process of faults and notes: whoever breaks things. */
    public static final int NEMESIS = -1;
}
