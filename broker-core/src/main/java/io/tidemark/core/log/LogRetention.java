package io.tidemark.core.log;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.config.RetentionConfig;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Decides which segments at the head of a log go, and why (S36, scenario 9). Pure.
 *
 * <p>Segments go from the front on, up to the first for which there is no reason, so that a log never has a hole:
 *
 * <ul>
 *   <li>{@link Reason#LOG_START}: all of it lies below the log start offset, whatever {@code cleanup.policy} is;
 *   <li>{@link Reason#TIME}: its largest timestamp is more than {@code retention.ms} ago;
 *   <li>{@link Reason#SIZE}: what is left without it is still {@code retention.bytes} or more.
 * </ul>
 *
 * <p>The last two hold only for a policy that deletes. No segment goes that holds an offset at or above the committed bound
 * (I18), for any reason.
 *
 * <p><b>The active segment</b> goes under the same rules as every other, which means as a whole or not at all, and never while
 * it is empty. It is rolled first, so that the log always has an active segment (S48): {@link Decision#takesActive()}.
 *
 * <p><b>Times.</b> A batch may carry no time (-1). A segment in which none has one is taken to be as old as the first
 * segment behind it that has: it was written before that one. If there is none it stays, as far as time goes. A segment of which
 * some batches could not be read is taken to be as old as its latest batch that could, or as the next segment, whichever is later. A segment
 * that is dated in the future keeps itself and what is behind it until that time has passed; how far in the future that can
 * be is limited when records are accepted ({@code message.timestamp.after.max.ms}, KAFKA-14991), so it cannot be for ever.
 */
public final class LogRetention {
    /** Instead of a timestamp: there is none. */
    static final long NO_TIME = -1;

    private final Facts facts;
    private final LogConfig config;
    private final long nowMs;

    /** Why a segment goes. */
    public enum Reason {
        /** It lies below the log start offset: records were deleted, or an earlier pass was interrupted. */
        LOG_START,
        /** Its records are older than {@code retention.ms}. */
        TIME,
        /** The log is larger than {@code retention.bytes}. */
        SIZE;

        /** Its name in metrics. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** All names in metrics. */
        public static List<String> labels() {
            return Arrays.stream(values()).map(Reason::label).toList();
        }
    }

    /**
     * A segment in brief.
     *
     * @param base its name
     * @param sizeBytes of its batches
     * @param largestTimestampMs of its batches, as far as they can be read; {@link #NO_TIME} if none has a time
     * @param hasUnread whether there are batches that could not be read
     */
    record Candidate(long base, long sizeBytes, long largestTimestampMs, boolean hasUnread) {
        /** A sound one. */
        Candidate(long base, long sizeBytes, long largestTimestampMs) {
            this(base, sizeBytes, largestTimestampMs, false);
        }
    }

    /**
     * A log in brief.
     *
     * @param segments in order, the last one active; at least one
     */
    record Facts(List<Candidate> segments, long startOffset, long endOffset, long committedBound) {
        private long endOf(int index) {
            return index + 1 < segments.size() ? segments.get(index + 1).base() : endOffset;
        }

        private boolean isActive(int index) {
            return index + 1 == segments.size();
        }
    }

    /** A segment that goes. */
    record Going(long base, Reason reason) {}

    /**
     * What to do.
     *
     * @param going in order, from the first segment on
     * @param startOffset of the log then, never lower than before
     * @param takesActive whether the last one of those that go is the active one, to be rolled first
     */
    record Decision(List<Going> going, long startOffset, boolean takesActive) {
        /** Why the segment of that base goes; {@link Reason#LOG_START} if it was not asked about. */
        Reason reasonFor(long base) {
            return going.stream()
                    .filter(segment -> segment.base() == base)
                    .map(Going::reason)
                    .findFirst()
                    .orElse(Reason.LOG_START);
        }
    }

    private LogRetention(Facts facts, LogConfig config, long nowMs) {
        this.facts = facts;
        this.config = config;
        this.nowMs = nowMs;
    }

    /** @param nowMs by the wall clock, as record times are */
    static Decision decide(Facts facts, LogConfig config, long nowMs) {
        return new LogRetention(facts, config, nowMs).decide();
    }

    private Decision decide() {
        long[] timesMs = times();
        long leftBytes =
                facts.segments().stream().mapToLong(Candidate::sizeBytes).sum();
        List<Going> going = new ArrayList<>();
        long startOffset = facts.startOffset();
        for (int i = 0; i < facts.segments().size(); i++) {
            Candidate segment = facts.segments().get(i);
            leftBytes -= segment.sizeBytes();
            Reason reason = mayGo(i) ? reason(facts.endOf(i), timesMs[i], leftBytes) : null;
            if (reason == null) {
                break;
            }
            going.add(new Going(segment.base(), reason));
            startOffset = Math.max(startOffset, facts.endOf(i));
        }
        return new Decision(
                List.copyOf(going),
                startOffset,
                going.size() == facts.segments().size());
    }

    private boolean mayGo(int index) {
        boolean isEmptyActive =
                facts.isActive(index) && facts.segments().get(index).sizeBytes() == 0;
        return !isEmptyActive && facts.endOf(index) <= facts.committedBound();
    }

    private @Nullable Reason reason(long endOffset, long timeMs, long leftBytes) {
        if (endOffset <= facts.startOffset()) {
            return Reason.LOG_START;
        }
        if (!config.compaction().policy().deletes()) {
            return null;
        }
        RetentionConfig limits = config.retention();
        if (limits.maxAgeMs() != RetentionConfig.UNLIMITED && timeMs != NO_TIME && nowMs - timeMs > limits.maxAgeMs()) {
            return Reason.TIME;
        }
        boolean isTooLarge = limits.maxBytes() != RetentionConfig.UNLIMITED && leftBytes >= limits.maxBytes();
        return isTooLarge ? Reason.SIZE : null;
    }

    /** The time of each segment, borrowed from the next dated one where it has none, or may have a later one than is known. */
    private long[] times() {
        long[] timesMs = new long[facts.segments().size()];
        long nextMs = NO_TIME;
        for (int i = timesMs.length - 1; i >= 0; i--) {
            Candidate segment = facts.segments().get(i);
            long ownMs = segment.largestTimestampMs();
            boolean isKnown = ownMs >= 0 && !segment.hasUnread();
            boolean isAtLeastOwn = nextMs != NO_TIME && ownMs > nextMs;
            nextMs = isKnown || isAtLeastOwn ? ownMs : nextMs;
            timesMs[i] = nextMs;
        }
        return timesMs;
    }
}
