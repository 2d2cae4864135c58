package io.tidemark.core.log;

import io.tidemark.core.config.LogConfig;
import io.tidemark.core.io.FileHandle;
import io.tidemark.core.io.Files;
import io.tidemark.core.log.LeaderEpochs.EpochStart;
import io.tidemark.core.log.segment.BatchScan;
import io.tidemark.core.log.segment.IndexRebuild;
import io.tidemark.core.log.segment.SegmentFiles;
import io.tidemark.core.log.segment.SegmentSpace;
import io.tidemark.record.RecordBatch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the part of a log that may not have reached the disk when its process ended (DESIGN section 3).
 *
 * <p>From the segment of the recovery point on, every batch is checked: header, CRC, offsets that rise and fit the segment, an
 * epoch that does not fall. The log is cut at the first byte that fails, and what follows is removed: later segments, and
 * those behind a hole, which is a segment that begins behind the end of the one before although the log went on without a
 * gap. The indexes of checked segments are made anew on the way: each byte is read once. What is left is forced.
 */
final class LogRecovery {
    private static final Logger LOG = LoggerFactory.getLogger(LogRecovery.class);

    private final Files io;
    private final Path directory;
    private final SegmentSpace space;
    private final LogConfig config;
    private final ProducerSnapshots snapshots;
    private final Gaps gaps;
    private final List<Begun> epochs = new ArrayList<>();
    private int lastEpoch;
    private long behind;

    /** What a gap between two segments is taken for. */
    enum Gaps {
        ARE_NATURAL,
        MAY_BE_HOLES
    }

    /**
     * What was found.
     *
     * @param bases segments that are left
     * @param epochs of the checked batches
     */
    record Outcome(NavigableSet<Long> bases, List<Begun> epochs) {}

    /**
     * An epoch that begins somewhere from behind the batch in front of its first one to that one: compaction may have taken the
     * batches that it really began with, and epochs between the two with all that they had. As far as nothing is recorded it began
     * as early as may be ({@link EpochRebuild}).
     *
     * @param start by its first batch
     * @param behind the offset behind the batch in front
     */
    record Begun(EpochStart start, long behind) {
        /** The history with this epoch, where the recorded one says that it began if that may be. */
        LeaderEpochHistory appendTo(LeaderEpochHistory history, LeaderEpochHistory recorded) {
            LeaderEpochHistory longer = history;
            long from = behind;
            for (EpochStart known : recorded.entries()) {
                boolean isInGap = known.startOffset() >= behind && known.startOffset() <= start.startOffset();
                if (isInGap && known.epoch() > longer.latest() && known.epoch() <= start.epoch()) {
                    longer = longer.assign(known.epoch(), known.startOffset());
                    from = known.startOffset();
                }
            }
            return longer.assign(start.epoch(), from);
        }
    }

    /**
     * A recovery of the log in {@code space}.
     *
     * @param config how indexes are spaced
     * @param firstEpoch epoch of the batches before those to be checked, as far as known
     */
    LogRecovery(SegmentSpace space, LogConfig config, ProducerSnapshots snapshots, Gaps gaps, int firstEpoch) {
        this.io = space.io();
        this.directory = space.directory();
        this.space = space;
        this.config = config;
        this.snapshots = snapshots;
        this.gaps = gaps;
        this.lastEpoch = firstEpoch;
    }

    /** Base of the first segment to check. */
    static long firstToCheck(NavigableSet<Long> bases, long recoveryPoint) {
        Long holder = bases.floor(recoveryPoint);
        return holder == null ? bases.first() : holder;
    }

    /** Checks and cuts the segments from {@code checkedFrom} on, of those bases. */
    Outcome run(NavigableSet<Long> bases, long checkedFrom) throws IOException {
        NavigableSet<Long> left = new TreeSet<>(bases);
        behind = checkedFrom;
        Checked before = null;
        for (long base : bases.tailSet(checkedFrom, true)) {
            if (before != null && isHole(before, base)) {
                LOG.warn("{}: a hole between {} and segment {}; the log is cut", directory, before.endOffset(), base);
                remove(left.tailSet(base, true));
                break;
            }
            IndexRebuild.Durability indexes =
                    base == bases.last() ? IndexRebuild.Durability.NONE : IndexRebuild.Durability.FORCED;
            Checked checked = check(new SegmentFiles(directory, base), indexes);
            snapshots.force(base);
            before = checked;
            if (!checked.isWhole()) {
                remove(left.tailSet(base, false));
                break;
            }
        }
        io.forceDirectory(directory);
        return new Outcome(left, epochs);
    }

