package io.tidemark.core.config;

/** When appended records are forced to disk ({@code log.flush.mode}, DESIGN section 5). */
public enum FlushMode {
    /** A record counts once it is in the page cache; the disk is forced in the background. */
    ASYNC,
    /** A record counts, for the high watermark and for acknowledgements, once it is forced. */
    SYNC
}
