package io.tidemark.core.log.offline;

import io.tidemark.core.log.LeaderEpochCheckpoint;
import io.tidemark.core.log.offline.SegmentCheck.Extent;
import io.tidemark.core.log.offline.SegmentCheck.Place;
import io.tidemark.core.log.segment.SegmentFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalLong;

/** Checks the files of one partition against each other. */
final class PartitionCheck {
    private static final int NO_EPOCH = -1;

    private final VerifyRun run;

    PartitionCheck(VerifyRun run) {
        this.run = run;
    }

    /**
     * The offsets of a log.
     *
     * @param start base of its first segment
     * @param end behind its last batch
     */
    record Range(long start, long end) {}

    /** Checks a partition's directory. */
    Range directory(Path directory) throws IOException {
        NavigableSet<Long> bases = OfflineTarget.bases(run.io(), directory);
        tellOrphans(directory, bases);
        List<CrossCheck> epochs = epochCheck(directory);
        Extent extent = new Extent(0, NO_EPOCH);
        for (long base : bases) {
            SegmentFiles files = new SegmentFiles(directory, base);
            if (base < extent.nextOffset()) {
                run.found(Finding.ofFile(
                        files.log(),
                        "the segment overlaps the one before, which holds offsets up to " + (extent.nextOffset() - 1),
                        "the broker refuses to start with it: one of the two is stale; compare both with another replica"
                                + " and move the stale one out of the directory"));
            } else if (base > extent.nextOffset() && base != bases.first()) {
                run.cannotKnow("whether a gap between two segments is a natural one: " + files.log() + " begins "
                        + (base - extent.nextOffset()) + " offsets behind the segment before");
            }
            Place place =
                    new Place(base, Math.max(base, extent.nextOffset()), extent.lastEpoch(), base == bases.last());
            extent = segment(files.log(), OptionalLong.of(base), place, epochs);
        }
        long end = extent.nextOffset();
        epochs.forEach(check -> check.onEnd(end));
        return new Range(bases.isEmpty() ? 0 : bases.first(), end);
    }

    /** Checks a {@code .log} file alone, with the indexes beside it. */
    void logFile(Path log) throws IOException {
        OptionalLong base = SegmentFiles.offsetIn(OfflineTarget.nameOf(log), SegmentFiles.LOG_SUFFIX);
        if (base.isEmpty()) {
            run.cannotKnow("whether the offsets belong into this segment: the name of " + log + " is not that of one");
        }
        run.cannotKnow("whether the file agrees with the partition's epochs and other segments: it was looked at alone;"
                + " verify the directory for that");
        long first = base.orElse(0);
        segment(log, base, new Place(first, first, NO_EPOCH, true), List.of());
    }

    private Extent segment(Path log, OptionalLong base, Place place, List<CrossCheck> epochs) throws IOException {
        List<CrossCheck> own = new ArrayList<>();
        if (base.isPresent()) {
            SegmentFiles files = new SegmentFiles(OfflineTarget.directoryOf(log), base.getAsLong());
            addIndexCheck(files, own);
            addTimeIndexCheck(files, own);
        }
        List<CrossCheck> all = new ArrayList<>(own);
        all.addAll(epochs);
        Extent extent = new SegmentCheck(run, log, place, all).run();
        own.forEach(check -> check.onEnd(extent.nextOffset()));
        return extent;
    }

    private void addIndexCheck(SegmentFiles files, List<CrossCheck> checks) throws IOException {
        if (run.io().exists(files.index())) {
            checks.add(IndexCheck.of(run, files.index()));
        } else {
            run.cannotKnow("what the offset index says: there is no " + files.index() + " (a start rebuilds it)");
        }
    }

    private void addTimeIndexCheck(SegmentFiles files, List<CrossCheck> checks) throws IOException {
        if (run.io().exists(files.timeIndex())) {
            checks.add(TimeIndexCheck.of(run, files.timeIndex()));
        } else {
            run.cannotKnow("what the time index says: there is no " + files.timeIndex() + " (a start rebuilds it)");
        }
    }

    private List<CrossCheck> epochCheck(Path directory) throws IOException {
        Path file = directory.resolve(LeaderEpochCheckpoint.FILE_NAME);
        if (!run.io().exists(file)) {
            run.cannotKnow("whether the epochs were recorded: there is no " + file);
            return List.of();
        }
        Optional<EpochCheck> check = EpochCheck.of(run, directory);
        return check.isPresent() ? List.of(check.get()) : List.of();
    }

    private void tellOrphans(Path directory, NavigableSet<Long> bases) throws IOException {
        for (String name : run.io().list(directory)) {
            OptionalLong index = SegmentFiles.offsetIn(name, SegmentFiles.INDEX_SUFFIX);
            OptionalLong base = index.isPresent() ? index : SegmentFiles.offsetIn(name, SegmentFiles.TIME_INDEX_SUFFIX);
            if (base.isPresent() && !bases.contains(base.getAsLong())) {
                run.found(Finding.ofFile(
                        directory.resolve(name),
                        "an index without its segment",
                        "the next start deletes it; if the segment was lost, verify the partition on another replica"));
            }
        }
    }
}