    private record Checked(long endOffset, int sizeBytes, boolean isWhole) {}

    private Checked check(SegmentFiles files, IndexRebuild.Durability durability) throws IOException {
        IndexRebuild indexes = new IndexRebuild(space, files, config);
        try (FileHandle file = io.openForAppend(files.log())) {
            int sizeBytes = (int) Math.min(file.size(), Integer.MAX_VALUE);
            BatchScan scan = new BatchScan(file, 0, sizeBytes, BatchScan.WINDOW_BYTES);
            int end = 0;
            long endOffset = files.base();
            String fault = null;
            while (fault == null && scan.next()) {
                fault = faultOf(scan, files.base());
                if (fault == null) {
                    takeNote(scan.header());
                    indexes.add(scan.header(), scan.position());
                    end = scan.end();
                    endOffset = scan.lastOffset() + 1;
                }
            }
            if (end < file.size()) {
                LOG.warn(
                        "{} is cut from {} to {} bytes, at offset {}: {}",
                        files.log(),
                        file.size(),
                        end,
                        endOffset,
                        fault != null ? fault : scan.fault());
            }
            boolean isWhole = end == file.size();
            file.truncate(end);
            file.force();
            indexes.finish(durability);
            return new Checked(endOffset, end, isWhole);
        }
    }

    private @Nullable String faultOf(BatchScan scan, long base) throws IOException {
        RecordBatch batch = scan.header();
        if (batch.baseOffset() < base || batch.lastOffset() - base > Integer.MAX_VALUE) {
            return batch + " does not belong into segment " + base;
        }
        if (batch.partitionLeaderEpoch() < Math.max(0, lastEpoch)) {
            return batch + " falls below epoch " + lastEpoch;
        }
        return scan.isCrcValid() ? null : "wrong CRC of " + batch;
    }

    private void takeNote(RecordBatch batch) {
        int epoch = batch.partitionLeaderEpoch();
        if (epoch != lastEpoch || epochs.isEmpty()) {
            epochs.add(new Begun(new EpochStart(epoch, batch.baseOffset()), behind));
            lastEpoch = epoch;
        }
        behind = batch.nextOffset();
    }

    /**
     * A segment begins where the one before ends, but for gaps that were copied from a leader; the snapshot of its base says how
     * large the one before was. Without a whole snapshot a gap is a natural one only where snapshots were pruned, which is in front
     * of the oldest: a later one was never durable, and so was nothing behind it. If nothing was recorded about the log then
     * it is not cut for a gap at all.
     */
    private boolean isHole(Checked before, long base) throws IOException {
        if (gaps == Gaps.ARE_NATURAL || base == before.endOffset()) {
            return false;
        }
        Optional<ProducerSnapshot> snapshot = snapshots.read(base);
        if (snapshot.isPresent()) {
            return snapshot.get().precedingBytes() > before.sizeBytes();
        }
        NavigableSet<Long> known = snapshots.offsets();
        return known.isEmpty() || base >= known.first();
    }

    /** Removes segments, the last one first, so that a crash leaves a prefix. */
    private void remove(NavigableSet<Long> bases) throws IOException {
        for (long base : List.copyOf(bases.descendingSet())) {
            SegmentFiles files = new SegmentFiles(directory, base);
            LOG.warn("{} is deleted: it lies behind the cut", files.log());
            io.delete(files.log());
            deleteIndexes(files);
            bases.remove(base);
        }
    }

    private void deleteIndexes(SegmentFiles files) throws IOException {
        io.deleteIfThere(files.index());
        io.deleteIfThere(files.timeIndex());
    }
}
