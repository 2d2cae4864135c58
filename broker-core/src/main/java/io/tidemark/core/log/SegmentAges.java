package io.tidemark.core.log;

import io.tidemark.core.config.SegmentConfig;
import io.tidemark.core.log.segment.Segment;
import io.tidemark.runtime.Randomness;
import org.jspecify.annotations.Nullable;

/**
 * How much later than its first record the records of an active segment may be: {@code segment.ms}, less a part of {@code
 * segment.jitter.ms} that is drawn once for each segment, so that logs that began together do not roll together. Nothing is
 * drawn without a jitter. Guarded by the log's lock.
 */
final class SegmentAges {
    private final Randomness randomness;
    private @Nullable Segment drawnFor;
    private long draw;

    SegmentAges(Randomness randomness) {
        this.randomness = randomness;
    }

    /** The limit of the active segment, by the settings of this moment. */
    long limitMs(Segment active, SegmentConfig config) {
        long ageMs = config.age().toMillis();
        long jitterMs = Math.min(config.jitter().toMillis(), ageMs);
        if (jitterMs == 0) {
            return ageMs;
        }
        if (drawnFor != active) {
            drawnFor = active;
            draw = randomness.nextLong();
        }
        return ageMs - Math.floorMod(draw, jitterMs);
    }
}
