package io.tidemark.core.log.cleaner;

import io.tidemark.core.config.SegmentConfig;
import io.tidemark.core.log.segment.OffsetIndex;
import java.util.ArrayList;
import java.util.List;

/** Decides which neighbouring segments become one, so that cleaning does not leave ever smaller ones. Pure. */
final class SegmentGroups {
    private SegmentGroups() {}

    /** A segment to be cleaned. */
    record Part(long base, int sizeBytes, int indexEntries) {}

    /**
     * Cuts {@code parts} into runs whose bytes, index and range of offsets fit one segment; a part that exceeds a limit alone is a
     * run of its own.
     *
     * @param endBase base of the segment behind the last part
     * @return the lengths of the runs
     */
    static List<Integer> runs(List<Part> parts, long endBase, SegmentConfig limits) {
        List<Integer> runs = new ArrayList<>();
        int start = 0;
        while (start < parts.size()) {
            int end = start + 1;
            while (end < parts.size() && fits(parts.subList(start, end + 1), endOf(parts, end, endBase), limits)) {
                end++;
            }
            runs.add(end - start);
            start = end;
        }
        return runs;
    }

    private static long endOf(List<Part> parts, int index, long endBase) {
        return index + 1 < parts.size() ? parts.get(index + 1).base() : endBase;
    }

    private static boolean fits(List<Part> run, long endOffset, SegmentConfig limits) {
        long sizeBytes = 0;
        long indexBytes = 0;
        for (Part part : run) {
            sizeBytes += part.sizeBytes();
            indexBytes += (long) part.indexEntries() * OffsetIndex.ENTRY_BYTES;
        }
        long lastDelta = endOffset - 1 - run.get(0).base();
        return sizeBytes <= limits.bytes() && indexBytes <= limits.indexMaxBytes() && lastDelta <= Integer.MAX_VALUE;
    }
}
