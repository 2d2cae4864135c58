package io.tidemark.core.log;

import io.tidemark.core.log.ReadResult.Data;
import io.tidemark.core.log.ReadResult.OutOfRange;
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
 */
final class LogReader {
    /** Instead of a position: a segment was removed meanwhile. */
    private static final long AGAIN = -1;

    private final LogState state;

    LogReader(LogState state) {
        this.state = state;
    }

    ReadResult read(ReadRequest request) {
        while (true) {
            long truncations = state.truncations();
            ReadResult result = attempt(request, truncations);
            if (result != null && state.truncations() == truncations) {
                return result;
            }
            Thread.onSpinWait();
        }
    }

    long positionOf(long offset) {
        while (true) {
            long truncations = state.truncations();
            long position = attemptPosition(offset, truncations);
            if (position != AGAIN && state.truncations() == truncations) {
                return position;
            }
            Thread.onSpinWait();
        }
    }

    private long attemptPosition(long offset, long truncations) {
        LogView view = state.view();
        if (offset >= view.end().offset()) {
            return view.end().position();
        }
        try {
            return findPosition(view, offset);
        } catch (InvalidBatchException e) {
            rethrowUnlessTruncated(e, truncations);
            return AGAIN;
        } catch (IOException e) {
            throw new KafkaStorageException("read", state.space.directory(), e);
        }
    }

    private static long findPosition(LogView view, long offset) throws IOException {
        Segment segment = view.segments().startFor(offset);
        while (segment != null) {
            SegmentRead found = segment.read(SegmentRequest.locating(offset, view.publishedBytes(segment)));
            if (found == null) {
                return AGAIN;
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
            return find(view, request);
        } catch (InvalidBatchException e) {
            rethrowUnlessTruncated(e, truncations);
            return null;
        } catch (IOException e) {
            throw new KafkaStorageException("read", state.space.directory(), e);
        }
    }

    private @Nullable ReadResult find(LogView view, ReadRequest request) throws IOException {
        LogEnd end = view.end();
        long bound = Math.min(request.limitOffset(), end.offset());
        int firstMaxBytes = request.minimum() == ReadRequest.Minimum.ONE_BATCH ? Integer.MAX_VALUE : 0;
        Segment segment = view.segments().startFor(request.offset());
        while (segment != null) {
            SegmentRead found = segment.read(new SegmentRequest(
                    request.offset(),
                    bound,
                    view.publishedBytes(segment),
                    Math.max(0, request.maxBytes()),
                    firstMaxBytes));
            if (found == null) {
                return null;
            }
            if (found.isHere()) {
                long position = segment.startPosition() + found.position();
                return new Data(found.batches(), position, view.startOffset(), end);
            }
            segment = view.segments().after(segment.base());
        }
        return new Data(SegmentRead.empty(), end.position(), view.startOffset(), end);
    }

    private void rethrowUnlessTruncated(InvalidBatchException cause, long truncations) {
        if (state.truncations() == truncations) {
            throw new InvalidBatchException(cause.getMessage() + " in " + state.space.directory(), cause);
        }
    }
}
