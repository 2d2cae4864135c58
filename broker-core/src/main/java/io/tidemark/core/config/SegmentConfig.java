package io.tidemark.core.config;

import java.time.Duration;

/**
 * When a log begins a new segment, and how its indexes are spaced. Keys of a topic in parentheses.
 *
 * @param bytes a segment is rolled before it would grow beyond this ({@code segment.bytes})
 * @param age a segment is rolled when the time of a record is so far beyond that of its first ({@code segment.ms})
 * @param jitter up to so much is taken off {@code age}, another part for each segment, so that logs do not all roll at once
 *     ({@code segment.jitter.ms}); not above {@code age}
 * @param indexIntervalBytes log bytes between two index entries ({@code index.interval.bytes})
 * @param indexMaxBytes largest file of either index; rounded down to whole entries of 8; a segment is rolled when one is full
 */
public record SegmentConfig(int bytes, Duration age, Duration jitter, int indexIntervalBytes, int indexMaxBytes) {
    private static final int INDEX_ENTRY_BYTES = 8;

    /** What a broker without any configured value uses. */
    public static final SegmentConfig DEFAULTS =
            new SegmentConfig(1 << 30, Duration.ofDays(7), Duration.ZERO, 4096, 10 << 20);

    /** Refuses what makes no log. */
    public SegmentConfig {
        if (bytes <= 0 || indexMaxBytes < INDEX_ENTRY_BYTES || indexIntervalBytes < 0) {
            throw new IllegalArgumentException("a segment and its index have room, index entries a distance: " + bytes
                    + ", " + indexMaxBytes + ", " + indexIntervalBytes);
        }
        if (age.isZero() || age.isNegative() || jitter.isNegative()) {
            throw new IllegalArgumentException("the age of a segment is positive, its jitter not negative");
        }
        indexMaxBytes -= indexMaxBytes % INDEX_ENTRY_BYTES;
    }

    /** The same with another size. */
    public SegmentConfig withBytes(int limitBytes) {
        return new SegmentConfig(limitBytes, age, jitter, indexIntervalBytes, indexMaxBytes);
    }

    /** The same with another age and jitter. */
    public SegmentConfig withAge(Duration limit, Duration spread) {
        return new SegmentConfig(bytes, limit, spread, indexIntervalBytes, indexMaxBytes);
    }

    /** The same with another spacing of index entries and another largest index. */
    public SegmentConfig withIndex(int intervalBytes, int maxBytes) {
        return new SegmentConfig(bytes, age, jitter, intervalBytes, maxBytes);
    }
}
