package io.tidemark.sim.check;

/**
 * Something that holds after every event of a run. An instance belongs to one run and may remember what it saw, so that it looks
 * at what changed alone.
 */
interface Invariant {
    /** One word; the same in all runs. */
    String name();

    /** Throws {@link Violation} if it does not hold. Called after events that changed something. */
    void afterEvent(Look look);
}
