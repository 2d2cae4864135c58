package io.tidemark.replication.partition;

import io.tidemark.core.runtime.Invariant;

/**
 * The high watermark of one replica: the first offset that consumers may not read, and its position. Pure.
 *
 * <p>It survives role changes and falls only when the replica's own log is cut (I17). A cut below it is counted: on a
 * clean election that cannot happen (DESIGN section 5).
 */
final class HighWatermark {
    private long offset;
    private long position = LogOffset.UNKNOWN_POSITION;
    private long cutsBelow;

    private HighWatermark(long offset) {
        this.offset = offset;
    }

    /** The checkpointed value, held within the bounds of the loaded log (S63). */
    static HighWatermark loaded(long checkpointed, long logStart, long logEnd) {
        return new HighWatermark(Math.max(logStart, Math.min(checkpointed, logEnd)));
    }

    long offset() {
        return offset;
    }

    /** Position of {@link #offset()}; known in a leader only. */
    long position() {
        return position;
    }

    /** Number of cuts below the high watermark. */
    long cutsBelow() {
        return cutsBelow;
    }

    /** A leader takes over: its position is known from now on. */
    void locate(long positionOfOffset) {
        position = positionOfOffset;
    }

    /** Moves offset and position together (S29) if {@code to} is higher; whether it was. */
    boolean raiseTo(LogOffset to) {
        if (to.offset() <= offset) {
            return false;
        }
        Invariant.check(to.position() >= position, () -> "high watermark position falls: " + position + " to " + to);
        offset = to.offset();
        position = to.position();
        return true;
    }

    /** A follower learns of a higher one; whether it was higher. */
    boolean followTo(long to) {
        return raiseTo(new LogOffset(to, LogOffset.UNKNOWN_POSITION));
    }

    /** A role ended: positions mean nothing any more. */
    void forgetPosition() {
        position = LogOffset.UNKNOWN_POSITION;
    }

    /** The log was cut, or is about to be, to {@code logEnd}. */
    void cutTo(long logEnd) {
        offset = Math.min(offset, logEnd);
    }

    /** The log was emptied and starts again at {@code logStart}: start, end and high watermark are one (KAFKA-9491). */
    void restartAt(long logStart) {
        offset = logStart;
    }

    /** The last cut was below the high watermark. */
    void countCut() {
        cutsBelow++;
    }
}
