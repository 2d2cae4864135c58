package io.tidemark.core.log;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.log.segment.BadStretch;
import io.tidemark.core.log.segment.BatchExpectation;
import io.tidemark.core.log.segment.Examination;
import io.tidemark.core.log.segment.Segment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is known of a log's bad places, so that nobody reads them again, and whether offsets may be missing (DESIGN section 3).
 *
 * <p>Thread-safe; asking takes no lock. A damage belongs to the segment it was found in and goes with it: to retention, a cleaner
 * that writes the segment anew, a truncation.
 */
final class LogHealth {
    /** Bad places that are remembered; others are found again by each reader that meets them. */
    static final int MAX_REMEMBERED = 64;

    private static final Logger LOG = LoggerFactory.getLogger(LogHealth.class);

    /** By first bad offset. */
    private volatile List<Known> known = List.of();

    private volatile boolean hasGaps;
    private volatile boolean hasOtherEpochs;

    private record Known(Segment segment, LogDamage damage) {}

    /** What batches of one view are to be like. */
    private record Expectation(LeaderEpochHistory epochs, boolean isGapless) implements BatchExpectation {
        @Override
        public int epochAt(long lastOffset) {
            return epochs.epochAt(lastOffset);
        }
    }

    /** What a reader of that view checks batches against. */
    BatchExpectation expectation(LogView view, LogConfig config) {
        if (!hasGaps && config.compaction().policy().compacts()) {
            hasGaps = true;
        }
        return new Expectation(hasOtherEpochs ? LeaderEpochHistory.EMPTY : view.epochs(), !hasGaps);
    }

    /**
     * Takes over what sound batches say about the log as a whole: that offsets may be missing, for it, or the one it was copied
     * from, was compacted once; that its history of epochs does not tell.
     *
     * @return whether that is news
     */
    boolean learn(Segment segment, Examination.Finding finding) {
        boolean isNews = (finding.foundGaps() && !hasGaps) || (finding.foundOtherEpochs() && !hasOtherEpochs);
        if (finding.foundOtherEpochs() && !hasOtherEpochs) {
            LOG.warn("{} has batches of other epochs than its history says; theirs count", segment);
        }
        if (finding.foundGaps()) {
            hasGaps = true;
        }
        if (finding.foundOtherEpochs()) {
            hasOtherEpochs = true;
        }
        return isNews;
    }

    /** The first damage of the segment that is not in front of {@code offset}, or null. */
    @Nullable
    LogDamage notBefore(Segment segment, long offset) {
        for (Known each : known) {
            if (each.segment == segment && each.damage.behindOffset() > offset) {
                return each.damage;
            }
        }
        return null;
    }

    /** The last damage of the segment that is in front of {@code offset}, or null: reading may begin behind it. */
    @Nullable
    LogDamage before(Segment segment, long offset) {
        LogDamage last = null;
        for (Known each : known) {
            if (each.segment == segment && each.damage.behindOffset() <= offset) {
                last = each.damage;
            }
        }
        return last;
    }

    /** The first damage in what can be read of the view. */
    Optional<LogDamage> first(LogView view) {
        for (Known each : known) {
            boolean isLive = view.segments().floor(each.segment.base()) == each.segment
                    && each.damage.behindOffset() > view.startOffset()
                    && each.damage.firstBadOffset() < view.end().offset();
            if (isLive) {
                return Optional.of(each.damage);
            }
        }
        return Optional.empty();
    }

    static LogDamage damage(Segment segment, BadStretch bad) {
        return new LogDamage(
                bad.firstOffset(),
                bad.behindOffset(),
                segment.files().log(),
                bad.position(),
                bad.behindPosition(),
                bad.what());
    }

    /**
     * Remembers a damage, and forgets those of segments that are gone.
     *
     * @param view that the segment is part of
     * @param isValid whether the log was not truncated since the bytes were read; asked under this object's monitor, which a
     *     truncation takes after it has counted itself
     * @return whether it is news
     */
    synchronized boolean add(LogView view, Segment segment, LogDamage damage, BooleanSupplier isValid) {
        List<Known> changed = new ArrayList<>(known);
        changed.removeIf(each -> view.segments().floor(each.segment.base()) != each.segment);
        boolean isKnown = changed.stream()
                .anyMatch(each -> each.segment == segment && each.damage.position() == damage.position());
        if (isKnown || changed.size() >= MAX_REMEMBERED || !isValid.getAsBoolean()) {
            return false;
        }
        changed.add(new Known(segment, damage));
        changed.sort(Comparator.comparingLong((Known each) -> each.damage.firstBadOffset()));
        known = List.copyOf(changed);
        LOG.error("{} {}", segment.files().log().getParent(), damage.message());
        return true;
    }

    /** The log was cut at {@code position} of {@code segment}; called after the truncation was counted. */
    synchronized void truncatedAt(Segment segment, int position) {
        known = known.stream()
                .filter(each -> each.segment.base() < segment.base()
                        || (each.segment == segment && each.damage.position() < position))
                .toList();
    }

    /** The log was emptied; called after the truncation was counted. */
    synchronized void emptied() {
        known = List.of();
    }
}
