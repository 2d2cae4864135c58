package io.tidemark.core.log.cleaner;

/** What a step of something long came to. */
enum Outcome {
    /** There is more to do. */
    MORE,
    /** All is done. */
    DONE,
    /** The log was closed, or changed under it; nothing is wrong. */
    ABORTED
}
