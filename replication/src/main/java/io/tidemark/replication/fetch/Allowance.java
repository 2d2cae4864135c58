package io.tidemark.replication.fetch;

/** How a leader's throttle lets one follower have one partition. */
enum Allowance {
    /** It is not throttled. */
    FREE,
    /** There are tokens: what it gets is counted. */
    COUNTED,
    /** There are none: it gets no data now. Errors, high watermark and log start are told as ever. */
    HELD
}
