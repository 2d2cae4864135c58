package io.tidemark.core.log.cleaner;

import io.tidemark.core.log.cleaner.CleanableLog.Replaced;
import io.tidemark.core.log.cleaner.CleanableLog.Replacement;
import io.tidemark.core.log.cleaner.CleanableLog.Snapshot;
import io.tidemark.core.log.cleaner.CleanableLog.Source;
import io.tidemark.core.log.segment.Segment;
import io.tidemark.core.runtime.Invariant;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One pass over one log: maps the dirty part, then copies group after group of segments up to its end and swaps each in, then
 * records how far the log is clean. A pass for tombstones alone copies the clean part with an empty map. For one thread.
 */
final class CleaningPass implements CleanerWork {
    private static final Logger LOG = LoggerFactory.getLogger(CleaningPass.class);

    private final CleanerTarget target;
    private final CleanableLog log;
    private final CleaningTools tools;
    private final OptionalLong horizonMs;
    private final long nowMs;
    private final CleaningStats stats = new CleaningStats();
    private final Queue<Group> groups = new ArrayDeque<>();
    private long changes;
    private long truncations;
    private long countedBytes;
    private @Nullable Source source;
    private @Nullable CleaningPlan plan;
    private @Nullable DirtyMapper mapper;
    private @Nullable SegmentRecopier recopier;
    private @Nullable BatchFilter filter;
    private long endOffset;

    /** Neighbours that become one segment, and the base of the one behind them. */
    private record Group(List<Segment> segments, long endBase) {}

    /**
     * A pass that has not begun.
     *
     * @param horizonMs when the first known tombstone of the log may go
     * @param nowMs wall clock
     */
    CleaningPass(CleanerTarget target, CleaningTools tools, OptionalLong horizonMs, long nowMs) {
        this.target = target;
        this.log = target.log();
        this.tools = tools;
        this.horizonMs = horizonMs;
        this.nowMs = nowMs;
    }

    @Override
    public CleanerTarget target() {
        return target;
    }

    @Override
    public long truncations() {
        return truncations;
    }

    CleaningStats stats() {
        return stats;
    }

    @Override
    public Progress step() throws IOException {
        Outcome outcome;
        if (plan == null) {
            outcome = begin();
        } else if (mapper != null) {
            outcome = map(mapper);
        } else if (recopier != null) {
            outcome = copy(recopier);
        } else {
            outcome = groups.isEmpty() ? finish() : beginGroup(groups.element());
        }
        long moved = stats.movedBytes() - countedBytes;
        countedBytes += moved;
        return new Progress(outcome, moved);
    }

    @Override
    public void abandon() {
        SegmentRecopier copying = recopier;
        if (copying != null) {
            copying.abandon();
        }
        tools.map().clear();
    }

    private Outcome begin() throws IOException {
        truncations = log.truncations();
        changes = target.checkpoint().changesOf(log.partition());
        Optional<Source> begun = log.begin();
        if (begun.isEmpty()) {
            return Outcome.ABORTED;
        }
        Snapshot snapshot = begun.get().snapshot();
        LogFigures figures =
                LogLook.figures(log.partition(), snapshot, target.checkpoint().offsetOf(log.partition()), horizonMs);
        CleaningPlan made = CleanerPlanner.plan(figures, nowMs);
        if (!made.isCandidate()) {
            return Outcome.ABORTED;
        }
        source = begun.get();
        plan = made;
        tools.map().clear();
        if (made.hasDirtyPart()) {
            List<Segment> dirty = LogLook.segments(snapshot, made.cleanEnd(), made.firstUncleanable());
            mapper = new DirtyMapper(dirty, made, tools, stats);
        } else {
            planGroups(made.cleanEnd());
        }
        return Outcome.MORE;
    }

    private Outcome map(DirtyMapper mapping) throws IOException {
        Outcome outcome = mapping.step();
        if (outcome != Outcome.DONE) {
            return outcome;
        }
        mapper = null;
        planGroups(mapping.endOffset());
        return Outcome.MORE;
    }

    private void planGroups(long end) {
        endOffset = end;
        Snapshot snapshot = begun().snapshot();
        CleaningPlan made = planned();
        Invariant.check(
                end <= made.firstUncleanable() && made.firstUncleanable() <= snapshot.committedBound(),
                () -> "cleaning ends at " + end + ", beyond " + made);
        List<Segment> all = snapshot.segments();
        List<Segment> cleanable = LogLook.segments(snapshot, all.get(0).base(), end);
        long endBase = all.get(cleanable.size()).base();
        List<SegmentGroups.Part> parts = new ArrayList<>();
        for (Segment segment : cleanable) {
            parts.add(new SegmentGroups.Part(segment.base(), segment.sizeBytes(), segment.indexEntries()));
        }
        int from = 0;
        for (int length : SegmentGroups.runs(parts, endBase, snapshot.config().segments())) {
            int to = from + length;
            groups.add(new Group(cleanable.subList(from, to), all.get(to).base()));
            from = to;
        }
        filter = new BatchFilter(begun(), tools.map(), new BatchFilter.Bounds(end, nowMs), stats);
    }

    private Outcome beginGroup(Group group) {
        SegmentRecopier.Copy copy = new SegmentRecopier.Copy(
                log,
                begun().snapshot().config(),
                group.segments(),
                group.endBase(),
                SegmentSwap.cleaned(
                        log.space().directory(), group.segments().get(0).base(), group.endBase()));
        recopier = new SegmentRecopier(copy, Objects.requireNonNull(filter), tools, stats);
        return Outcome.MORE;
    }

    private Outcome copy(SegmentRecopier copying) throws IOException {
        Outcome outcome = copying.step();
        if (outcome != Outcome.DONE) {
            return outcome;
        }
        Group group = groups.remove();
        if (copying.isWorthSwapping()) {
            Replacement replacement = new Replacement(begun().snapshot(), group.segments(), group.endBase());
            if (log.replace(replacement) == Replaced.ABORTED) {
                return Outcome.ABORTED;
            }
        } else {
            copying.abandon();
        }
        recopier = null;
        return Outcome.MORE;
    }

    private Outcome finish() {
        CleaningPlan made = planned();
        tools.map().clear();
        if (made.hasDirtyPart()) {
            // Never below where the pass began (S72), whatever the map says.
            long cleanTo = Math.max(endOffset, made.firstDirty());
            if (!target.checkpoint().record(log.partition(), cleanTo, changes)) {
                return Outcome.ABORTED;
            }
        }
        LOG.info("cleaned {} up to {}: {}", log.partition(), endOffset, stats);
        return Outcome.DONE;
    }

    private Source begun() {
        return Objects.requireNonNull(source);
    }

    private CleaningPlan planned() {
        return Objects.requireNonNull(plan);
    }
}
