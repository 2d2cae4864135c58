package io.tidemark.core.config;

/** When appended records are forced to disk ({@code log.flush.mode}, DESIGN section 5). */
public enum FlushMode {
    /** A record counts once it is in the page cache; the disk is forced in the background, if at all. */
    ASYNC,
    /**
     * A record counts for the high watermark, and so for acks=all and for consumers, once it is forced on every replica that the
     * high watermark waits for. acks=1 is answered as in async mode: once the leader has it in the page cache.
     */
    SYNC
}
