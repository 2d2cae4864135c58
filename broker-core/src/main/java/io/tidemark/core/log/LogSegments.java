package io.tidemark.core.log;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.log.segment.BadStretch;
import io.tidemark.core.log.segment.BatchScan;
import io.tidemark.core.log.segment.Segment;
import io.tidemark.core.log.segment.SegmentSpace;
import io.tidemark.core.runtime.KafkaStorageException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;

/**
 * Opens the segments of a log that is being loaded, one behind the other, and finds out where they end.
 *
 * <p>A look at the first header and at those behind the last index entry is enough where all is well. Where it is not, the segment
 * is surveyed: what is damaged stays as it is, is known from then on, and everything else can be read. That is so for sealed
 * segments. The last one must end with a batch that can be read, for nobody could say where to go on.
 */
final class LogSegments {
    private final SegmentSpace space;
    private final LogConfig config;
    private final List<Segment> segments = new ArrayList<>();
    private long endOffset;
    private int lastEpoch = LeaderEpochHistory.NO_EPOCH;
    private long position;
    private boolean endsInDamage;

    LogSegments(SegmentSpace space, LogConfig config) {
        this.space = space;
        this.config = config;
    }

    /**
     * Opens the segments of these bases, at least one.
     *
     * @throws KafkaStorageException if segments overlap, hold others' offsets (S16), or the last one ends in a damage
     */
    void open(NavigableSet<Long> bases) throws IOException {
        for (long base : bases) {
            Optional<Long> next = Optional.ofNullable(bases.higher(base));
            Segment segment = Segment.openAround(space, base, position, next.orElse(Long.MAX_VALUE), config);
            segments.add(segment);
            position += segment.sizeBytes();
            if (segment.sizeBytes() > 0) {
                pass(segment, next);
            } else {
                endOffset = base;
            }
        }
    }

    /** In order. */
    List<Segment> all() {
        return segments;
    }

    /** Behind the last batch; the base of the last segment if that is empty. */
    long endOffset() {
        return endOffset;
    }

    /** Where the last segment ends in its log. */
    long position() {
        return position;
    }

    /** Of the last batch that can be read, or {@link LeaderEpochHistory#NO_EPOCH}. */
    int lastEpoch() {
        return lastEpoch;
    }

    /** Whether batches behind that one cannot be read. */
    boolean endsInDamage() {
        return endsInDamage;
    }

    private void pass(Segment segment, Optional<Long> next) throws IOException {
        long upperOffset = next.orElse(Long.MAX_VALUE);
        int epochBefore = lastEpoch;
        boolean isRight = segment.bad().isEmpty() && isRightByHeaders(segment, upperOffset);
        endsInDamage &= !isRight;
        if (isRight) {
            return;
        }
        if (segment.bad().isEmpty()) {
            segment.survey(upperOffset);
        }
        lastEpoch = epochBefore;
        passAround(segment, next);
    }

    private boolean isRightByHeaders(Segment segment, long upperOffset) throws IOException {
        Boolean startsRight = segment.scan(
                0,
                Segment.CHECK_WINDOW_BYTES,
                scan -> scan.next() && scan.header().baseOffset() >= segment.base());
        Boolean endsRight = segment.scan(
                segment.lastIndexedPosition(),
                Segment.CHECK_WINDOW_BYTES,
                scan -> passRun(scan) && scan.fault() == null && scan.lastOffset() < upperOffset);
        return Boolean.TRUE.equals(startsRight) && Boolean.TRUE.equals(endsRight);
    }

    private void passAround(Segment segment, Optional<Long> next) throws IOException {
        List<BadStretch> bad = segment.bad();
        if (bad.isEmpty()) {
            throw new KafkaStorageException(segment + " reads differently each time");
        }
        BadStretch last = bad.get(bad.size() - 1);
        endsInDamage = last.behindPosition() >= segment.sizeBytes();
        if (endsInDamage && next.isEmpty()) {
            throw new KafkaStorageException(
                    segment + " is damaged at position " + last.position() + ": " + last.what());
        }
        segment.scanSound(0, this::passRun);
    }

    private boolean passRun(BatchScan scan) throws IOException {
        while (scan.next()) {
            lastEpoch = scan.header().partitionLeaderEpoch();
            endOffset = scan.lastOffset() + 1;
        }
        return true;
    }
}
