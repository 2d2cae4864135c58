package io.tidemark.core.log.cleaner;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.core.config.SegmentConfig;
import io.tidemark.core.log.cleaner.SegmentGroups.Part;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SegmentGroupsTest {
    private static final SegmentConfig LIMITS =
            SegmentConfig.DEFAULTS.withBytes(100).withIndex(1, 80);

    // Scenario 21: groups by size
    // Fails if: fits ignores the bytes.
    @Test
    void shouldJoinWhatFitsOneSegment() {
        // given
        List<Part> parts = List.of(new Part(0, 40, 1), new Part(10, 60, 1), new Part(20, 1, 1), new Part(30, 500, 1));

        // then
        assertThat(SegmentGroups.runs(parts, 40, LIMITS)).containsExactly(2, 1, 1);
        assertThat(SegmentGroups.runs(List.of(), 0, LIMITS)).isEmpty();
    }

    // Scenario 21: groups by index
    // Fails if: fits ignores the index.
    @Test
    void shouldNotJoinMoreThanOneIndexHolds() {
        // given
        List<Part> parts = List.of(new Part(0, 1, 5), new Part(10, 1, 5), new Part(20, 1, 1));

        // then
        assertThat(SegmentGroups.runs(parts, 30, LIMITS)).containsExactly(2, 1);
    }

    // KAFKA-4451, scenario 21: relative offsets fit 31 bits
    // Fails if: fits compares with the last part's base instead of its end.
    @Test
    void shouldNotJoinBeyondTheRangeOfRelativeOffsets() {
        // given
        List<Part> parts = List.of(new Part(0, 1, 1), new Part(10, 1, 1));

        // then
        assertThat(SegmentGroups.runs(parts, 1L << 31, LIMITS)).containsExactly(2);
        assertThat(SegmentGroups.runs(parts, (1L << 31) + 1, LIMITS)).containsExactly(1, 1);
    }

    // Scenario 21: empty segments cost nothing but offsets, and sparse ones may lie far apart
    // Fails if: an empty segment is a group of its own, or counts for one byte.
    @Test
    void shouldJoinEmptyAndSparseSegments() {
        // given: the second one fills the bytes and the index alone
        List<Part> parts = List.of(
                new Part(0, 0, 0), new Part(10, 100, 10), new Part(1_000_000_000, 0, 0), new Part(2_000_000_000, 0, 0));

        // then
        assertThat(SegmentGroups.runs(parts, 1L << 31, LIMITS)).containsExactly(4);
        assertThat(SegmentGroups.runs(parts, (1L << 31) + 1, LIMITS)).containsExactly(3, 1);
    }
}
