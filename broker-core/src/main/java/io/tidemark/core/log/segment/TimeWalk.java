package io.tidemark.core.log.segment;

import io.tidemark.core.io.FileHandle;
import io.tidemark.record.InvalidBatchException;
import io.tidemark.record.LogRecord;
import io.tidemark.record.RecordBatch;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Walks the batches of one segment's file for the first record at or after a time: headers through a small window, and
 * records only of batches whose header says that they qualify. In memory are at most the window and one batch. Not thread-safe.
 */
final class TimeWalk {
    private static final int WINDOW_BYTES = 16 * 1024;
    private static final int BATCHES_BETWEEN_QUESTIONS = 64;

    private final FileHandle file;
    private final TimeRequest request;

    TimeWalk(FileHandle file, TimeRequest request) {
        this.file = file;
        this.request = request;
    }

    /** As {@link #run(SegmentIndexes.TimeStart)}; what only the indexes promised is ignored from then on. */
    TimeRead run(SegmentIndexes.TimeStart start, SegmentIndexes indexes) throws IOException {
        try {
            return run(start);
        } catch (InvalidBatchException e) {
            if (start.hint().position() == 0 && start.entry().isNone()) {
                throw e;
            }
            indexes.distrustTimes();
            return run(SegmentIndexes.TimeStart.FRONT);
        }
    }

    /**
     * Walks from {@code start} on.
     *
     * @throws InvalidBatchException if a batch is damaged, was truncated meanwhile, or is not what led to the start
     */
    TimeRead run(SegmentIndexes.TimeStart start) throws IOException {
        BatchScan scan = new BatchScan(file, start.hint().position(), request.availableBytes(), WINDOW_BYTES);
        boolean isChecked = start.entry().isNone();
        int untilQuestion = BATCHES_BETWEEN_QUESTIONS;
        while (scan.next()) {
            RecordBatch header = scan.header();
            if (header.baseOffset() >= request.boundOffset()) {
                return TimeRead.AT_BOUND;
            }
            isChecked = isChecked || requireRight(start, scan);
            long found = qualifies(header) ? firstIn(scan) : -1;
            if (found >= 0) {
                return TimeRead.found(found);
            }
            if (--untilQuestion == 0) {
                untilQuestion = BATCHES_BETWEEN_QUESTIONS;
                if (!request.isWanted().getAsBoolean()) {
                    return TimeRead.GIVEN_UP;
                }
            }
        }
        if (scan.fault() != null) {
            throw new InvalidBatchException(scan.fault() + " at position " + scan.end());
        }
        return TimeRead.NOT_HERE;
    }

    /** Whether the walk has met the batch that vouches for its start. */
    private static boolean requireRight(SegmentIndexes.TimeStart start, BatchScan scan) {
        OffsetIndex.Hint hint = start.hint();
        boolean isHinted = scan.position() == hint.position() && hint.lastOffset() != OffsetIndex.Hint.NO_ENTRY;
        boolean isReached = scan.lastOffset() >= start.entry().lastOffset();
        if ((isHinted && scan.lastOffset() != hint.lastOffset())
                || (isReached && !start.entry().describes(scan.header()))) {
            throw new InvalidBatchException("the indexes promise " + start + ", found is " + scan.header());
        }
        return isReached;
    }

    private boolean qualifies(RecordBatch header) {
        return header.maxTimestampMs() >= request.timestampMs() && header.lastOffset() >= request.startOffset();
    }

    /** Offset of the first record of a batch that qualifies, or -1: the one that does may be below the start. */
    private long firstIn(BatchScan scan) throws IOException {
        int position = scan.position();
        int sizeBytes = scan.header().sizeBytes();
        if (sizeBytes > SegmentRequest.Checks.USUAL_BYTES && !scan.isCrcValid()) {
            // Found out before there is a buffer for what may be a wrong length.
            throw new InvalidBatchException("the CRC does not match at position " + position + ": " + scan.header());
        }
        ByteBuffer bytes = ByteBuffer.allocate(sizeBytes);
        file.read(bytes, position);
        RecordBatch batch = RecordBatch.at(bytes.flip(), 0);
        if (!batch.isCrcValid()) {
            throw new InvalidBatchException("the CRC does not match at position " + position + ": " + batch);
        }
        for (LogRecord record : batch.records()) {
            if (record.offset() >= request.boundOffset()) {
                return -1;
            }
            if (record.timestampMs() >= request.timestampMs() && record.offset() >= request.startOffset()) {
                return record.offset();
            }
        }
        return -1;
    }
}
