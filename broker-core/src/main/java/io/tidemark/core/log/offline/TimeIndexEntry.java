package io.tidemark.core.log.offline;

/**
 * An entry of a time index.
 *
 * @param timestampMs largest timestamp of the segment up to that batch
 * @param lastOffset of the first batch that holds it
 */
public record TimeIndexEntry(long timestampMs, long lastOffset) {}
