package io.tidemark.core.log;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.log.AppendResult.Appended;
import io.tidemark.core.log.AppendResult.Duplicate;
import io.tidemark.core.log.AppendResult.Refused;
import io.tidemark.core.log.segment.RollPolicy;
import io.tidemark.core.log.segment.Segment;
import io.tidemark.core.log.segment.Segments;
import io.tidemark.model.ErrorCode;
import io.tidemark.model.SafetyRule;
import io.tidemark.model.SafetyRules;
import io.tidemark.record.BatchValidation;
import io.tidemark.record.BatchValidator;
import io.tidemark.record.InvalidBatchException;
import io.tidemark.record.RecordBatch;
import io.tidemark.record.RecordBatches;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Writes batches at the end of a log and publishes the new end, last, in one step. Guarded by the log's lock; an I/O error is
 * for the caller to fence the log with.
 */
final class LogAppender {
    private final LogState state;
    private final LogRoller roller;
    private final SegmentAges ages;
    private final SafetyRules rules;

    LogAppender(LogState state, LogRoller roller, SegmentAges ages, SafetyRules rules) {
        this.state = state;
        this.roller = roller;
        this.ages = ages;
        this.rules = rules;
    }

    /** Assigns offsets and epoch, and appends. */
    AppendResult asLeader(ByteBuffer batches, int leaderEpoch) throws IOException {
        RecordBatches view = RecordBatches.of(batches);
        Refused malformed = refuseUnlessWhole(view, batches);
        if (malformed != null) {
            return malformed;
        }
        ProducerStates.Verdict verdict = state.producers.check(view);
        if (verdict instanceof ProducerStates.Verdict.Refused refused) {
            return new Refused(refused.error(), refused.message());
        }
        LogEnd end = state.view().end();
        if (leaderEpoch < end.lastEpoch()) {
            // Recovery takes a batch whose epoch falls for damage.
            return new Refused(ErrorCode.FENCED_LEADER_EPOCH, "epoch " + leaderEpoch + " is below that of " + end);
        }
        if (verdict instanceof ProducerStates.Verdict.Repeated repeated) {
            return new Duplicate(repeated.firstOffset(), repeated.lastOffset(), end);
        }
        long nextOffset = end.offset();
        for (RecordBatch batch : view) {
            batch.assign(nextOffset, leaderEpoch);
            nextOffset = batch.nextOffset();
        }
        write(batches, view);
        return new Appended(end.offset(), nextOffset - 1, state.view().end());
    }

    /** Appends with the offsets and epochs of the leader (S19). */
    AppendResult asFollower(ByteBuffer batches, int leaderEpoch) throws IOException {
        RecordBatches view = RecordBatches.of(batches);
        Refused malformed = refuseUnlessWhole(view, batches);
        if (malformed != null) {
            return malformed;
        }
        LogView before = state.view();
        RecordBatch first = view.iterator().next();
        long minOffset = mayStartBelowEnd(first, before)
                ? first.baseOffset()
                : before.end().offset();
        int maxEpoch = rules.keeps(SafetyRule.BATCH_NOT_ABOVE_FETCH) ? leaderEpoch : Integer.MAX_VALUE;
        BatchValidation validation = BatchValidator.validateReplicated(batches, minOffset, maxEpoch);
        if (!validation.isValid()) {
            return new Refused(validation.error(), validation.message());
        }
        int epoch = before.end().lastEpoch();
        for (RecordBatch batch : view) {
            if (batch.partitionLeaderEpoch() < epoch) {
                return new Refused(ErrorCode.INVALID_RECORD, "leader epoch falls from " + epoch + " to " + batch);
            }
            epoch = batch.partitionLeaderEpoch();
        }
        if (first.baseOffset() < before.end().offset()) {
            roller.restartBelow(first.baseOffset());
        }
        long firstOffset = first.baseOffset();
        write(batches, view);
        LogEnd end = state.view().end();
        return new Appended(firstOffset, end.offset() - 1, end);
    }

