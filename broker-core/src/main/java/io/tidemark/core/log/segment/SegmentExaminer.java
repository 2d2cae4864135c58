package io.tidemark.core.log.segment;

import io.tidemark.core.io.FileHandle;
import io.tidemark.record.InvalidBatchException;
import io.tidemark.record.RecordBatch;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Carries out an {@link Examination}: checks batches in order and, at the first that is bad, looks for where the file can be
 * read again. A wrong base offset shows only at the batch behind, so one that follows a gap is judged by its successor. What is
 * missing at the end of a file is bad as well. Bounded memory. Not thread-safe.
 */
final class SegmentExaminer {
    private final FileHandle file;
    private final Examination request;
    private final BatchCheck check;
    private final Resync resync;
    private long before;
    private int epochBefore = BatchExpectation.UNKNOWN_EPOCH;
    private boolean foundGaps;
    private boolean foundOtherEpochs;
    private @Nullable Suspect suspect;

    /** Behind the last sound batch. */
    private int soundEnd;

    /** Whether the file ends before it should: then it is examined to its end. */
    private boolean isCutShort;

    /** A batch that follows a gap; {@code before} is the last offset in front of the gap. */
    private record Suspect(int position, long before) {}

    SegmentExaminer(FileHandle file, Examination request) {
        this.file = file;
        this.request = request;
        this.check = new BatchCheck(request.expected());
        this.resync = new Resync(file, request.availableBytes(), request.upperOffset());
        this.before = request.lastBefore();
        this.soundEnd = request.from();
    }

    Examination.Finding run() throws IOException {
        int limit = (int) Math.min(request.availableBytes(), file.size());
        isCutShort = limit < request.availableBytes();
        try {
            return run(new BatchScan(file, request.from(), limit, BatchScan.WINDOW_BYTES));
        } catch (InvalidBatchException e) {
            // Cut meanwhile.
            return bad(soundEnd, before, String.valueOf(e.getMessage()));
        }
    }

    private Examination.Finding run(BatchScan scan) throws IOException {
        while (scan.next()) {
            String fault = fault(scan);
            if (fault != null) {
                return bad(scan.position(), before, fault);
            }
            passed(scan.header(), scan.position());
            soundEnd = scan.end();
            if (isEnough(scan)) {
                return sound(scan.end());
            }
        }
        if (scan.fault() == null && isCutShort) {
            return bad(scan.end(), before, "the file ends there");
        }
        if (scan.fault() == null) {
            foundGaps |= suspect != null;
            return sound(scan.end());
        }
        Suspect culprit = suspect;
        if (culprit != null && resync.isSoundAt(scan.end(), culprit.before)) {
            return bad(culprit.position, culprit.before, "its offsets reach beyond the batch behind it");
        }
        return bad(scan.end(), before, String.valueOf(scan.fault()));
    }

    /** Moves the scan's window; what it has of the header is to be asked again. */
    private @Nullable String fault(BatchScan scan) throws IOException {
        String fault = check.headerFault(scan.header(), before);
        if (fault == null && scan.lastOffset() >= request.upperOffset()) {
            fault = "its offsets reach beyond " + request.upperOffset() + ": " + scan.header();
        }
        if (fault == null && !scan.isCrcValid()) {
            fault = "the CRC does not match: " + scan.header();
        }
        return fault == null ? epochFault(scan) : fault;
    }

    /** A batch that shares its epoch with the one in front or behind has the right one, whatever the history says. */
    private @Nullable String epochFault(BatchScan scan) throws IOException {
        String fault = check.epochFault(scan.header());
        if (fault == null) {
            return null;
        }
        int epoch = scan.header().partitionLeaderEpoch();
        boolean isShared = epoch == epochBefore
                || (resync.isSoundAt(scan.end(), scan.lastOffset())
                        && resync.sound().partitionLeaderEpoch() == epoch);
        foundOtherEpochs |= isShared;
        return isShared ? null : fault;
    }

    private void passed(RecordBatch header, int position) {
        foundGaps |= suspect != null;
        boolean behindGap = before != BatchCheck.UNKNOWN && header.baseOffset() != before + 1;
        suspect = behindGap ? new Suspect(position, before) : null;
        before = header.lastOffset();
        epochBefore = header.partitionLeaderEpoch();
    }

    private boolean isEnough(BatchScan scan) {
        boolean beyond = !isCutShort && scan.header().baseOffset() > request.untilOffset();
        boolean spent = scan.end() - request.from() >= request.budgetBytes();
        return suspect == null && (beyond || spent);
    }

    private Examination.Finding sound(int end) {
        return new Examination.Finding(end, before, foundGaps, foundOtherEpochs, null);
    }

    private Examination.Finding bad(int position, long lastSound, String what) throws IOException {
        Resync.Place next = resync.behind(position, lastSound);
        long first = lastSound == BatchCheck.UNKNOWN ? BatchCheck.UNKNOWN : lastSound + 1;
        BadStretch stretch = new BadStretch(first, next.offset(), position, next.position(), what);
        return new Examination.Finding(position, lastSound, foundGaps, foundOtherEpochs, stretch);
    }
}
