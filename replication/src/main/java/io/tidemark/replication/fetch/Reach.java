package io.tidemark.replication.fetch;

/** What one pass of a fetch may read where it runs. */
enum Reach {
    /** Everything. */
    ALL,
    /** What lies near its log's end; the rest is THROTTLED: it would have to wait for a disk, and there is no room to wait in. */
    HOT_ONLY
}
