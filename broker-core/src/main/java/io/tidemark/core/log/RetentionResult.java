package io.tidemark.core.log;

import io.tidemark.core.log.LogRetention.Reason;
import java.util.StringJoiner;

/** What one {@link Log#applyRetention} took away, by reason. */
public record RetentionResult(Removed byLogStart, Removed byTime, Removed bySize) {
    /** Nothing went. */
    public static final RetentionResult NOTHING = new RetentionResult(Removed.NONE, Removed.NONE, Removed.NONE);

    /** Segments that went, and the bytes of batches in them. */
    public record Removed(int segments, long sizeBytes) {
        static final Removed NONE = new Removed(0, 0);

        private Removed plus(long segmentBytes) {
            return new Removed(segments + 1, sizeBytes + segmentBytes);
        }
    }

    /** What went for that reason. */
    public Removed removed(Reason reason) {
        return switch (reason) {
            case LOG_START -> byLogStart;
            case TIME -> byTime;
            case SIZE -> bySize;
        };
    }

    /** Whether no segment went. */
    public boolean isNothing() {
        return equals(NOTHING);
    }

    /** For people. */
    @Override
    public String toString() {
        StringJoiner text = new StringJoiner(", ");
        text.setEmptyValue("nothing went");
        for (Reason reason : Reason.values()) {
            Removed removed = removed(reason);
            if (removed.segments() > 0) {
                text.add(
                        removed.segments() + " segments (" + removed.sizeBytes() + " bytes) went by " + reason.label());
            }
        }
        return text.toString();
    }

    /** This and one more segment. */
    RetentionResult plus(Reason reason, long segmentBytes) {
        return switch (reason) {
            case LOG_START -> new RetentionResult(byLogStart.plus(segmentBytes), byTime, bySize);
            case TIME -> new RetentionResult(byLogStart, byTime.plus(segmentBytes), bySize);
            case SIZE -> new RetentionResult(byLogStart, byTime, bySize.plus(segmentBytes));
        };
    }
}
