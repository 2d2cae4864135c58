package io.tidemark.core.log.offline;

/**
 * An entry of an offset index.
 *
 * @param lastOffset of the batch that it points to
 * @param position where that batch starts in the log file
 */
public record IndexEntry(long lastOffset, int position) {}
