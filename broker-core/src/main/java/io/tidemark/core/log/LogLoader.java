package io.tidemark.core.log;

import io.tidemark.core.io.Files;
import io.tidemark.core.log.LeaderEpochs.EpochStart;
import io.tidemark.core.log.cleaner.SegmentSwap;
import io.tidemark.core.log.segment.Segment;
import io.tidemark.core.log.segment.SegmentFiles;
import io.tidemark.core.log.segment.SegmentSpace;
import io.tidemark.core.log.segment.Segments;
import io.tidemark.core.runtime.KafkaStorageException;
import io.tidemark.record.InvalidBatchException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the log in a partition directory, whatever state a stop or a crash left it in; an empty directory becomes an empty log.
 *
 * <p>Sweeps leftovers (S46, S54); after an unclean stop {@linkplain LogRecovery recovers}; rebuilds indexes that are missing or
 * unsound (S8); refuses segments that overlap or hold others' offsets (S16); brings epochs and producer states in line with the
 * batch headers.
 */
final class LogLoader {
    private static final Logger LOG = LoggerFactory.getLogger(LogLoader.class);

    private final LogContext context;
    private final Start start;
    private final SegmentSpace space;
    private final Files io;
    private final ProducerSnapshots snapshots;
    private final LeaderEpochCheckpoint epochFile;

    /** How the log was left. */
    enum Stop {
        CLEAN,
        UNCLEAN,
        /** Unclean, and what was recorded about recovery points is damaged. */
        UNCLEAN_WITHOUT_RECORD
    }

    /**
     * What was recorded about the log.
     *
     * @param stop whether everything in it is known to be on disk
     * @param recoveryPoint after an unclean stop: what is known to be on disk
     * @param startOffset first offset that may be read; 0 if nothing is recorded
     */
    record Start(Stop stop, long recoveryPoint, long startOffset) {
        /** Of a log that did not exist. */
        static final Start NEW = new Start(Stop.CLEAN, 0, 0);
    }

    /** Segments whose batches are whole, and the epochs of these. */
    private record Checked(NavigableSet<Long> bases, LeaderEpochHistory epochs) {}

    LogLoader(LogContext context, Start start) {
        this.context = context;
        this.start = start;
        this.space = context.space();
        this.io = space.io();
        this.snapshots = new ProducerSnapshots(io, space.directory());
        this.epochFile = new LeaderEpochCheckpoint(io, space.directory());
    }

    /**
     * Loads the log.
     *
     * @throws KafkaStorageException if the disk fails or the files do not make up a log
     */
    SegmentedLog load() {
        try {
            return tryLoad();
        } catch (IOException e) {
            throw new KafkaStorageException("load", space.directory(), e);
        } catch (InvalidBatchException e) {
            throw new KafkaStorageException("make sense of", space.directory(), e);
        }
    }

    private SegmentedLog tryLoad() throws IOException {
        NavigableSet<Long> bases = sweep();
        Optional<List<EpochStart>> inFile = epochFile.read();
        LeaderEpochHistory written = LeaderEpochHistory.of(inFile.orElse(List.of()));
        Checked checked =
                start.stop() == Stop.CLEAN || bases.isEmpty() ? new Checked(bases, written) : recovered(bases, written);
        LogView view = withLastEpoch(
                openSegments(checked.bases(), inFile.isPresent() ? checked.epochs() : LeaderEpochHistory.EMPTY));
        if (!view.epochs().equals(written)) {
            epochFile.write(view.epochs());
        }
        // An end inside a gap is not remembered, so the log may end below a recovery point that is perfectly right.
        context.recoveryPoints().lowerTo(context.partition(), view.end().offset());
        snapshots.deleteAbove(view.end().offset());
        ProducerStates producers = new ProducerStates();
        new ProducerRebuild(snapshots).run(view, producers);
        return new SegmentedLog(context, view, producers, view.epochs(), snapshots);
    }

    private Checked recovered(NavigableSet<Long> bases, LeaderEpochHistory written) throws IOException {
        long checkedFrom = LogRecovery.firstToCheck(bases, start.recoveryPoint());
        LeaderEpochHistory epochs = written.truncatedFromEnd(checkedFrom);
        LogRecovery.Gaps gaps = start.stop() == Stop.UNCLEAN_WITHOUT_RECORD
                ? LogRecovery.Gaps.ARE_NATURAL
                : LogRecovery.Gaps.MAY_BE_HOLES;
        LogRecovery.Outcome outcome =
                new LogRecovery(space, context.config(), snapshots, gaps, epochs.latest()).run(bases, checkedFrom);
        for (LogRecovery.Begun begun : outcome.epochs()) {
            epochs = begun.appendTo(epochs, written);
        }
        return new Checked(outcome.bases(), epochs);
    }

