package io.tidemark.core.log;

import io.tidemark.core.log.segment.BadStretch;
import io.tidemark.core.log.segment.Examination;
import io.tidemark.core.log.segment.Segment;
import io.tidemark.core.log.segment.SegmentRequest;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.record.InvalidBatchException;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds out what a read met that it could not make sense of: a damage, gaps that are as they should be, or nothing. Slow and
 * seldom; takes no lock of the log.
 */
final class LogExaminer {
    private final LogState state;

    LogExaminer(LogState state) {
        this.state = state;
    }

    /**
     * What came of an examination.
     *
     * @param damage that was found, known before or not
     * @param isNews whether something is known now that was not, so that the read is worth another attempt
     */
    record Diagnosis(Optional<LogDamage> damage, boolean isNews) {}

    /**
     * Examines the segment from well in front of {@code offset} to behind it, and has the log remember what is bad.
     *
     * @param truncations before the view was taken; if there were more since, nothing is remembered
     */
    Diagnosis diagnose(LogView view, Segment segment, long offset, long truncations) throws IOException {
        Examination.Finding finding = examine(view, segment, offset, truncations);
        BadStretch bad = finding == null ? null : finding.bad();
        if (finding == null || state.truncations() != truncations) {
            return new Diagnosis(Optional.empty(), true);
        }
        boolean isTaught = state.health.learn(segment, finding);
        if (bad == null) {
            return new Diagnosis(Optional.empty(), isTaught);
        }
        LogDamage damage = LogHealth.damage(segment, bad);
        return new Diagnosis(
                Optional.of(damage), state.health.add(view, segment, damage, () -> state.truncations() == truncations));
    }

    /** Null if the log was truncated or the segment removed meanwhile. */
    private Examination.@Nullable Finding examine(LogView view, Segment segment, long offset, long truncations)
            throws IOException {
        try {
            return segment.examine(around(view, segment, offset));
        } catch (InvalidBatchException e) {
            if (state.truncations() != truncations) {
                return null;
            }
            throw new IOException("a read of " + segment + " came short of what is there", e);
        }
    }

    /** As {@link #diagnose}; whether another attempt is worth while. */
    boolean learn(LogView view, Segment segment, long offset, long truncations) {
        try {
            return diagnose(view, segment, offset, truncations).isNews();
        } catch (IOException e) {
            throw new KafkaStorageException("read", state.space.directory(), e);
        }
    }

    /** Asks the segment for the position of an offset, past what is known to be bad. */
    SegmentRequest locating(LogView view, Segment segment, long offset) {
        LogDamage ahead = state.health.notBefore(segment, offset);
        return SegmentRequest.locating(
                offset,
                ahead == null ? view.publishedBytes(segment) : ahead.position(),
                startBehind(state.health.before(segment, offset)));
    }

    /** Where reading goes on behind a damage; the front of the segment if there is none. */
    static int startBehind(@Nullable LogDamage damage) {
        return damage == null ? 0 : damage.behindPosition();
    }

    private Examination around(LogView view, Segment segment, long offset) throws IOException {
        int indexed = segment.examinationStart(offset);
        LogDamage passed = state.health.before(segment, offset);
        boolean isBehind = passed != null && passed.behindPosition() > indexed;
        return new Examination(
                isBehind ? startBehind(passed) : indexed,
                passed != null && isBehind ? passed.behindOffset() - 1 : Examination.UNKNOWN,
                offset,
                Integer.MAX_VALUE,
                view.publishedBytes(segment),
                view.upperOffset(segment),
                state.health.expectation(view, state.config()));
    }
}
