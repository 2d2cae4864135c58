package io.tidemark.sim.check;

/** What becomes of a topic's old records. */
public enum Cleanup {
    /** They go from the front. */
    DELETE,
    /** They go when a later record has their key. */
    COMPACT
}
