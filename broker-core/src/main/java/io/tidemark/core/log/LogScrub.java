package io.tidemark.core.log;

import io.tidemark.core.log.segment.BadStretch;
import io.tidemark.core.log.segment.Examination;
import io.tidemark.core.log.segment.Segment;
import io.tidemark.record.InvalidBatchException;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the sealed segments of one log, a stretch at a time, without its lock. What vanishes or becomes active meanwhile is
 * passed over; so is a segment that cannot be read: whoever needs it meets the same error. For one scrubber.
 */
final class LogScrub {
    private static final Logger LOG = LoggerFactory.getLogger(LogScrub.class);
    private static final Scrubbed AT_THE_END = new Scrubbed(Optional.empty(), 0, Optional.empty());

    private final LogState state;

    /** What the last point that was handed out says anything about. */
    private @Nullable Segment entered;

    private long truncationsThen;

    LogScrub(LogState state) {
        this.state = state;
    }

    Scrubbed scrub(ScrubPoint from, int maxBytes) {
        long truncations = state.truncations();
        LogView view = state.lastView();
        Segment segment = state.isClosed() ? null : sealedFrom(view, from.segmentBase());
        if (segment == null) {
            return AT_THE_END;
        }
        ScrubPoint at = isStillRight(segment, truncations, from) ? from : ScrubPoint.frontOf(segment.base());
        entered = segment;
        truncationsThen = truncations;
        try {
            Examination.Finding finding = segment.examine(new Examination(
                    at.position(),
                    at.lastBefore(),
                    Long.MAX_VALUE,
                    maxBytes,
                    segment.sizeBytes(),
                    view.upperOffset(segment),
                    state.health.expectation(view, state.config())));
            return finding == null || state.truncations() != truncations
                    ? behind(segment)
                    : settled(view, segment, at, finding, truncations);
        } catch (IOException | InvalidBatchException e) {
            if (state.truncations() == truncations) {
                LOG.error("{} cannot be read and is not checked", segment, e);
            }
            return behind(segment);
        }
    }

    /** A segment that was written anew, or cut and filled again, has its name and not its positions. */
    private boolean isStillRight(Segment segment, long truncations, ScrubPoint from) {
        return segment.base() == from.segmentBase() && segment == entered && truncations == truncationsThen;
    }

    private Scrubbed settled(
            LogView view, Segment segment, ScrubPoint at, Examination.Finding finding, long truncations) {
        state.health.learn(segment, finding);
        BadStretch bad = finding.bad();
        if (bad == null) {
            ScrubPoint next = new ScrubPoint(segment.base(), finding.nextPosition(), finding.lastOffset());
            return onwards(segment, next, finding.nextPosition() - at.position(), Optional.empty());
        }
        LogDamage damage = LogHealth.damage(segment, bad);
        boolean isNews = state.health.add(view, segment, damage, () -> state.truncations() == truncations);
        ScrubPoint next = new ScrubPoint(segment.base(), bad.behindPosition(), bad.behindOffset() - 1);
        long readBytes = Math.max(0, bad.behindPosition() - at.position());
        return onwards(segment, next, readBytes, isNews ? Optional.of(damage) : Optional.empty());
    }

    private static Scrubbed onwards(Segment segment, ScrubPoint next, long readBytes, Optional<LogDamage> found) {
        boolean isDone = next.position() >= segment.sizeBytes();
        ScrubPoint goesOn = isDone ? ScrubPoint.frontOf(segment.base() + 1) : next;
        return new Scrubbed(Optional.of(goesOn), readBytes, found);
    }

    private static Scrubbed behind(Segment segment) {
        return new Scrubbed(Optional.of(ScrubPoint.frontOf(segment.base() + 1)), 0, Optional.empty());
    }

    private static @Nullable Segment sealedFrom(LogView view, long base) {
        for (Segment segment : view.segments().from(base)) {
            return segment == view.segments().active() ? null : segment;
        }
        return null;
    }
}