    /** Finishes or undoes what the cleaner began and deletes leftovers; answers the bases of the segments that are there. */
    private NavigableSet<Long> sweep() throws IOException {
        List<String> names = SegmentSwap.recover(io, space.directory(), io.list(space.directory()));
        snapshots.known(names);
        NavigableSet<Long> bases = SegmentFiles.offsetsIn(names, SegmentFiles.LOG_SUFFIX);
        removeBelowStart(bases);
        for (String name : names) {
            Path file = space.directory().resolve(name);
            if (isOrphan(name, SegmentFiles.INDEX_SUFFIX, bases)
                    || isOrphan(name, SegmentFiles.TIME_INDEX_SUFFIX, bases)) {
                // A live name: unlike what follows, somebody may take it for his (S13).
                io.delete(file);
            } else if (name.endsWith(SegmentFiles.DELETED_SUFFIX) || name.endsWith(SegmentFiles.TEMPORARY_SUFFIX)) {
                DelayedDeletion.unlink(io, List.of(file));
            }
        }
        return bases;
    }

    private static boolean isOrphan(String name, String suffix, NavigableSet<Long> bases) {
        OptionalLong base = SegmentFiles.offsetIn(name, suffix);
        return base.isPresent() && !bases.contains(base.getAsLong());
    }

    /**
     * Segments below the recorded start had gone; a power loss may have undone the renames of any of them. One that cannot be deleted
     * stops the start: whatever forgot the start would find it in front of a hole (S13).
     */
    private void removeBelowStart(NavigableSet<Long> bases) throws IOException {
        while (bases.size() > 1 && isBelowStart(bases)) {
            SegmentFiles files = new SegmentFiles(space.directory(), Objects.requireNonNull(bases.pollFirst()));
            LOG.info("{} lies below the start of its log, {}, and goes", files.log(), start.startOffset());
            io.delete(files.log());
        }
    }

    private boolean isBelowStart(NavigableSet<Long> bases) {
        Long second = bases.higher(bases.first());
        return second != null && second <= start.startOffset();
    }

    private LogView openSegments(NavigableSet<Long> bases, LeaderEpochHistory epochs) throws IOException {
        if (bases.isEmpty()) {
            return begin();
        }
        LogSegments found = new LogSegments(space, context.config());
        found.open(bases);
        Segments segments = Segments.of(found.all());
        for (Segment segment : segments.all()) {
            if (segment != segments.active()) {
                segment.forceRebuiltIndexes();
            }
        }
        segments.active().activateUnread();
        long startOffset = Math.max(start.startOffset(), segments.first().base());
        // What was behind the last batch and in front of the start is of no interest to anybody: a gap.
        long endOffset = Math.max(found.endOffset(), startOffset);
        int lastEpoch = found.lastEpoch();
        if (found.endsInDamage()) {
            // Its headers cannot say it, so the next best witnesses do.
            int recorded = Math.max(epochs.epochAt(endOffset - 1), epochAtRoll(segments.active(), endOffset));
            lastEpoch = Math.max(lastEpoch, recorded);
        }
        LogEnd end = new LogEnd(endOffset, found.position(), lastEpoch);
        return withTrueEpochs(new LogView(segments, end, startOffset, epochs), lastEpoch);
    }

    /**
     * A log whose records have all gone still ended in some epoch, which the snapshot of the segment says that was begun then: a
     * recovery election must not take it for a log that never had any.
     */
    private LogView withLastEpoch(LogView view) throws IOException {
        LogEnd end = view.end();
        if (end.lastEpoch() != LeaderEpochHistory.NO_EPOCH) {
            return view;
        }
        int lastEpoch = epochAtRoll(view.segments().active(), end.offset());
        return new LogView(
                view.segments(),
                new LogEnd(end.offset(), end.position(), lastEpoch),
                view.startOffset(),
                view.epochs());
    }

    /** The epoch that a log ended in when that segment was begun at its end; {@link LeaderEpochHistory#NO_EPOCH} if unknown. */
    private int epochAtRoll(Segment active, long endOffset) throws IOException {
        return snapshots
                .read(active.base())
                .filter(snapshot -> snapshot.endOffset() == endOffset)
                .map(ProducerSnapshot::lastEpoch)
                .orElse(LeaderEpochHistory.NO_EPOCH);
    }

    private LogView begin() throws IOException {
        Segment active = Segment.create(space, start.startOffset(), 0);
        io.forceDirectory(space.directory());
        LogEnd end = new LogEnd(start.startOffset(), 0, LeaderEpochHistory.NO_EPOCH);
        return new LogView(Segments.of(List.of(active)), end, start.startOffset(), LeaderEpochHistory.EMPTY);
    }

    /** Headers are the truth: a history that does not know the last batch's epoch, or more than the log has, is made anew. */
    private LogView withTrueEpochs(LogView view, int lastEpoch) throws IOException {
        long endOffset = view.end().offset();
        LeaderEpochHistory epochs = view.epochs().truncatedFromEnd(endOffset);
        boolean isTrue = lastEpoch == LeaderEpochHistory.NO_EPOCH || epochs.epochAt(endOffset - 1) == lastEpoch;
        if (!isTrue) {
            LOG.warn("the epochs of {} do not match the log and are rebuilt: {}", space.directory(), epochs);
            epochs = EpochRebuild.of(view.segments());
        }
        return view.withEpochs(epochs.truncatedFromStart(view.startOffset()));
    }
}
