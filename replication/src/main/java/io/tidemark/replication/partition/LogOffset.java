package io.tidemark.replication.partition;

/**
 * An offset of the local log with its position.
 *
 * @param offset first offset that is not included
 * @param position bytes since the first segment (DESIGN section 4), or {@link #UNKNOWN_POSITION}
 */
record LogOffset(long offset, long position) {
    /** Nobody asked for the position. */
    static final long UNKNOWN_POSITION = -1;
}
