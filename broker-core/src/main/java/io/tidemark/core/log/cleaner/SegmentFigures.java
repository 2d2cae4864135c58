package io.tidemark.core.log.cleaner;

/**
 * What the planner knows of a segment.
 *
 * @param base first offset that may be in it
 * @param sizeBytes bytes in it
 * @param firstTimestampMs of its first batch, -1 if there is none or nobody asked
 * @param largestTimestampMs of its batches, -1 if there is none
 */
record SegmentFigures(long base, int sizeBytes, long firstTimestampMs, long largestTimestampMs) {}
