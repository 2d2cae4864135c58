package io.tidemark.core.log.segment;

import java.util.function.BooleanSupplier;

/**
 * What to look for in one segment.
 *
 * @param timestampMs records whose timestamp is at least this
 * @param startOffset only records at or above this
 * @param boundOffset only records below this
 * @param availableBytes bytes of the segment that are published
 * @param isWanted asked now and then; no ends the search
 */
public record TimeRequest(
        long timestampMs, long startOffset, long boundOffset, int availableBytes, BooleanSupplier isWanted) {}
