package io.tidemark.core.log.cleaner;

import io.tidemark.core.log.cleaner.CleanableLog.Snapshot;
import io.tidemark.core.log.segment.BatchScan;
import io.tidemark.core.log.segment.Segment;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;

/**
 * Finds out, once per log after a start, when the first tombstone of its clean part may go: walks the headers of one segment per
 * step. Without it tombstones of a log that gets no new records would stay for ever (KAFKA-8522). For one thread.
 */
final class HorizonScan implements CleanerWork {
    private final CleanerTarget target;
    private final Queue<Segment> left;
    private final long truncations;
    private long earliestMs = Long.MAX_VALUE;

    /** A scan of the segments up to {@code cleanEnd}. */
    HorizonScan(CleanerTarget target, Snapshot snapshot, long cleanEnd) {
        this.target = target;
        this.truncations = snapshot.truncations();
        List<Segment> all = snapshot.segments();
        long base = all.get(0).base();
        this.left = new ArrayDeque<>(LogLook.segments(snapshot, base, Math.max(base, cleanEnd)));
    }

    @Override
    public CleanerTarget target() {
        return target;
    }

    @Override
    public long truncations() {
        return truncations;
    }

    /** The earliest horizon; once the scan is done. */
    OptionalLong earliestHorizonMs() {
        return earliestMs == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(earliestMs);
    }

    @Override
    public Progress step() throws IOException {
        Segment segment = left.poll();
        if (segment == null) {
            return new Progress(Outcome.DONE, 0);
        }
        Long found = segment.scan(0, HorizonScan::earliest);
        if (found == null) {
            return new Progress(Outcome.ABORTED, 0);
        }
        earliestMs = Math.min(earliestMs, found);
        return new Progress(Outcome.MORE, segment.sizeBytes());
    }

    @Override
    public void abandon() {
        left.clear();
    }

    private static long earliest(BatchScan scan) throws IOException {
        long earliest = Long.MAX_VALUE;
        while (scan.next()) {
            earliest = Math.min(earliest, scan.header().deleteHorizonMs().orElse(Long.MAX_VALUE));
        }
        return earliest;
    }
}
