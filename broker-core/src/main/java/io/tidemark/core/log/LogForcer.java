package io.tidemark.core.log;

import io.tidemark.core.log.segment.Segment;
import io.tidemark.runtime.Cancellable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes what was appended durable, without holding the log's lock while the disk works: appends go on meanwhile and belong
 * to the next force. What counts as forced: the bytes, the names of the files, the indexes of sealed segments, the snapshots
 * that segments begin with, and the epochs.
 *
 * <p>One force at a time; a second caller waits and then finds its part done.
 */
final class LogForcer {
    private static final Logger LOG = LoggerFactory.getLogger(LogForcer.class);

    private final LogState state;
    private final EpochWriter epochWriter;
    private final ProducerSnapshots snapshots;
    private final FlushTrigger flushes;
    private final ReentrantLock forcing = new ReentrantLock();
    private volatile LogEnd forcedEnd;
    private volatile long recoveryCap = Long.MAX_VALUE;
    private volatile @Nullable Cancellable task;

    // Guarded by the log's lock.
    private long firstUnforcedBase;
    private long namesVersion;
    private long forcedNamesVersion;
    private boolean cutUnforced;
    private @Nullable Scope queued;

    /** How far a force goes. */
    private enum Scope {
        SEALED_SEGMENTS,
        EVERYTHING
    }

    /** What one force has to do; {@code sealed} excludes {@code active}. */
    private record Plan(
            List<Segment> sealed,
            Segment active,
            LogView view,
            LogEnd target,
            boolean names,
            long namesVersion,
            boolean cut,
            long truncations) {}

    /** Of a log that is durable as it is. */
    LogForcer(LogState state, EpochWriter epochWriter, ProducerSnapshots snapshots, FlushTrigger flushes) {
        this.state = state;
        this.snapshots = snapshots;
        this.epochWriter = epochWriter;
        this.flushes = flushes;
        LogView view = state.lastView();
        this.forcedEnd = view.end();
        this.firstUnforcedBase = view.segments().active().base();
    }

    LogEnd forcedEnd() {
        return forcedEnd;
    }

    /** What may be recorded as needing no check after a crash. */
    long recoveryPoint() {
        return Math.min(forcedEnd.offset(), recoveryCap);
    }

    /** An offset that nothing may be recorded above: a truncation is about to cut there, or nothing is. */
    long recordableOffset() {
        return recoveryCap;
    }

    LogEnd force() {
        return force(Scope.EVERYTHING);
    }

    /** As {@link #force()}, of what is in front of the active segment: appends to that go on undisturbed. */
    void forceSealed() {
        force(Scope.SEALED_SEGMENTS);
    }

    /**
     * Keeps {@link #recoveryPoint()} at or below {@code offset}, until {@link #onTruncated}: bytes from there on are about to be
     * replaced.
     */
    void capRecoveryPoint(long offset) {
        recoveryCap = offset;
    }

    /**
     * There is going to be a segment behind {@code active}, so nothing before it may come back or vanish under it any more: not a
     * cut that is not durable, and not the names of the roll before. Under the log's lock.
     */
    void beforeRoll(Segment active) throws IOException {
        if (cutUnforced) {
            active.force();
            cutUnforced = false;
        }
        if (forcedNamesVersion < namesVersion) {
            state.space.io().forceDirectory(state.space.directory());
            forcedNamesVersion = namesVersion;
        }
    }

    /** There is a new segment; the sealed ones are forced soon. Under the log's lock. */
    void onRolled() {
        namesVersion++;
        enqueue(Scope.SEALED_SEGMENTS);
    }

    /** The log ends at {@code end} now; the cut is forced soon. Under the log's lock. */
    void onTruncated(LogEnd end) {
        if (forcedEnd.offset() >= end.offset()) {
            forcedEnd = end;
        }
        firstUnforcedBase =
                Math.min(firstUnforcedBase, state.lastView().segments().active().base());
        recoveryCap = Long.MAX_VALUE;
        cutUnforced = true;
        enqueue(Scope.EVERYTHING);
    }

    private void enqueue(Scope scope) {
        if (queued == null) {
            state.afterUnlock(() -> task = state.scheduler.schedule(Duration.ZERO, this::forceQueued));
        }
        queued = queued == Scope.EVERYTHING ? queued : scope;
    }

    void cancel() {
        Cancellable pending = task;
        if (pending != null) {
            pending.cancel();
        }
    }

    private void forceQueued() {
        Scope scope;
        state.lock();
        try {
            scope = queued;
        } finally {
            state.unlock();
        }
        if (scope == null || state.isClosed()) {
            return;
        }
        try {
            force(scope);
        } catch (LogClosedException e) {
            LOG.debug("{} was closed before it was forced", state.partition);
        }
    }

    private LogEnd force(Scope scope) {
        forcing.lock();
        try {
            Plan plan = plan(scope);
            execute(plan);
            return finish(plan);
        } catch (IOException | RuntimeException e) {
            throw state.fenceUnlocked("force", e);
        } finally {
            forcing.unlock();
        }
    }

    private Plan plan(Scope asked) throws IOException {
        state.lock();
        try {
            // What was queued since is dropped here, so it is done here.
            Scope scope = queued == Scope.EVERYTHING ? queued : asked;
            queued = null;
            if (scope == Scope.EVERYTHING) {
                flushes.onForcing();
            }
            LogView view = state.view();
            Segment active = view.segments().active();
            List<Segment> sealed = view.segments().from(firstUnforcedBase).stream()
                    .filter(segment -> segment != active)
                    .toList();
            LogEnd target = scope == Scope.EVERYTHING ? view.end() : startOf(active, view);
            boolean cut = cutUnforced && scope == Scope.EVERYTHING;
            active.writePendingIndex();
            return new Plan(
                    sealed,
                    active,
                    view,
                    target,
                    forcedNamesVersion < namesVersion,
                    namesVersion,
                    cut,
                    state.truncations());
        } finally {
            state.unlock();
        }
    }

    private static LogEnd startOf(Segment active, LogView view) {
        if (active.base() >= view.end().offset()) {
            return view.end();
        }
        return new LogEnd(active.base(), active.startPosition(), view.epochs().epochAt(active.base() - 1));
    }

    private void execute(Plan plan) throws IOException {
        for (Segment segment : plan.sealed()) {
            segment.force();
            snapshots.force(segment.base());
        }
        boolean reachesActive = plan.target().position() > plan.active().startPosition();
        if (plan.cut() || (reachesActive && plan.target().offset() > forcedEnd.offset())) {
            plan.active().force();
        }
        if (plan.names()) {
            snapshots.force(plan.active().base());
            state.space.io().forceDirectory(state.space.directory());
        }
        epochWriter.write(plan.view().epochs());
    }

    private LogEnd finish(Plan plan) {
        state.lock();
        try {
            forcedNamesVersion = Math.max(forcedNamesVersion, plan.namesVersion());
            if (state.truncations() == plan.truncations()) {
                firstUnforcedBase = plan.active().base();
                cutUnforced &= !plan.cut();
                if (plan.target().offset() >= forcedEnd.offset()) {
                    forcedEnd = plan.target();
                }
            }
            return forcedEnd;
        } finally {
            state.unlock();
        }
    }
}
