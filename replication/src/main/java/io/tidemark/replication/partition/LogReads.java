package io.tidemark.replication.partition;

import io.tidemark.core.log.LeaderEpochs.EpochEnd;
import io.tidemark.core.log.Log;
import io.tidemark.core.log.LogEnd;
import io.tidemark.core.log.ReadRequest;
import io.tidemark.core.log.ReadResult;
import io.tidemark.core.log.TimeSearch;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.PartitionState;
import io.tidemark.model.SafetyRules;
import io.tidemark.record.InvalidBatchException;
import io.tidemark.replication.fetch.ConsumerFetch;
import io.tidemark.replication.fetch.FetchEntry;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The read side of a leader: works on one {@link PartitionView} and the log alone, and takes no lock. Whether the view
 * still holds after the bytes were copied is for the caller to check.
 */
final class LogReads {
    private static final Logger LOG = LoggerFactory.getLogger(LogReads.class);

    private final Log log;
    private final FollowerFence fence;

    LogReads(Log log, SafetyRules rules) {
        this.log = log;
        this.fence = new FollowerFence(rules);
    }

    /** Whole batches up to the end, for a follower that passed the fences. */
    FollowerRead forFollower(FetchEntry entry, PartitionView view, int maxBytes, ReadRequest.Minimum minimum) {
        Optional<EpochEnd> diverging = fence.divergence(log.epochs(), entry);
        if (diverging.isPresent()) {
            return new FollowerRead.Diverging(diverging.get());
        }
        ReadResult result = log.read(new ReadRequest(entry.fetchOffset(), maxBytes, ReadRequest.TO_END, minimum));
        if (result instanceof ReadResult.Data data) {
            return new FollowerRead.Data(data.batches(), view.highWatermark(), data.startOffset(), data.position());
        }
        if (result instanceof ReadResult.Corrupt) {
            return new FollowerRead.Refused(ErrorCode.CORRUPT_MESSAGE, log.startOffset());
        }
        return new FollowerRead.Refused(ErrorCode.OFFSET_OUT_OF_RANGE, log.startOffset());
    }

    /** Whole batches below the high watermark, for a consumer that passed the fences (I15). */
    ConsumerRead forConsumer(ConsumerFetch.Entry entry, PartitionView view, int maxBytes, ReadRequest.Minimum minimum) {
        long offset = entry.fetchOffset();
        Optional<EpochEnd> diverging = Fencing.divergence(log.epochs(), entry.lastFetchedEpoch(), offset);
        if (diverging.isPresent()) {
            return new ConsumerRead.Diverging(diverging.get());
        }
        LogEnd end = log.end();
        if (offset < log.startOffset() || offset > end.offset()) {
            return outOfRange(offset, view, end);
        }
        if (offset >= view.highWatermark()) {
            return data(ByteBuffer.allocate(0), view, positionOf(offset, view, end));
        }
        ReadResult result = log.read(new ReadRequest(offset, maxBytes, view.highWatermark(), minimum));
        if (result instanceof ReadResult.Data found) {
            return data(found.batches(), view, found.position());
        }
        if (result instanceof ReadResult.Corrupt corrupt) {
            return new ConsumerRead.Refused(
                    ErrorCode.CORRUPT_MESSAGE,
                    log.partition() + " is " + corrupt.damage().message(),
                    PartitionState.NO_LEADER,
                    view.leaderEpoch(),
                    log.startOffset());
        }
        return outOfRange(offset, view, log.end());
    }

    /** The first record that qualifies; the high watermark {@code latest} if none does. */
    OffsetLookup forTime(TimeSearch search, OffsetLookup.Found latest) {
        TimeSearch.Result result;
        try {
            result = log.search(search);
        } catch (InvalidBatchException e) {
            LOG.error("a search by time met a damaged batch: {}", e.getMessage());
            return new OffsetLookup.Refused(ErrorCode.CORRUPT_MESSAGE, PartitionState.NO_LEADER, latest.leaderEpoch());
        }
        if (result instanceof TimeSearch.Found found) {
            return new OffsetLookup.Found(found.offset(), latest.leaderEpoch());
        }
        return result instanceof TimeSearch.None
                ? latest
                : new OffsetLookup.Refused(ErrorCode.REQUEST_TIMED_OUT, PartitionState.NO_LEADER, latest.leaderEpoch());
    }

    private long positionOf(long offset, PartitionView view, LogEnd end) {
        if (offset == view.highWatermark()) {
            return view.highWatermarkPosition();
        }
        return offset == end.offset() ? end.position() : log.positionOf(offset);
    }

    private ConsumerRead data(ByteBuffer batches, PartitionView view, long position) {
        return new ConsumerRead.Data(batches, view.highWatermark(), log.startOffset(), position, view.leaderEpoch());
    }

    private ConsumerRead outOfRange(long offset, PartitionView view, LogEnd end) {
        String message = "offset " + offset + " of " + log.partition() + " is outside " + log.startOffset() + ".."
                + end.offset();
        return new ConsumerRead.Refused(
                ErrorCode.OFFSET_OUT_OF_RANGE,
                message,
                PartitionState.NO_LEADER,
                view.leaderEpoch(),
                log.startOffset());
    }
}
