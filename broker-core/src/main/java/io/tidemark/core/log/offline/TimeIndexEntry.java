package io.tidemark.core.log.offline;

/**
 * An entry of a time index.
 *
 * @param timestampMs largest timestamp of the segment up to that batch
 * @param relativeOffset last offset of the first batch that holds it, minus the segment's base
 */
public record TimeIndexEntry(long timestampMs, int relativeOffset) {}