    /**
     * An empty log whose start lies inside the leader's batch takes the batch whole (KAFKA-6975); what is below the start is
     * never read.
     */
    private static boolean mayStartBelowEnd(RecordBatch first, LogView view) {
        return view.isEmpty()
                && first.baseOffset() < view.startOffset()
                && first.lastOffset() >= view.startOffset()
                && first.baseOffset() >= 0;
    }

    private static @Nullable Refused refuseUnlessWhole(RecordBatches view, ByteBuffer batches) {
        try {
            if (batches.hasRemaining() && view.wholeBytes() == batches.remaining()) {
                return null;
            }
            return new Refused(ErrorCode.CORRUPT_MESSAGE, "the bytes are not one or more whole batches");
        } catch (InvalidBatchException e) {
            return new Refused(ErrorCode.CORRUPT_MESSAGE, String.valueOf(e.getMessage()));
        }
    }

    /** Writes runs of batches that fit one segment with one append each; rolls between them. */
    private void write(ByteBuffer batches, RecordBatches view) throws IOException {
        LogView before = state.view();
        LogConfig config = state.config();
        Segments segments = before.segments();
        LeaderEpochHistory epochs = before.epochs();
        long nextOffset = before.end().offset();
        int lastEpoch = before.end().lastEpoch();
        int runStart = batches.position();
        int at = runStart;
        long firstTimestampMs = firstTimestampMs(segments.active(), view);
        for (RecordBatch batch : view) {
            if (mustRoll(pending(segments.active(), at - runStart, firstTimestampMs, config), batch, config)) {
                writeRun(segments.active(), batches.slice(runStart, at - runStart), config);
                runStart = at;
                segments = roller.roll(segments, batch.baseOffset(), endOf(segments.active(), nextOffset, lastEpoch));
                firstTimestampMs = batch.maxTimestampMs();
            }
            epochs = epochs.assign(batch.partitionLeaderEpoch(), batch.baseOffset());
            nextOffset = batch.nextOffset();
            lastEpoch = batch.partitionLeaderEpoch();
            at += batch.sizeBytes();
        }
        writeRun(segments.active(), batches.slice(runStart, at - runStart), config);
        LogEnd end = endOf(segments.active(), nextOffset, lastEpoch);
        state.publish(new LogView(segments, end, before.startOffset(), epochs));
    }

    private void writeRun(Segment active, ByteBuffer run, LogConfig config) throws IOException {
        if (!run.hasRemaining()) {
            return;
        }
        active.append(run, config);
        for (RecordBatch batch : RecordBatches.of(run)) {
            state.producers.onAppended(batch);
        }
    }

    private static long firstTimestampMs(Segment active, RecordBatches coming) throws IOException {
        return active.sizeBytes() == 0 ? coming.iterator().next().maxTimestampMs() : active.firstTimestampMs();
    }

    /** The active segment with what is about to be written to it. */
    private RollPolicy.Active pending(Segment active, int pendingBytes, long firstTimestampMs, LogConfig config) {
        return new RollPolicy.Active(
                active.base(),
                active.sizeBytes() + pendingBytes,
                new RollPolicy.Entries(active.indexEntries(), active.timeIndexEntries()),
                new RollPolicy.Age(firstTimestampMs, ages.limitMs(active, config)));
    }

    private static boolean mustRoll(RollPolicy.Active active, RecordBatch batch, LogConfig config) {
        RollPolicy.Next next = new RollPolicy.Next(batch.lastOffset(), batch.sizeBytes(), batch.maxTimestampMs());
        return RollPolicy.decide(active, next, config) != RollPolicy.Reason.NONE;
    }

    private static LogEnd endOf(Segment active, long offset, int epoch) {
        return new LogEnd(offset, active.startPosition() + active.sizeBytes(), epoch);
    }
}
