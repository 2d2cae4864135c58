package io.tidemark.core.log;

import io.tidemark.core.config.CompactionConfig;
import io.tidemark.core.config.LogConfig;
import io.tidemark.core.log.segment.Segment;
import io.tidemark.runtime.Randomness;
import org.jspecify.annotations.Nullable;

/**
 * How much later than its first record the records of an active segment may be: {@code segment.ms}, less a part of {@code
 * segment.jitter.ms} that is drawn once for each segment, so that logs that began together do not roll together. Nothing is
 * drawn without a jitter. In a compacted log no segment gets older than {@code max.compaction.lag.ms}: what is in the active one
 * cannot be compacted. Guarded by the log's lock.
 */
final class SegmentAges {
    private final Randomness randomness;
    private @Nullable Segment drawnFor;
    private long draw;

    SegmentAges(Randomness randomness) {
        this.randomness = randomness;
    }

    /** The limit of the active segment, by the settings of this moment. */
    long limitMs(Segment active, LogConfig config) {
        long ageMs = longestAgeMs(config);
        long jitterMs = Math.min(config.segments().jitter().toMillis(), ageMs);
        if (jitterMs == 0) {
            return ageMs;
        }
        if (drawnFor != active) {
            drawnFor = active;
            draw = randomness.nextLong();
        }
        return ageMs - Math.floorMod(draw, jitterMs);
    }

    private static long longestAgeMs(LogConfig config) {
        long ageMs = config.segments().age().toMillis();
        CompactionConfig compaction = config.compaction();
        return compaction.policy().compacts()
                ? Math.min(ageMs, compaction.maxLag().toMillis())
                : ageMs;
    }
}
