package io.tidemark.core.log;

import io.tidemark.core.log.ReadResult.Corrupt;
import io.tidemark.core.log.ReadResult.Data;
import io.tidemark.core.log.ReadResult.OutOfRange;
import io.tidemark.core.log.segment.BatchExpectation;
import io.tidemark.core.log.segment.Segment;
import io.tidemark.core.log.segment.SegmentRead;
import io.tidemark.core.log.segment.SegmentRequest;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.record.InvalidBatchException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads below a published end, without a lock.
 *
 * <p>Bytes of a published view change only by a truncation, which publishes the shorter view, then counts itself, then cuts. So
 * what was read is good if the count was the same before the view was taken and after the bytes were copied; otherwise,
 * and if a segment was removed meanwhile, the read is done again.
 *
 * <p>What is sealed is checked as it is read. A batch that is not sound is examined once; from then on {@link LogHealth} knows
 * where the bad bytes are, and no read touches them: one in front of them ends there, one behind them starts there.
 */
final class LogReader {
    /** Instead of a position: a segment was removed meanwhile. */
    private static final long AGAIN = -1;

    /** Instead of a position: what was read made no sense, and an examination found nothing wrong. */
    private static final long DOUBTFUL = -2;

    /** A limit for batches that is higher than this says nothing about how much memory one read may take on a header's word. */
    private static final int MAX_TRUSTED_BYTES = 16 << 20;

    private final LogState state;
    private final LogExaminer examiner;

    LogReader(LogState state) {
        this.state = state;
        this.examiner = new LogExaminer(state);
    }

    ReadResult read(ReadRequest request) {
        boolean isSecond = false;
        while (true) {
            long truncations = state.truncations();
            ReadResult result = attempt(request, truncations);
            boolean isDoubtful = !isSecond && result instanceof Corrupt corrupt && isUnexplained(corrupt);
            isSecond |= isDoubtful;
            if (result != null && !isDoubtful && state.truncations() == truncations) {
                return result;
            }
            Thread.onSpinWait();
        }
    }

    long positionOf(long offset) {
        boolean isSecond = false;
        while (true) {
            long truncations = state.truncations();
            long position = attemptPosition(offset, truncations, isSecond);
            isSecond |= position == DOUBTFUL;
            if (position >= 0 && state.truncations() == truncations) {
                return position;
            }
            Thread.onSpinWait();
        }
    }

    private long attemptPosition(long offset, long truncations, boolean isSecond) {
        LogView view = state.view();
        if (offset >= view.end().offset()) {
            return view.end().position();
        }
        try {
            return findPosition(view, offset, truncations, isSecond);
        } catch (IOException e) {
            throw new KafkaStorageException("read", state.space.directory(), e);
        }
    }

    private long findPosition(LogView view, long offset, long truncations, boolean isSecond) throws IOException {
        Segment segment = view.segments().startFor(offset);
        while (segment != null) {
            LogDamage ahead = state.health.notBefore(segment, offset);
            if (ahead != null && isNext(ahead, offset)) {
                return segment.startPosition() + ahead.position();
            }
            SegmentRead found;
            try {
                found = segment.read(examiner.locating(view, segment, offset));
            } catch (InvalidBatchException e) {
                Corrupt corrupt = diagnosed(view, segment, offset, truncations, e);
                if (corrupt == null) {
                    return AGAIN;
                }
                return isUnexplained(corrupt) && !isSecond
                        ? DOUBTFUL
                        : segment.startPosition() + corrupt.damage().position();
            }
            if (found == null) {
                return view.isEmpty() ? view.end().position() : AGAIN;
            }
            if (found.isHere()) {
                return segment.startPosition() + found.position();
            }
            segment = view.segments().after(segment.base());
        }
        return view.end().position();
    }

    private @Nullable ReadResult attempt(ReadRequest request, long truncations) {
        LogView view = state.view();
        LogEnd end = view.end();
        if (request.offset() < view.startOffset() || request.offset() > end.offset()) {
            return new OutOfRange(view.startOffset(), end.offset());
        }
        if (request.offset() == end.offset()) {
            return new Data(SegmentRead.empty(), end.position(), view.startOffset(), end);
        }
        try {
            return find(view, request, truncations);
        } catch (IOException e) {
            throw new KafkaStorageException("read", state.space.directory(), e);
        }
    }

    private @Nullable ReadResult find(LogView view, ReadRequest request, long truncations) throws IOException {
        LogEnd end = view.end();
        Segment segment = view.segments().startFor(request.offset());
        while (segment != null) {
            LogDamage ahead = state.health.notBefore(segment, request.offset());
            if (ahead != null && isNext(ahead, request.offset())) {
                return new Corrupt(ahead);
            }
            SegmentRead found;
            try {
                found = segment.read(segmentRequest(view, segment, request, ahead));
            } catch (InvalidBatchException e) {
                return diagnosed(view, segment, request.offset(), truncations, e);
            }
            if (found == null) {
                return null;
            }
            if (found.isHere()) {
                long position = segment.startPosition() + found.position();
                return new Data(found.batches(), position, view.startOffset(), end);
            }
            if (ahead != null) {
                return new Corrupt(ahead);
            }
            segment = view.segments().after(segment.base());
        }
        return new Data(SegmentRead.empty(), end.position(), view.startOffset(), end);
    }

    private SegmentRequest segmentRequest(
            LogView view, Segment segment, ReadRequest request, @Nullable LogDamage ahead) {
        boolean isSealed = segment != view.segments().active();
        BatchExpectation expected = isSealed ? state.health.expectation(view, state.config()) : null;
        int from = LogExaminer.startBehind(state.health.before(segment, request.offset()));
        return new SegmentRequest(
                request.offset(),
                Math.min(request.limitOffset(), view.end().offset()),
                ahead == null ? view.publishedBytes(segment) : ahead.position(),
                Math.max(0, request.maxBytes()),
                request.minimum() == ReadRequest.Minimum.ONE_BATCH ? Integer.MAX_VALUE : 0,
                new SegmentRequest.Checks(from, view.upperOffset(segment), expected, trustedBytes()));
    }

    /** Larger batches may be there, from before the limit was lowered or from a leader with another one; seldom. */
    private int trustedBytes() {
        return Math.min(state.config().messages().maxBytes(), MAX_TRUSTED_BYTES);
    }

    /** Whether no sound batch of its segment lies between the offset and the damage. */
    private static boolean isNext(LogDamage damage, long offset) {
        return damage.firstBadOffset() <= offset || damage.position() == 0;
    }

    /** Null if another attempt is worth while: something is known now that was not, or the log was truncated. */
    private @Nullable Corrupt diagnosed(
            LogView view, Segment segment, long offset, long truncations, InvalidBatchException cause)
            throws IOException {
        if (state.truncations() != truncations) {
            return null;
        }
        LogExaminer.Diagnosis diagnosis = examiner.diagnose(view, segment, offset, truncations);
        if (diagnosis.isNews()) {
            return null;
        }
        return new Corrupt(diagnosis.damage().orElseGet(() -> unexplained(segment, offset, cause)));
    }

    /** Worth one more read: a disk may give too few bytes once. */
    private static boolean isUnexplained(Corrupt corrupt) {
        return corrupt.damage().behindPosition() == 0;
    }

    /** What a read stumbles on and an examination finds nothing wrong with: the offset alone, and not remembered. */
    private static LogDamage unexplained(Segment segment, long offset, InvalidBatchException cause) {
        return new LogDamage(offset, offset + 1, segment.files().log(), 0, 0, String.valueOf(cause.getMessage()));
    }
}
