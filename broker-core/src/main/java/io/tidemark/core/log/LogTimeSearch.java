package io.tidemark.core.log;

import io.tidemark.core.log.segment.Segment;
import io.tidemark.core.log.segment.TimeRead;
import io.tidemark.core.log.segment.TimeRequest;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.record.InvalidBatchException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Finds records by time below a published end, without a lock; valid under the same terms as the reads of {@link
 * LogReader}. Timestamps need not rise with offsets, so segments are asked in order; one whose largest timestamp is too
 * early is passed without a read.
 */
final class LogTimeSearch {
    private final LogState state;

    LogTimeSearch(LogState state) {
        this.state = state;
    }

    TimeSearch.Result search(TimeSearch search) {
        while (search.isWanted().getAsBoolean()) {
            long truncations = state.truncations();
            TimeSearch.Result result = attempt(search, truncations);
            if (result != null && state.truncations() == truncations) {
                return result;
            }
            Thread.onSpinWait();
        }
        return new TimeSearch.GivenUp();
    }

    private TimeSearch.@Nullable Result attempt(TimeSearch search, long truncations) {
        LogView view = state.view();
        try {
            return find(view, search);
        } catch (InvalidBatchException e) {
            if (state.truncations() == truncations) {
                throw new InvalidBatchException(e.getMessage() + " in " + state.space.directory(), e);
            }
            return null;
        } catch (IOException e) {
            throw new KafkaStorageException("search", state.space.directory(), e);
        }
    }

    /** Null if a segment was removed meanwhile: it is looked for again in those there are then. */
    private static TimeSearch.@Nullable Result find(LogView view, TimeSearch search) throws IOException {
        long bound = Math.min(search.boundOffset(), view.end().offset());
        Segment segment = view.segments().startFor(view.startOffset());
        while (segment != null && segment.base() < bound) {
            TimeRead read = segment.search(new TimeRequest(
                    search.timestampMs(), view.startOffset(), bound, view.publishedBytes(segment), search.isWanted()));
            if (read == null) {
                return view.isEmpty() ? new TimeSearch.None() : null;
            }
            switch (read.outcome()) {
                case FOUND -> {
                    return new TimeSearch.Found(read.offset());
                }
                case AT_BOUND -> {
                    return new TimeSearch.None();
                }
                case GIVEN_UP -> {
                    return new TimeSearch.GivenUp();
                }
                case NOT_HERE -> segment = view.segments().after(segment.base());
            }
        }
        return new TimeSearch.None();
    }
}
