package io.tidemark.bench.logs;

/**
 * The settings of a measured log that differ from those of a broker without any: index entries every 4 KiB, no forced flush.
 *
 * @param segmentBytes size at which a segment is rolled
 * @param policy what happens to old records
 */
record LogShape(int segmentBytes, Policy policy) {
    /** {@code cleanup.policy}. */
    enum Policy {
        DELETE,
        COMPACT
    }
}
